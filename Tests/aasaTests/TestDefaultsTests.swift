import Foundation
import Testing

@testable import aasa

/// The default files of `aasa test`.
@Suite struct TestDefaultsTests {
  private static let file =
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["/buy/*"]}]}}"#

  private static func run(_ arguments: [String], _ files: [String: String]) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.path + "/aasa-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      let file = folder + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    return Program.run(
      ["test"] + arguments.map { $0.replacing("FOLDER", with: folder) }, output: { _ in },
      errors: { _ in })
  }

  @Test(
    arguments: [
      ("/buy/1 opens K27TX9P4QD.a.b", ["FOLDER/example.com.cases"], 0),
      ("/sell/1 opens K27TX9P4QD.a.b", ["FOLDER/example.com.cases"], 1),
      ("/buy/1 opens K27TX9P4QD.a.b", ["--file", "FOLDER"], 0),
      ("/sell/1 opens K27TX9P4QD.a.b", ["--file", "FOLDER"], 1),
      ("/buy/1 opens K27TX9P4QD.a.b", ["--file", "FOLDER/example.com.json"], 0),
      ("# nothing", ["--file", "FOLDER"], 2), ("", ["FOLDER/example.com.cases"], 2),
    ] as [(String, [String], Int32)]) func `expectations and files find each other by name`(
      cases: String, arguments: [String], code: Int32
    ) throws
  {
    let files = ["example.com.json": Self.file, "example.com.cases": cases]
    #expect(try Self.run(arguments, files) == code)
  }

  @Test func `an association file that cannot be inspected is not passed over`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/aasa-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = folder + "/example.com.json"
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
    #expect(TestDefaults.file(for: [folder + "/example.com.cases"]) == file)
  }

  @Test func `without expectations nothing was checked`() throws {
    #expect(try Self.run(["--file", "FOLDER"], ["example.com.json": Self.file]) == 2)
  }

  @Test func `a command that is nearly one is named`() {
    var errors = ""
    #expect(Program.run(["valdate", "x"], output: { _ in }, errors: { errors += $0 }) == 2)
    #expect(errors.contains("did you mean aasa validate?"))
  }

  @Test(arguments: [["validate", "example.com"], ["match", "https://example.com", "/x"]])
  func `a domain in place of a file is wrong usage`(arguments: [String]) {
    #expect(Program.run(arguments, output: { _ in }, errors: { _ in }) == 2)
  }
}
