import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Signed files are read by every command that reads association files.
@Suite(.manyAtOnce, .needs(.openssl)) struct SignedReadingTests {
  private let workspace: Workspace
  private static let old = #"""
    { "applinks": { "details": [
      { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
    ] } }
    """#
  private static let new = old.replacing("/buy/", with: "/sell/")

  init() throws {
    workspace = try Workspace()
    try workspace.write("signed", signedFile(Self.old, in: workspace))
    try workspace.write("plain.json", Self.old)
    try workspace.write("new.json", Self.new)
    try workspace.write("expected.cases", "/buy/42 opens K27TX9P4QD.org.swift.shop\n")
  }

  private func aasa(_ arguments: [String]) throws -> Finished {
    try run(Server.program, arguments, folder: workspace.root)
  }

  static let rows: [(arguments: [String], code: Int32, output: String)] = [
    (["match", "signed", "/buy/42"], 0, "opens"),
    (["match", "signed", "/sell"], 1, "browser"),
    // The rule's line is that of the content.
    (["match", "--explain", "signed", "/buy/42"], 0, "signed (signed content):2:"),
    (["test", "expected.cases", "--file", "signed"], 0, "1 of 1 expectations are met"),
    (["diff", "signed", "plain.json"], 0, ""),
    (["diff", "new.json", "signed"], 1, "/buy"),
    (["convert", "signed", "--to", "paths"], 0, #""paths": ["/buy/*"]"#),
    (["convert", "signed", "--minify"], 0, #"{"applinks":{"details":[{"#),
  ]

  @Test(arguments: rows)
  func `the content is taken, with one note`(arguments: [String], code: Int32, output: String)
    throws
  {
    let run = try aasa(arguments)
    #expect(run.exitCode == code, "\(run.errors)")
    #expect(run.text.contains(output) || output.isEmpty, "\(run.text)")
    #expect(
      run.errors == "note: signed is signed; only its content is read; aasa validate checks the "
        + "signature\n")
  }

  @Test func `a signed file that is cut off is refused`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: workspace.path("signed")))
    try workspace.write("cut", bytes.dropLast(1))
    let run = try aasa(["match", "cut", "/buy/42"])
    #expect(run.exitCode == 2)
    #expect(run.text.isEmpty && run.errors.contains("[A003]"), "\(run.errors)")
  }
}
