import Foundation
import Testing

/// A folder whose files do not come back when they are asked for: who reads files waits, who serves
/// does not.
@Suite("trust: a mount that hangs", .needsInterposer) struct HungMountTests {
  /// Serves a folder that hangs since a file in it was changed, and the server has begun to look.
  private func withHungFolder(
    _ flags: [String] = [], _ body: (Server, Interposer) throws -> Void
  ) throws {
    let workspace = try Workspace()
    try workspace.write("domains/example.com.json", association("A"))
    let interposer = try Interposer(in: workspace)
    try withServer(workspace, flags, environment: interposer.environment) { server in
      try #expect(server.served("example.com") == association("A"))
      try interposer.hang(workspace.domains)
      try workspace.replace("domains/example.com.json", association("B"))
      server.process.signal(SIGHUP)
      #expect(eventually(within: .seconds(30)) { interposer.somebodyWaits })
      try body(server, interposer)
    }
  }

  @Test func `what was served is served on, and what changed once the files are back`() throws {
    try withHungFolder { server, interposer in
      for _ in 0..<100 { try #expect(server.served("example.com") == association("A")) }
      try interposer.goOn()
      let isServed = try eventually {
        try server.served("example.com") == association("B")
      }
      #expect(isServed)
    }
  }

  @Test func `the server stops all the same, and says why it did not wait`() throws {
    try withHungFolder(["--grace-period", "1s"]) { server, _ in
      server.process.signal(SIGTERM)
      try #expect(server.process.waitForExit(within: .seconds(60)) == 0)
      server.expect(stderr: "a file is still being read")
    }
  }
}
