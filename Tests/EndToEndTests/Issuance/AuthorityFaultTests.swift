import Foundation
import TestRunning
import Testing

@testable import EndToEnd

@Suite(
  "issuance: limits of the CA", .manyAtOnce, .needsPebble, .needsNameServer, .needs(.python3))
struct AuthorityLimitTests {
  private let orders = "/order-plz"

  @Test func `a limit for one host holds back that one, and a restart does not forget it`() throws {
    let issuance = try Issuance(["a.example.com", "b.example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(
      #"[{"match": "\#(orders)", "n": 1, "do": "429", "retryAfter": 3600, "detail": "too many failed"#
        + #" authorizations (5) for \"a.example.com\", or \"b.example.com\", in the last 1h0m0s"}]"#
    )
    var refused = ""
    try issuance.serve(directory: proxy.directory) { server in
      server.expect(
        stderr: "[I003]", ".example.com from \(proxy.directory): too many failed authorizations")
      #expect(
        eventually { issuance.steps.contains { $0.hasSuffix(" served") } },
        "\(issuance.steps) \(server.errorLines)")
      refused = issuance.steps.contains("a.example.com served") ? "b" : "a"
      #expect(eventually { issuance.steps.contains("\(refused).example.com failed") })
    }
    let before = try proxy.count(orders)
    #expect(before == 2)
    // Another host is what shows that the server has looked through all.
    var again = issuance
    again.world.set("c.example.com", to: "1.0.0.1")
    try again.workspace.write("domains/c.example.com.json", association("A"))
    try again.serve(directory: proxy.directory) { _ in
      #expect(eventually { again.steps.contains("c.example.com served") }, "\(again.steps)")
    }
    try #expect(proxy.count(orders) == before + 1)
    #expect(issuance.pebble.issued == 2)
    try #expect(
      issuance.workspace.aasa([
        "acme", "status", "\(refused).example.com", "--acme-state", issuance.state, "--acme",
        proxy.directory,
      ]).exitCode == 1)
  }
}

@Suite("issuance: what a CA may want", .manyAtOnce, .needsPebble, .needsNameServer)
struct AuthorityRequestTests {
  @Test(.needs(.python3))
  func `a CA that wants somebody to do something is not asked again`() throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(
      #"[{"match": "/order-plz", "n": 1, "do": "403", "type": "userActionRequired", "detail":"#
        + #" "accept the terms at https://ca.example/terms"}]"#)
    try issuance.serve(["--admin", "127.0.0.1:0"], directory: proxy.directory) { server in
      server.expect(stderr: "[I005]", "accept the terms at https://ca.example/terms")
      try server.expectSample(#"aasa_acme_certificates{state="paused"}"#, 1)
      try #expect(
        server.aasa("status", "example.com").text.contains("https://ca.example/terms"))
      try #expect(proxy.count("/order-plz") == 1)
      // Somebody has done it.
      try run(Server.program, ["acme", "renew", "example.com"] + issuance.account)
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test(.needs(.python3)) func `Retry-After is a metric, by what waits`() throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(
      #"[{"match": "/order-plz", "n": 1, "do": "429", "retryAfter": 3600, "detail":"#
        + #" "too many new orders (300) from this account in the last 3h0m0s"}]"#)
    try issuance.serve(["--admin", "127.0.0.1:0"], directory: proxy.directory) { server in
      server.expect(stderr: "[I003]", "too many new orders")
      let name = "aasa_acme_retry_after_timestamp_seconds"
      let sample = #"\#(name){ca="\#(proxy.directory)",scope="orders"}"#
      let end = try #require(try eventually { try server.sample(sample) })
      #expect(abs(end - Date().timeIntervalSince1970 - 3_600) < 60)
    }
  }

  @Test func `an account that the CA has lost is made again, which is reported`() throws {
    let issuance = try Issuance(["a.example.com", "b.example.com"])
    try issuance.serve { _ in
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == 2 }, "\(issuance.steps)")
    }
    // As if the CA had lost it: there is none with this number.
    let folder = try #require(
      try issuance.workspace.names(in: "state/acme").first { $0.hasPrefix("127.0.0.1") })
    let path = "state/acme/\(folder)/account"
    let text = try issuance.workspace.text(path)
    let lost = text.replacing(/my-account\/[^"]+/, with: "my-account/99999")
    #expect(lost != text)
    try issuance.workspace.write(path, lost)
    let names = ["a.example.com", "b.example.com"]
    try run(Server.program, ["acme", "renew"] + names + issuance.account)
    try issuance.serve { server in
      server.expect(stderr: "[I011]", "my-account/99999")
      // The names are not to blame, so the one that met it waits no longer than the other.
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == 4 }, "\(issuance.steps)")
    }
    try #expect(
      issuance.workspace.text(path).split(separator: "\n").first
        == text.split(separator: "\n").first)
    #expect(issuance.pebble.issued == 4)
  }

  @Test func `of several chains the one that ends at a trusted root is served`() throws {
    var options = Pebble.Options()
    options.alternateRoots = 1
    let issuance = try Issuance(["example.com"], options)
    let ca = issuance.pebble
    // The CA offers the chain of the other root first.
    try ca.workspace.write("roots.pem", ca.workspace.text("ca.pem") + ca.ask("roots/1"))
    try issuance.serve { server in
      #expect(
        eventually { server.isTrusted("example.com", roots: ca.roots) },
        "\(issuance.steps) \(server.errorLines)")
    }
    #expect(ca.issued == 1)
  }

  @Test func `for an IP address no CA is asked`() throws {
    let issuance = try Issuance([])
    try issuance.workspace.write("domains/192.0.2.1.json", association("A"))
    try issuance.serve { server in
      server.expect(stderr: "[I001]", "192.0.2.1 is not a name in the public DNS")
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
  }
}

@Suite("issuance: a CA that is down", .manyAtOnce, .needsPebble, .needsNameServer)
struct SilentAuthorityTests {
  @Test func `a private CA whose root is not known is reported with the setting for it`() throws {
    let issuance = try Issuance(["example.com"])
    let root = try #require(issuance.flags().firstIndex(of: "--acme-ca"))
    var flags = issuance.flags()
    flags.removeSubrange(root...root + 1)
    try withServer(
      issuance.workspace, https: true, flags, environment: issuance.world.environment
    ) { server in
      server.expect(
        stderr: "[I004]", "example.com from \(issuance.pebble.directory): ", "--acme-ca")
      #expect(issuance.pebble.requests("/dir") == 0)
    }
  }

  @Test(.needs(.python3))
  func `an order at a CA that is gone for a day is given up for the next CA`()
    throws
  {
    let issuance = try Issuance(["example.com"])
    let gone = try FaultyAuthority(issuance.pebble)
    // The order does not go on before the kill.
    try gone.set(#"[{"match": "/authZ/", "n": 1000000, "do": "500"}]"#)
    let process = try issuance.start("serve", gone.directory)
    #expect(eventually { issuance.steps.contains("example.com ordered") }, "\(issuance.steps)")
    process.signal(SIGKILL)
    _ = try process.waitForExit()
    // It has failed for a day and an hour.
    let since = Int(Date().timeIntervalSince1970) - 25 * 3_600
    let folder = "state/acme/127.0.0.1_\(gone.port)_dir"
    try issuance.workspace.write(
      folder + "/limits",
      #"{"version":1,"refused":{"example.com":{"count":3,"since":\#(since),"next":\#(since)}}}"#)
    let orders = try issuance.workspace.names(in: folder + "/orders")
    try #require(orders == ["example.com"])
    try gone.set(#"[{"match": "/", "n": 1000000, "do": "drop-before"}]"#)
    try issuance.serve(["--acme", issuance.pebble.directory], directory: gone.directory) { server in
      issuance.expectTrusted(by: server)
    }
    try #expect(issuance.workspace.names(in: folder + "/orders").isEmpty)
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `many hosts do not ask it one after the other`() throws {
    let issuance = try Issuance((1...30).map { "h\($0).example.com" })
    let port = try RawClient.freePort()
    try issuance.serve(directory: "https://127.0.0.1:\(port)/dir") { server in
      server.allow(stderr: "[I004]")
      func failures() -> Int { issuance.steps.count { $0.hasSuffix(" failed") } }
      // Three at once, and one more after some seconds.
      #expect(eventually { failures() > 3 }, "\(issuance.steps)")
      #expect(failures() <= 5)
    }
  }
}
