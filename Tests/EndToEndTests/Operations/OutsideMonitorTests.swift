import Foundation
import ScriptedServer
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// The checks of a server's own domains from outside, with `check` on: by their public names, which
/// a proxy redirects to this machine, and at a replacement for Apple's CDN.
@Suite("watch from outside", .manyAtOnce, .needs(.openssl)) struct OutsideMonitorTests {
  /// The world outside.
  private final class World: Sendable {
    private struct State {
      var port: UInt16 = 0
      var copies: [String: ScriptedServer.Step] = [:]
    }
    private let state: Shared
    let proxy: ScriptedServer
    let cdn: ScriptedServer
    let authority: TestAuthority

    private final class Shared: Sendable {
      let state = Mutex(State())
    }

    init() throws {
      let shared = Shared()
      state = shared
      authority = try TestAuthority()
      proxy = try ScriptedServer { _ in
        // A name leads to the server as soon as that is there.
        let port = eventually { () -> UInt16? in
          let port = shared.state.withLock { $0.port }
          return port == 0 ? nil : port
        }
        return [.text("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(port: port ?? 1)]
      }
      cdn = try ScriptedServer { request in
        let name = String(path(of: request).split(separator: "/").last ?? "")
        return [shared.state.withLock { $0.copies[name] } ?? .answer("404 Not Found", "")]
      }
    }

    func lead(to port: Int) { state.state.withLock { $0.port = UInt16(port) } }

    func publish(_ domain: String, _ step: ScriptedServer.Step) {
      state.state.withLock { $0.copies[domain] = step }
    }

    var flags: [String] {
      withAdmin + ["--check", "on", "--check-interval", "10s", "--check-cdn", cdn.url + "/a/v1"]
    }

    var environment: [String: String] {
      authority.environment.merging(["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]) { $1 }
    }
  }

  private func outside(_ server: Server, _ domain: String) throws -> [String: Any]? {
    try server.status(of: domain)["outside"] as? [String: Any]
  }

  /// Waits until a domain is seen so from outside.
  private func expectOutside(
    _ server: Server, _ domain: String, _ key: String, _ value: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let isSo = try server.becomes { try outside(server, domain)?[key] as? String == value }
    #expect(isSo, "\(domain) \(key)", sourceLocation: location)
  }

  private func copy(_ text: String, age: Int = 0) -> ScriptedServer.Step {
    .answer(fields: ["Age: \(age)", "Cache-Control: max-age=21600"], text)
  }

  @Test func `the live assetlinks.json is compared with the one that is served`() throws {
    let world = try World()
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "a.example.assetlinks": statements("org.swift.shop", nil),
    ])
    let identity = try world.authority.issue("a.example")
    try workspace.install(identity, as: "all")
    world.publish("a.example", copy(association("A")))
    let live = Mutex(statements("org.swift.other", nil))
    let front = try ScriptedServer(identity: identity.pem) {
      request in
      let isOfAndroid = path(of: request).hasSuffix("assetlinks.json")
      return [.answer(isOfAndroid ? live.withLock { $0 } : association("A"))]
    }
    try withServer(
      workspace, https: true, world.flags, environment: world.environment
    ) { server in
      world.lead(to: Int(front.port))
      server.expect(stderr: "a.example is not served as Apple asks", "[F106]")
      server.allow(stderr: "a.example is again served as Apple asks")
      try expectOutside(server, "a.example", "origin", "failing")
      live.withLock { $0 = " " + statements("org.swift.shop", nil) }
      try expectOutside(server, "a.example", "origin", "good")
    }
  }

  @Test(.needsNameServer)
  func `a private address, as networks give to names of their own, is no fault, and is not asked`()
    throws
  {
    let authority = try TestAuthority()
    let identity = try authority.issue("a.example")
    let front = try ScriptedServer(identity: identity.pem) { _ in
      [.answer(association("A"))]
    }
    let cdn = try ScriptedServer { _ in [.answer(association("A"))] }
    var world = try NameServer()
    world.set("a.example", to: "10.1.2.3")
    world.lead("10.1.2.3:443", to: front.port)
    let workspace = try Workspace(serving: ["a.example": association("A")])
    let flags = ["--check", "on", "--check-interval", "10s", "--check-cdn", cdn.url + "/a/v1"]
    try withServer(
      workspace, withAdmin + flags,
      environment: authority.environment.merging(world.environment) { $1 }
    ) { server in
      try expectOutside(server, "a.example", "origin", "unknown")
    }
    #expect(front.requests.isEmpty)
  }

  @Test func `domains are reported by their checks, and checked again`() throws {
    let world = try World()
    let workspace = try Workspace()
    for (name, mark) in [("same", "A"), ("old", "B"), ("none", "C"), ("bare", "D")] {
      try workspace.write("domains/\(name).example.json", association(Character(mark)))
    }
    try workspace.write("domains/*.wild.example.json", association("W"))
    try workspace.write("domains/_default.json", association("E"))
    try workspace.install(
      world.authority.issue(
        "same.example", "old.example", "none.example", "wild.example", "*.wild.example"),
      as: "all")
    // The same by meaning, not by its bytes.
    world.publish("same.example", copy(association("A") + "\n", age: 77))
    world.publish("old.example", copy(association("Z"), age: 7200))
    // No age can be that.
    world.publish("wild.example", copy(association("W"), age: .min))
    world.publish(
      "none.example",
      .answer(
        "404 Not Found", fields: ["Apple-Failure-Reason: SWCERR00301 Timeout"], ""))
    try withServer(
      workspace, https: true, world.flags, environment: world.environment
    ) { server in
      server.allow(stderr: "[H014]")
      world.lead(to: server.https)
      server.expect(stderr: "bare.example is not served as Apple asks", "[H051]")
      server.allow(stderr: "removed: bare.example", "[H036]")

      try expectOutside(server, "same.example", "cdn", "same")
      try #expect(outside(server, "same.example")?["origin"] as? String == "good")
      try #expect(outside(server, "same.example")?["cdnAge"] as? Int == 77)
      try expectOutside(server, "old.example", "cdn", "other")
      try expectOutside(server, "none.example", "cdn", "missing")
      try expectOutside(server, "*.wild.example", "cdn", "same")
      try #expect(outside(server, "*.wild.example")?["cdnAge"] as? Int == nil)
      try expectOutside(server, "bare.example", "origin", "failing")
      try #expect(outside(server, "_default") == nil)

      for (sample, value) in [
        (#"aasa_origin_ok{domain="same.example"}"#, 1.0),
        (#"aasa_cdn_in_sync{domain="same.example"}"#, 1),
        (#"aasa_cdn_age_seconds{domain="same.example"}"#, 77),
        (#"aasa_cdn_in_sync{domain="old.example"}"#, 0),
        (#"aasa_cdn_age_seconds{domain="old.example"}"#, 7200),
        (#"aasa_cdn_in_sync{domain="none.example"}"#, 0),
        (#"aasa_origin_ok{domain="none.example"}"#, 1),
        (#"aasa_origin_ok{domain="bare.example"}"#, 0),
        (#"aasa_cdn_in_sync{domain="*.wild.example"}"#, 1),
        (#"aasa_checked_domains{state="good"}"#, 2),
        (#"aasa_checked_domains{state="cdn-differs"}"#, 2),
        (#"aasa_checked_domains{state="origin-failing"}"#, 1),
      ] {
        try #expect(server.becomes { try server.sample(sample) == value }, "\(sample)")
      }
      let named = try server.aasa("status", "old.example").text
      named.says("Apple's CDN has ANOTHER VERSION (2 h old), checked ")
      #expect(named.contains("[F062]; aasa check shows more"))
      let all = try server.aasa("status")
      #expect(all.exitCode == 1)
      #expect(
        all.text.contains(
          "seen from outside: 2 good, 1 not served as Apple asks, 2 with another version or none"))
      #expect(all.text.contains("old.example: served\n"))
      // The server itself sent the request, which is not counted as Apple's.
      try #expect(
        server.becomes {
          let fetches = try server.status(of: "same.example")["fetches"] as? [String: Any]
          return fetches?["apple-cdn"] == nil && fetches?["validator"] != nil
        })
      #expect(all.text.contains("last fetched by Apple's CDN never"))

      world.publish("old.example", copy(association("B")))
      try expectOutside(server, "old.example", "cdn", "same")
      // A domain that has gone is forgotten.
      try workspace.remove("domains/bare.example.json")
      try server.expectSample(#"aasa_checked_domains{state="origin-failing"}"#, 0)
    }
  }

  @Test func `a domain that leads to another server, with an old file, is not right`() throws {
    let world = try World()
    let workspace = try Workspace(serving: ["moved.example": association("A")])
    let identity = try world.authority.issue("moved.example")
    try workspace.install(identity, as: "moved")
    let elsewhere = try ScriptedServer(identity: identity.pem) {
      _ in [.answer(association("Z"))]
    }
    world.publish("moved.example", copy(association("Z")))
    world.lead(to: Int(elsewhere.port))
    try withServer(
      workspace, https: true, world.flags, environment: world.environment
    ) { server in
      server.expect(stderr: "moved.example is not served as Apple asks", "[F074]")
      server.allow(stderr: "moved.example is again served as Apple asks")
      try expectOutside(server, "moved.example", "origin", "failing")
      try server.expectSample(#"aasa_origin_ok{domain="moved.example"}"#, 0)
      world.lead(to: server.https)
      world.publish("moved.example", copy(association("A")))
      try expectOutside(server, "moved.example", "origin", "good")
    }
  }

  @Test func `a check before a change is not reported for the new version`() throws {
    let world = try World()
    let workspace = try Workspace(serving: ["a.example": association("A")])
    try workspace.install(world.authority.issue("a.example"), as: "a")
    world.publish("a.example", copy(association("A")))
    // A round takes an hour: a changed domain is checked earlier.
    let flags = world.flags + ["--check-interval", "1h"]
    try withServer(
      workspace, https: true, flags, environment: world.environment
    ) { server in
      world.lead(to: server.https)
      try expectOutside(server, "a.example", "cdn", "same")
      let before = try server.status(of: "a.example")["version"] as? String
      try workspace.write("domains/a.example.json", association("B"))
      let isStale = try eventually { () -> Bool? in
        let status = try server.status(of: "a.example")
        let copy = (status["outside"] as? [String: Any])?["cdn"] as? String
        if copy == "same", status["version"] as? String != before { return true }
        return copy == "other" ? false : nil
      }
      #expect(isStale == false)
      try server.expectSample(#"aasa_cdn_in_sync{domain="a.example"}"#, 0)
    }
  }

  @Test func `a domain that is again served as Apple asks is reported`() throws {
    let world = try World()
    let workspace = try Workspace(serving: ["a.example": association()])
    world.publish("a.example", copy(association()))
    try workspace.install(world.authority.issue("other.example"), as: "all")
    try withServer(
      workspace, https: true, world.flags, environment: world.environment
    ) { server in
      world.lead(to: server.https)
      server.expect(stderr: "a.example is not served as Apple asks", "[H051]")
      server.allow(stderr: "[H014]")
      try workspace.install(world.authority.issue("a.example"), as: "all")
      server.expect(stderr: "a.example is again served as Apple asks")
      try expectOutside(server, "a.example", "origin", "good")
    }
  }

  @Test func `without a network it says so once, and asks less often`() throws {
    let world = try World()
    let workspace = try Workspace()
    for name in ["a", "b", "c"] {
      try workspace.write("domains/\(name).example.json", association())
    }
    let closed = try RawClient.freePort()
    let flags =
      withAdmin + [
        "--check", "on", "--check-interval", "10s", "--check-cdn",
        "http://127.0.0.1:\(closed)/a/v1",
      ]
    let environment = world.authority.environment.merging(
      ["HTTPS_PROXY": "http://127.0.0.1:\(closed)"]) { $1 }
    try withServer(workspace, flags, environment: environment) { server in
      try server.expectSample(#"aasa_checked_domains{state="unknown"}"#, 3)
      server.expect(stderr: "the server cannot check its domains from outside", "[H050]")
      try #expect(server.sample(#"aasa_origin_ok{domain="a.example"}"#) == nil)
      let named = try server.aasa("status", "a.example")
      #expect(named.exitCode == 0)
      named.text.says("  outside      could not be checked, ")
    }
  }

  @Test func `a server that does not answer does not delay the end`() throws {
    let world = try World()
    let workspace = try Workspace(serving: ["a.example": association()])
    world.publish("a.example", .stall)
    var asked = ContinuousClock.now
    try withServer(workspace, world.flags, environment: world.environment) { server in
      #expect(eventually { !world.cdn.requests.isEmpty })
      asked = .now
    }
    // The answer would have been waited for until then.
    #expect(asked.duration(to: .now) < .seconds(10))
  }

  /// 3,000 hosts an hour, one after the other.
  @Test(arguments: [(0, nil), (10, 12), (3_000, 3_600)] as [(Int, Int?)])
  func `how long a round over the listed hosts takes follows from their number`(
    hosts: Int, seconds: Int?
  ) throws {
    let world = try World()
    let workspace = try Workspace(serving: ["example.com": association()])
    if hosts > 0 {
      let list = (0..<hosts).map { "h\($0).example\n" }.joined()
      try workspace.write("domains/example.com.hosts", list)
    }
    try withServer(workspace, world.flags, environment: world.environment) { server in
      // Nothing answers there with TLS.
      server.allow(stderr: "example")
      world.lead(to: server.http)
      let checks = try server.status("?limit=0")["outside"] as? [String: Any]
      #expect(checks != nil && checks?["listedRound"] as? Int == seconds)
    }
  }

  @Test func `without the setting nothing is checked`() throws {
    let world = try World()
    let workspace = try Workspace(serving: ["a.example": association()])
    try withServer(workspace, withAdmin, environment: world.environment) { server in
      try #expect(server.status()["outside"] == nil)
      try #expect(!server.askAdmin("/metrics").text.contains("aasa_checked_domains"))
    }
    #expect(world.proxy.requests == [] && world.cdn.requests == [])
  }
}
