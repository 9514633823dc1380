import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A path on the command line is read even if it is not a file.
@Suite(.manyAtOnce) struct NamedInputTests {
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  @Test func `the standard input by its name, as the shell's <(…) is passed`() throws {
    let workspace = try workspace.get()
    try workspace.write("good.json", Self.good)
    try workspace.aasa("validate", "/dev/stdin", input: Self.good)
      .says(.end("1 file: 1 clean\n"), exit: 0)
    try workspace.aasa("diff", "good.json", "/dev/stdin", input: Self.good).says(exit: 0)
  }

  @Test func `a named pipe, however slowly it is written`() throws {
    let workspace = try workspace.get()
    guard mkfifo(workspace.path("pipe"), 0o600) == 0 else { throw Failure("no pipe") }
    let validating = try ChildProcess(
      Server.program, ["validate", "pipe"], folder: workspace.root)
    // Waits for the reader, then keeps it waiting.
    let writer = try ChildProcess(
      "/bin/sh",
      ["-c", "{ printf '%s' \"$0\"; printf '%s' \"$1\"; } > pipe"]
        + [String(Self.good.prefix(20)), String(Self.good.dropFirst(20))], folder: workspace.root)
    #expect(try writer.waitForExit() == 0)
    #expect(
      try validating.waitForExit() == 0, "\(String(decoding: validating.now.output, as: UTF8.self))"
    )
  }

  @Test func `an endless input is read up to the limit of a file`() throws {
    try workspace.get().aasa("validate", "/dev/zero").says(.something, exit: 1)
    try workspace.get().aasa("validate", "/dev/null").says("/dev/null", exit: 1)
  }

  @Test(arguments: [
    ["match", "nope.json", "https://example.com/"], ["diff", "nope.json", "nope.json"],
  ])
  func `a file that is missing is named in words`(arguments: [String]) throws {
    let finished = try Workspace().aasa(arguments)
    #expect(
      finished.errors
        == "error: cannot read nope.json: No such file or directory; check the spelling\n")
    #expect(finished.exitCode != 0)
  }
}
