import Foundation
import Testing

@testable import EndToEnd

/// Every JSON output of every test is compared with its schema. This is whether a fault is seen.
@Suite struct OutputSchemaTests {
  @Test(
    arguments: [
      (#"{"passed":1,"failed":0,"failures":[]}"#, nil),
      (#"{"passed":1,"failures":[]}"#, ".failed is missing"),
      (#"{"passed":"1","failed":0,"failures":[]}"#, #".passed: no ["integer"]"#),
      (#"{"passed":true,"failed":0,"failures":[]}"#, #".passed: no ["integer"]"#),
      (#"{"passed":1,"failed":0,"failures":[],"new":0}"#, ".new is unknown"),
      (#"{"passed":1,"failed":1,"failures":[{}]}"#, ".failures[].file is missing"),
    ] as [(String, String?)]) func `a fault of an output is named`(output: String, fault: String?)
    throws
  {
    let found = try OutputSchema.faults(in: Array(output.utf8), of: ["test", "a.cases", "--json"])
    #expect(fault.map { found.first?.hasPrefix($0) == true } ?? found.isEmpty, "\(found)")
  }

  @Test func `each command of the page has its schema, and every schema is one`() throws {
    let folder = repositoryFile("Documentation/schemas")
    let page = try String(
      contentsOfFile: repositoryFile("Documentation/JSONOutput.md"), encoding: .utf8)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let name = file.replacing(".json", with: "")
      #expect(page.contains("<!-- members \(name) -->"), "\(file)")
      _ = try OutputSchema(named: name)
    }
  }
}
