import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Whatever happens to `server.json` while the server runs, its settings stay until there are better
/// ones, and files are read all the same.
@Suite("reload: a broken server.json", .manyAtOnce) struct BrokenSettingsTests {
  private static let good =
    #"{"cacheControl": "max-age=1", "aliases": {"www.example": "b.example"}}"#
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("domains/a.example.json", association("A"))
    try workspace.write("domains/b.example.json", association("B"))
    try workspace.write("server.json", Self.good)
  }

  private func staysAsItIs(
    _ server: Server, after breaking: () throws -> Void, says words: [String]
  )
    throws
  {
    try server.keepsServing(["b.example", "www.example"], only: [association("B")]) {
      try breaking()
      try workspace.write("domains/a.example.json", association("C"))
      server.process.signal(SIGHUP)
      server.expect(stderr: "server.json", "error", anyOf: words)
      // The status reads it again.
      server.allow(stderr: "server.json", "error")
      try server.expectServed("a.example", association("C"))
      try #expect(server.get(host: "a.example")["Cache-Control"] == "max-age=1")
      let status = try server.aasa("status")
      #expect(status.exitCode == 1 && status.text.contains("the next start would fail: "))
    }
    let path = workspace.path("server.json")
    if (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil {
      try workspace.remove("server.json")
    }
    try workspace.write(
      "server.json", Self.good.replacing("max-age=1", with: "max-age=2"), mode: 0o644)
    server.process.signal(SIGHUP)
    let isTaken = try eventually {
      try server.get(host: "a.example")["Cache-Control"] == "max-age=2"
    }
    #expect(isTaken)
    try server.expectStatus(0)
  }

  /// What is done to the file, and words of which the message has one.
  static let ways = [
    ("rm server.json", ["No such file"]),
    ("rm server.json; mkdir server.json", ["directory", "folder"]),
    ("rm server.json; ln -s nowhere server.json", ["No such file"]),
    (": >server.json", ["empty"]),
    ("head -c 40 server.json >new; mv new server.json", ["[J"]),
    ("head -c 4096 /dev/zero >new; mv new server.json", ["[J"]),
    ("echo '[]' >new; mv new server.json", ["[C"]),
  ]

  @Test(arguments: ways)
  func `the settings of before stay`(script: String, words: [String]) throws {
    try withServer(workspace, withAdmin) { server in
      try staysAsItIs(server, after: { try workspace.shell(script) }, says: words)
    }
  }

  /// Aliases that lead to aliases.
  static let aliases = [
    (#"{"w.example": "www.example", "www.example": "b.example"}"#, "which is an alias itself"),
    (#"{"www.example": "w.example", "w.example": "www.example"}"#, "which is an alias itself"),
    (
      #"{"x.example": "y.example", "y.example": "z.example", "z.example": "x.example"}"#,
      "which is an alias itself"
    ),
    (#"{"www.example": "www.example"}"#, "is an alias of itself"),
  ]

  @Test(arguments: aliases)
  func `aliases in a chain or a circle are refused, and those of before stay`(
    list: String, words: String
  ) throws {
    let settings = #"{"cacheControl": "max-age=9", "aliases": \#(list)}"#
    try withServer(workspace, withAdmin) { server in
      try staysAsItIs(
        server, after: { try workspace.write("server.json", settings) }, says: [words])
    }
    // Nor does a server start with them.
    try workspace.write("server.json", settings)
    let started = try workspace.aasa("config", "--config", "server.json")
    #expect(started.exitCode != 0 && started.errors.contains(words), "\(started)")
  }

  @Test(.needsOrdinaryServer) func `a server.json that cannot be read changes nothing`() throws {
    try withOrdinaryServer(workspace, withAdmin) { server in
      try staysAsItIs(
        server, after: { try workspace.setMode("server.json", 0o000) },
        says: ["Permission denied"])
    }
  }
}
