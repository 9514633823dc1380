import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Killed at any moment, nothing is lost or half-written.
@Suite("trust: kill -9", .stress) struct KillTests {
  @Test func `a file that is being replaced is the old one or the new one`() throws {
    let workspace = try Workspace()
    let old = association(ofBytes: 60_000)
    let new = association("B") + String(repeating: " ", count: 60_000)
    try workspace.write("new.json", new)
    let minified = association("B")
    for round in 0..<60 {
      try workspace.write("out.json", old)
      let child = try ChildProcess(
        Server.program,
        [
          "convert", workspace.path("new.json"), "--minify", "-o", workspace.path("out.json"),
          "--force",
        ])
      // From the start of the process to after its end.
      poll(nil, 0, Int32(round % 30))
      child.signal(SIGKILL)
      _ = try child.waitForExit()
      let found = try String(contentsOfFile: workspace.path("out.json"), encoding: .utf8)
      let isWhole =
        found == old || found.trimmingCharacters(in: .whitespacesAndNewlines) == minified
      #expect(isWhole, "round \(round): \(found.utf8.count) bytes")
    }
  }

  @Test func `a server that was killed while it reloaded serves the newest files when it is back`()
    throws
  {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("server.json", "{}")
    for (round, mark) in "BCDEFGHI".enumerated() {
      let child = try ChildProcess(
        Server.program,
        [
          "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
          "--certificates", workspace.certificates, "--http", "127.0.0.1:0", "--https", "none",
        ])
      func output() -> String { String(decoding: child.now.output, as: UTF8.self) }
      #expect(eventually { output().contains("listening") })
      let line = output().split(separator: "\n").first { $0.hasPrefix("listening http:") }
      let port = try #require(line?.split(separator: ":").last.flatMap { Int($0) })
      let expected = round == 0 ? association() : association(Array("BCDEFGHI")[round - 1])
      let client = try RawClient(port: port)
      try client.send(request())
      try #expect(client.receive().text == expected)
      try workspace.write("domains/example.com.json", association(mark))
      child.signal(SIGHUP)
      child.signal(SIGKILL)
      _ = try child.waitForExit()
    }
  }
}
