import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Names that strangers choose, or that lie in folders: none leads out of the domains folder, and
/// none writes into the log.
@Suite("trust: names", .manyAtOnce) struct HostileNameTests {
  static let hosts = [
    "..", "../secret", "example.com/../../secret", "..%2Fsecret", "%2e%2e", "/", "\\..\\secret",
    "secret.json", ".secret", "_default", "_wildcard.example.com", "*.example.com", "*",
    "example.com\0.json", "e\u{301}xample.com", "\u{FF0E}\u{FF0E}", "example.com%00", "[::1", "::1",
    String(repeating: "a", count: 300), String(repeating: "a.", count: 130),
  ]

  @Test(arguments: hosts) func `a host is a name, never a path`(_ host: String) throws {
    let workspace = try Workspace()
    try workspace.write("secret", #"{"secret":1}"#)
    try workspace.write("secret.json", #"{"secret":1}"#)
    try workspace.write("domains/.secret.json", #"{"secret":1}"#)
    try workspace.write("domains/example.com.json", association())
    try withServer(workspace) { server in
      for path in associationPaths + [
        "/../secret", "/.well-known/../../secret.json", "/%2e%2e/secret",
      ] {
        let client = try RawClient(port: server.http)
        try client.send(request("GET", path, host: host))
        let response = try client.receive()
        #expect([400, 404].contains(response.status))
        #expect(!response.text.contains("secret"))
      }
    }
  }

  @Test func `a name with control bytes cannot write a line of its own into the log`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("domains/evil\nserving 0 domains\u{1B}[31m.json", "not JSON")
    try workspace.write("domains/bad.example.json", "\u{1B}[2J\nforged: error: all is lost")
    try withServer(workspace) { server in
      try #expect(server.get().status == 200)
      server.expect(stderr: "bad.example.json")
      server.expect(stderr: "evil")
      for line in server.errorLines + server.outputLines {
        #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "\(line.debugDescription)")
        #expect(!line.hasPrefix("forged"))
      }
      #expect(server.outputLines.filter { $0.hasPrefix("serving ") }.count == 1)
    }
  }

  @Test
  func `anything but a regular file in the domains folder is refused, without waiting`()
    throws
  {
    let workspace = try Workspace(serving: ["example.com": association()])
    mkfifo(workspace.path("domains/pipe.example.json"), 0o644)
    try workspace.link("domains/endless.example.json", to: "/dev/zero")
    try workspace.link("domains/self.example.json", to: "self.example.json")
    try withServer(workspace) { server in
      for host in ["pipe", "endless", "self"] {
        server.expect(stderr: "\(host).example.json")
        try #expect(server.get(host: "\(host).example").status == 503)
      }
      try #expect(server.get().status == 200)
    }
  }

  @Test func `nowhere to write its words to, it serves`() throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try workspace.write("domains/broken.example.json", "{")
    try workspace.write("server.json", "{}")
    // A port that was free a moment ago, because the actual one is not reported.
    let port = try RawClient.freePort()
    let child = try ChildProcess(
      "/bin/sh",
      [
        "-c", #"exec "$@" >/dev/full 2>/dev/full"#, "sh", Server.program, "serve", "--config",
        workspace.path("server.json"), "--domains", workspace.domains, "--certificates",
        workspace.certificates, "--http", "127.0.0.1:\(port)", "--https", "none",
      ])
    defer { child.signal(SIGKILL) }
    let isServed = eventually {
      guard let client = try? RawClient(port: port) else { return false }
      try? client.send(request())
      return (try? client.receive().status) == 200
    }
    #expect(isServed)
    try workspace.write("domains/example.com.json", association("B"))
    let isReloaded = eventually {
      guard let client = try? RawClient(port: port) else { return false }
      try? client.send(request())
      return (try? client.receive().text) == association("B")
    }
    #expect(isReloaded)
    child.signal(SIGTERM)
    try #expect(child.waitForExit() == 0)
  }
}
