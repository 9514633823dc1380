import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// SIGHUP has server.json read again.
@Suite("reload: server.json", .manyAtOnce) struct ConfigurationReloadTests {
  private static func workspace(_ settings: String) throws -> Workspace {
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "b.example": association("B"),
    ])
    try workspace.write("server.json", settings)
    return workspace
  }

  /// Writes server.json, sends SIGHUP, and waits for the line about the changed settings.
  private static func reload(_ server: Server, _ settings: String, says line: String) throws {
    try server.workspace.write("server.json", settings)
    server.process.signal(SIGHUP)
    let isSaid = eventually { server.outputLines.contains(line) }
    #expect(isSaid, "not \(line), but: \(server.outputLines)")
  }

  @Test func `the answers follow server.json`() throws {
    let workspace = try Self.workspace(#"{"cacheControl": "max-age=1"}"#)
    try workspace.write("domains/a.example.json", association("A") + "  ")
    try withServer(workspace) { server in
      try #expect(server.get(host: "a.example")["Cache-Control"] == "max-age=1")
      try #expect(server.served("www.example") == "404")
      try Self.reload(
        server,
        #"{"cacheControl": "max-age=2", "minify": "whitespace", "aliases": {"www.example": "b.example"}}"#,
        says: "server.json: aliases, cacheControl and minify changed")
      #expect(try eventually { try server.served("www.example") == association("B") })
      try #expect(server.get(host: "a.example")["Cache-Control"] == "max-age=2")
      try #expect(server.get(host: "a.example").text == association("A"))
      // Settings that are removed from the file get their defaults again.
      try Self.reload(
        server, "{}", says: "server.json: aliases, cacheControl and minify changed")
      #expect(try eventually { try server.served("www.example") == "404" })
      try #expect(server.get(host: "a.example")["Cache-Control"] == "public, max-age=3600")
    }
  }

  @Test func `limits and times follow server.json, on open connections too`() throws {
    let workspace = try Self.workspace(#"{"idleTimeout": "1h"}"#)
    try withServer(workspace) { server in
      let path = "/" + String(repeating: "a", count: 400)
      try #expect(server.get(path, host: "a.example").status == 404)
      let used = try RawClient(port: server.http)
      try used.send(request(host: "a.example"))
      try #expect(used.receive().status == 200)
      let unused = try RawClient(port: server.http)
      let half = try RawClient(port: server.http)
      try half.send("GET " + path)
      try Self.reload(
        server, #"{"idleTimeout": "100ms", "targetBytes": 256}"#,
        says: "server.json: targetBytes and idleTimeout changed")
      try #expect(used.receiveAll().end == .closed)
      try #expect(unused.receiveAll().end == .closed)
      try half.send("a HTTP/1.1\r\nHost: a.example\r\n\r\n")
      try #expect(half.receive().status == 414)
      #expect(try eventually { try server.get(path, host: "a.example").status == 414 })
    }
  }

  @Test func `trusted proxies follow server.json`() throws {
    let workspace = try Self.workspace("{}")
    let fields = ["X-Forwarded-Host: b.example"]
    try withServer(workspace) { server in
      try #expect(server.get(host: "proxy.example", fields).status == 404)
      try Self.reload(
        server, #"{"trustedProxies": ["127.0.0.0/8"]}"#,
        says: "server.json: trustedProxies changed")
      #expect(
        try eventually { try server.get(host: "proxy.example", fields).text == association("B") })
    }
  }

  @Test func `the log's level follows server.json`() throws {
    let workspace = try Self.workspace("{}")
    try withServer(workspace, https: true) { server in
      server.expect(stderr: "no certificate")
      func failHandshake() throws {
        let client = try RawClient(port: server.https)
        try client.send("\u{16}\u{3}\u{1}no handshake")
        _ = try client.receiveAll()
      }
      try failHandshake()
      try Self.reload(
        server, #"{"logLevel": "debug"}"#, says: "server.json: logLevel changed")
      try failHandshake()
      server.expect(stderr: "debug", "a TLS handshake failed")
      // The first one may be logged late.
      server.allow(stderr: "debug", "a TLS handshake failed")
    }
  }

  @Test func `the time from SIGTERM to the end follows server.json`() throws {
    let workspace = try Self.workspace(#"{"drainDelay": "1h", "gracePeriod": "1h"}"#)
    // Ends with SIGTERM, and waits for it.
    try withServer(workspace) { server in
      let client = try RawClient(port: server.http)
      try client.send("GET / HTTP/1.1\r\n")
      try Self.reload(
        server, #"{"gracePeriod": 0}"#, says: "server.json: gracePeriod and drainDelay changed")
    }
  }

  @Test func `warnings of certificates follow server.json`() throws {
    let workspace = try Self.workspace("{}")
    let authority = try TestAuthority()
    try workspace.install(authority.issue("a.example", validity: -100...20), as: "a")
    try withServer(workspace, https: true) { server in
      server.expect(stderr: "b.example")
      server.allow(stderr: "[T010]")
      try Self.reload(
        server, #"{"certificateWarningDays": 30}"#,
        says: "server.json: certificateWarningDays changed")
      server.expect(stderr: "certificates/a", "expires")
    }
  }

  @Test(arguments: [
    // The fault, and a part of its line.
    (#"{"cacheControl": "max-age=2", "headTimeout": "soon"}"#, [":1:46: error", "[C009]"]),
    (#"{"cacheControl": "max-age=2""#, ["error", "[J"]),
    (#"{"cacheControl": "max-age=2", "targetBytes": "32KiB"}"#, ["error", "[C019]"]),
    (nil, ["server.json: error: cannot read the configuration", "[C006]"]),
  ]) func `a faulty server.json changes nothing`(_ settings: String?, _ words: [String]) throws {
    let workspace = try Self.workspace(#"{"cacheControl": "max-age=1"}"#)
    try withServer(workspace, withAdmin) { server in
      try #expect(server.status()["settingsFault"] == nil)
      if let settings {
        try workspace.write("server.json", settings)
      } else {
        try FileManager.default.removeItem(atPath: workspace.path("server.json"))
      }
      // Files are read again nevertheless.
      try workspace.write("domains/a.example.json", association("C"))
      server.process.signal(SIGHUP)
      server.allow(stderr: words[0], words[1])
      let line = eventually {
        server.errorLines.first { line in words.allSatisfy { line.contains($0) } }
      }
      #expect(line != nil, "\(server.errorLines)")
      #expect(try eventually { try server.served("a.example") == association("C") })
      try #expect(server.get(host: "a.example")["Cache-Control"] == "max-age=1")
      let status = try server.aasa("status")
      #expect(status.exitCode == 1 && status.text.contains("the next start would fail: "))
      try Self.reload(
        server, #"{"cacheControl": "max-age=3"}"#, says: "server.json: cacheControl changed")
      #expect(
        try eventually { try server.get(host: "a.example")["Cache-Control"] == "max-age=3" })
      try #expect(server.status()["settingsFault"] == nil)
    }
  }

  @Test func `a faulty server.json is in the status before anybody has it read again`() throws {
    let workspace = try Self.workspace("{}")
    try withServer(workspace, withAdmin) { server in
      try workspace.write("server.json", #"{"cacheControl": "max-age=2""#)
      var status = try server.aasa("status")
      #expect(status.exitCode == 1 && status.text.contains("the next start would fail: "))
      try workspace.write("server.json", "{}")
      status = try server.aasa("status")
      #expect(status.exitCode == 0 && !status.text.contains("the next start"))
    }
  }

  @Test func `a setting that needs a restart is named once, and keeps its value`() throws {
    let workspace = try Self.workspace(#"{"http": "127.0.0.1:0", "https": "none"}"#)
    let arguments = ["serve", "--config", workspace.path("server.json"), "--threads", "2"]
    try withServer(workspace, arguments: arguments, addresses: 1) { server in
      let settings = """
        {
          "https": "none",
          "http": "127.0.0.1:1",
          "threads": 3,
          "watch": "poll"
        }
        """
      try workspace.write("server.json", settings)
      server.process.signal(SIGHUP)
      server.expect(
        stderr: "server.json:3:3: warning: `http` changed in server.json, and the new value needs "
          + "a restart",
        "until the restart, its value is 127.0.0.1:0")
      server.expect(stderr: "server.json:5:3: warning: `watch` changed in server.json")
      // The flag for the threads is stronger than the file. Nothing is said twice.
      try Self.reload(
        server, settings.replacing("\n}", with: ",\n\"retryAfter\": 1\n}"),
        says: "server.json: retryAfter changed")
      try #expect(server.get(host: "a.example").status == 200)
      #expect(server.outputLines.filter { $0.contains("changed") }.count == 1)
    }
  }

  @Test func `flags and variables stay stronger, and nothing is said when nothing changes`() throws
  {
    let workspace = try Self.workspace("{}")
    let variables = ["AASA_MINIFY": "off"]
    try withServer(
      workspace, ["--cache-control", "max-age=1"], environment: variables
    ) { server in
      try workspace.write(
        "server.json", #"{"cacheControl": "max-age=2", "minify": "whitespace"}"#)
      try workspace.write("domains/a.example.json", association("C"))
      server.process.signal(SIGHUP)
      #expect(try eventually { try server.served("a.example") == association("C") })
      try #expect(server.get(host: "a.example")["Cache-Control"] == "max-age=1")
      try Self.reload(
        server, #"{"retryAfter": 1}"#, says: "server.json: retryAfter changed")
      #expect(server.outputLines.filter { $0.contains("changed") }.count == 1)
    }
  }
}
