import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A kill at any moment, of the server or of a command, loses nothing that was good.
@Suite("withdrawal: kills", .manyAtOnce) struct KillWithdrawalTests {
  private let six: SixHosts
  private var hosts: [String] { SixHosts.names }
  private var workspace: Workspace { six.workspace }

  init() throws { six = try SixHosts() }

  /// A server with a state folder, which `body` kills in the end.
  private func withKilledServer(_ body: (ChildProcess) throws -> Void) throws {
    try workspace.write("server.json", "{}")
    let server = try ChildProcess(
      Server.program,
      [
        "serve", "--config", workspace.path("server.json"), "--domains", workspace.domains,
        "--certificates", workspace.certificates, "--http", "127.0.0.1:0", "--https", "none",
        "--state", workspace.path("state"),
      ], environment: withdrawing(after: "1s"))
    defer { server.signal(SIGKILL) }
    #expect(eventually { String(decoding: server.now.output, as: UTF8.self).contains("listening") })
    try body(server)
    server.signal(SIGKILL)
    try #expect(server.waitForExit() == 128 + SIGKILL)
  }

  @Test func `versions whose files are broken are served by the start after a kill`() throws {
    try withKilledServer { _ in
      for host in hosts.prefix(3) { try workspace.write("domains/\(host).json", "{") }
      #expect(eventually { six.kept == Array(hosts.prefix(3)) })
    }
    try withServer(workspace, six.flags) { server in
      for host in hosts.prefix(3) {
        server.expect(stderr: "\(host).json", "error", "last good version")
      }
      for host in hosts { try #expect(server.served(host) == association("A")) }
      try workspace.write("domains/h0.example.json", association("B"))
      try server.expectServed("h0.example", association("B"))
      #expect(eventually { six.kept == Array(hosts[1..<3]) })
    }
  }

  @Test func `a confirmed loss is confirmed for the start after a kill too`() throws {
    let environment = withdrawing(after: "1s")
    try withServer(workspace, six.flags, environment: environment) { server in
      #expect(eventually { workspace.exists("state/kept/known") })
      try workspace.shell("rm domains/h[01234].example.json")
      try server.expectWithheld(WithheldReason.mostAbsent)
      #expect(eventually { six.kept.count == 5 })
      server.allow(stderr: "removed")
      try server.confirmLoss()
      // What a kill at this moment leaves behind.
      try workspace.shell("cp -r state killed")
    }
    try workspace.shell("rm -r state; mv killed state")
    try withServer(workspace, six.flags, environment: environment) { server in
      try #expect(server.served("h0.example") == "404" && server.holds() == [])
      try #expect(server.served("h5.example") == association("A"))
    }
  }

  @Test func `a list whose edit is killed is the old one or the new one, and can be edited`() throws
  {
    let old = "# Customers.\n" + (0..<10_000).map { "c\($0).example\n" }.joined()
    try workspace.write("domains/links.json", association("L"))
    let list = "domains/links.hosts"
    func edit(_ verb: String, _ host: String) throws -> ChildProcess {
      try ChildProcess(
        Server.program, ["hosts", verb, host, "--file", workspace.path(list)])
    }
    try workspace.write(list, old)
    let start = ContinuousClock.now
    try #expect(edit("add", "first.example").waitForExit() == 0)
    let whole = (ContinuousClock.now - start) / .milliseconds(1)
    let rounds = rounds(10, stress: 200)
    for round in 0..<rounds {
      try workspace.write(list, old)
      let child = try edit("add", "new.example")
      // From its start to a moment after its end.
      poll(nil, 0, Int32(whole * 1.2 * Double(round) / Double(rounds)))
      child.signal(SIGKILL)
      _ = try child.waitForExit()
      let found = try workspace.text(list)
      #expect(
        found == old || found == old + "new.example\n",
        "round \(round): \(found.utf8.count) of \(old.utf8.count) bytes")
    }
    // What the kills left locks nothing, and is no host. Any machine reads a short list at the start.
    try workspace.write(list, "c0.example\n")
    try #expect(edit("add", "last.example").waitForExit() == 0)
    try #expect(workspace.text(list) == "c0.example\nlast.example\n")
    try withServer(workspace) { server in
      for host in ["c0.example", "last.example"] {
        try #expect(server.served(host) == association("L"))
      }
    }
  }
}
