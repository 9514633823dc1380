import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A folder whose files do not return when they are opened: threads that read files wait, threads
/// that serve do not.
@Suite("trust: a mount that hangs", .stress, .needsInterposer) struct HungMountTests {
  /// Serves a folder that hangs after a file in it was changed, and the server has begun to scan.
  private func withHungFolder(
    _ flags: [String] = [], _ body: (Server, Interposer) throws -> Void
  ) throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    let interposer = try Interposer(in: workspace)
    try withServer(workspace, flags, environment: interposer.environment) { server in
      try #expect(server.served("example.com") == association("A"))
      try interposer.hang(workspace.domains)
      try workspace.write("domains/example.com.json", association("B"))
      server.process.signal(SIGHUP)
      #expect(eventually(within: .seconds(30)) { interposer.somebodyWaits })
      try body(server, interposer)
    }
  }

  @Test func `the served version is still served, and the change once the files are back`() throws {
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

  @Test func `a share on which each call takes 100 ms loses no host`() throws {
    let old = (1...30).map { "old\($0).example" }
    let new = (1...25).map { "new\($0).example" }
    let files = old.map { ($0, association("A")) }
    let workspace = try Workspace(serving: Dictionary(uniqueKeysWithValues: files))
    let interposer = try Interposer(in: workspace)
    try interposer.slowDown(workspace.domains)
    try withServer(workspace, environment: interposer.environment) { server in
      for host in old {
        try #expect(server.served(host) != "404", "\(host)")
        let isServed = try eventually { try server.served(host) == association("A") }
        #expect(isServed, "\(host)")
      }
      for host in new { try workspace.write("domains/\(host).json", association("A")) }
      for host in new {
        let isServed = try eventually(within: .seconds(120)) {
          try server.served(host) == association("A")
        }
        #expect(isServed, "\(host)")
      }
    }
  }

  @Test func `a server that is stopped while it reads its settings ends properly`() throws {
    let workspace = try Workspace()
    try workspace.write("server.json", #"{"http": "127.0.0.1:0", "https": "none"}"#)
    try workspace.makeFolder("domains")
    let interposer = try Interposer(in: workspace)
    try interposer.hang(workspace.path("server.json"))
    let process = try ChildProcess(
      Server.program, ["serve", "--config", workspace.path("server.json")],
      environment: interposer.environment)
    defer { process.signal(SIGKILL) }
    #expect(eventually { interposer.somebodyWaits })
    process.signal(SIGTERM)
    try interposer.goOn()
    try #expect(process.waitForExit() == 0)
  }

  @Test
  func `a server.json that hangs keeps the server neither from serving nor from ending`() throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    let interposer = try Interposer(in: workspace)
    try withServer(workspace, environment: interposer.environment) { server in
      try interposer.hang(workspace.path("server.json"))
      server.process.signal(SIGHUP)
      #expect(eventually { interposer.somebodyWaits })
      server.process.signal(SIGHUP)
      try #expect(server.served("example.com") == association("A"))
    }
  }
}
