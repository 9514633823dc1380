import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa validate` on more files than are read at once.
@Suite(.manyAtOnce) struct ManyFilesValidationTests {
  private let workspace: Workspace
  private let count = 1_100

  init() throws { workspace = try Workspace() }

  private func writeAll() throws {
    for index in 0..<count {
      // Every seventh has an error, and the last one.
      let isBroken = index % 7 == 0 || index == count - 1
      try workspace.write(
        "domains/\(name(index))", isBroken ? "[" : shopFile(components: #"[{"/":"/buy/*"}]"#))
    }
  }

  private func name(_ index: Int) -> String {
    let digits = String(index)
    return "site" + String(repeating: "0", count: 5 - digits.count) + digits + ".example.json"
  }

  private var broken: [Int] { (0..<count).filter { $0 % 7 == 0 || $0 == count - 1 } }

  @Test func `all files are reported in the order of their names`() throws {
    try writeAll()
    let run = try workspace.aasa("validate", "domains").says(exit: 1)
    let places = run.text.split(separator: "\n").filter { $0.contains("--> ") }
    #expect(places.count == broken.count)
    for (place, index) in zip(places, broken) {
      place.says(" domains/\(name(index)):")
    }
    let clean = count - broken.count
    #expect(
      run.text.hasSuffix("\(count) files: \(broken.count) with errors, \(clean) clean\n"))
  }

  @Test(arguments: [".aasa.json", "a.example.assetlinks.json", "a.example.json"])
  func `what a link leads to from a folder is not quoted`(name: String) throws {
    let workspace = try Workspace(serving: ["good.example": association()])
    try workspace.write("secret", #"{"hunter2": "swordfish", "applinks": {"details": 7}}"#)
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path("domains/\(name)"), withDestinationPath: "../secret")
    for format in ["text", "json", "github"] {
      let run = try workspace.aasa("validate", "domains", "--format", format)
      let isText = format == "text"
      #expect(!isText || run.text.contains("the link leads out of the folder"), "\(run.text)")
      #expect(!run.text.contains("hunter2") && !run.text.contains("swordfish"), "\(run.text)")
    }
    // A file that is named is the user's own choice.
    if name != ".aasa.json" {
      #expect(try workspace.aasa("validate", "domains/\(name)").text.contains("hunter2"))
    }
  }

  @Test(arguments: ["json", "sarif", "junit", "github"])
  func `every format has them in the same order`(format: String) throws {
    try writeAll()
    let run = try workspace.aasa("validate", "domains", "--format", format).says(exit: 1)
    let found = run.text.matches(of: /domains\/site(\d{5})\.example\.json/)
      .compactMap { Int($0.output.1) }
    let report = format == "junit" ? Array(0..<count) : broken
    var order: [Int] = []
    for index in found where order.last != index { order.append(index) }
    #expect(order == report)
  }

  @Test func `of an unsigned file the system's roots are not read`() throws {
    try workspace.write("domains/\(name(1))", association())
    // Opening the pipe waits for a writer.
    guard mkfifo(workspace.path("roots"), 0o600) == 0 else { throw Failure("no pipe") }
    let validating = try ChildProcess(
      Server.program, ["validate", "domains/\(name(1))"],
      environment: ["SSL_CERT_FILE": workspace.path("roots")], folder: workspace.root)
    try #expect(validating.waitForExit() == 0)
  }
}
