import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Wildcards: a TXT record that somebody sets once shows whose a name is.
@Suite("issuance: dns-persist-01", .manyAtOnce, .needsNewPebble, .needsNameServer)
struct PersistentRecordIssuanceTests {
  private static let flags = ["--acme-challenges", "dns-persist-01"]

  /// Starts the server without the record, which makes the account; returns what `aasa acme record` says.
  private func record(
    _ issuance: Issuance, _ name: String
  ) throws -> (name: String, value: String) {
    try issuance.serve(Self.flags) { server in
      server.expect(stderr: "[I001]", "_validation-persist.example.com", "does not exist")
      server.allow(stderr: "[I001]")
    }
    #expect(issuance.pebble.requests("order-plz") == 0)
    let held = try run(Server.program, ["acme", "status", name] + issuance.account)
    let help = "set the record _validation-persist.example.com. TXT"
    #expect(held.exitCode == 1 && held.text.contains(help), "\(held)")
    let done = try run(Server.program, ["acme", "record", name] + issuance.account)
    let line = try #require(done.text.split(separator: "\n").first, "\(done)")
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    try #require(done.exitCode == 0 && parts.count == 3 && parts[1] == "TXT", "\(done)")
    return (String(parts[0].dropLast()), String(parts[2].dropFirst().dropLast()))
  }

  @Test func `a wildcard and its domain get certificates by one record that is set once`() throws {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    let (name, value) = try record(issuance, "*.example.com")
    #expect(name == "_validation-persist.example.com")
    #expect(
      value.hasPrefix("pebble.letsencrypt.org; accounturi=https://127.0.0.1:")
        && value.hasSuffix("; policy=wildcard"))
    issuance.world.setText(of: name, to: value)
    try issuance.pebble.setText(of: name, to: value)
    try issuance.serve(Self.flags) { server in
      for host in ["a.example.com", "b.example.com", "example.com"] {
        issuance.expectTrusted(host, by: server)
      }
      #expect(eventually { issuance.steps.contains("*.example.com served") }, "\(issuance.steps)")
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let known = try run(
        Server.program, ["acme", "try", "*.example.com"] + Self.flags + issuance.account,
        environment: issuance.world.environment)
      #expect(known.exitCode == 0 && known.text.hasPrefix("*.example.com: ready for"), "\(known)")
      // A person may ask for another one.
      try run(Server.program, ["acme", "renew", "*.example.com"] + issuance.account)
      #expect(
        eventually { issuance.steps.count { $0 == "*.example.com served" } == 2 },
        "\(issuance.steps)")
    }
    let status = try run(Server.program, ["acme", "status"] + issuance.account)
    #expect(status.exitCode == 0 && status.text.contains("*.example.com  until "), "\(status)")
    try #expect(
      issuance.workspace.names(in: "state/certificates").sorted() == [
        "_wildcard.example.com.pem", "example.com.pem",
      ])
    // Nothing is asked for again.
    try issuance.serve(Self.flags) { server in
      issuance.expectTrusted("c.example.com", by: server)
    }
    #expect(issuance.pebble.issued == 3)
  }

  @Test(.stress) func `a record that is set later is found by itself`() throws {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    let own = try makeCertificate(names: ["own.example"])
    try issuance.workspace.install(own, as: "own.example")
    let file = issuance.workspace.path("txt")
    issuance.world.setText(of: "_validation-persist.example.com", to: "@" + file)
    try issuance.serve(Self.flags) { server in
      server.expect(stderr: "[I001]", "*.example.com", "does not exist")
      server.allow(stderr: "[I001]")
      server.allow(stderr: "[H014]")
      server.allow(stderr: "[T012]")
      let done = try run(Server.program, ["acme", "record", "*.example.com"] + issuance.account)
      let value = try #require(done.text.split(separator: "\"").dropFirst().first, "\(done)")
      try issuance.pebble.setText(of: "_validation-persist.example.com", to: String(value))
      try issuance.workspace.write("txt", String(value))
      // Clients do not make that sooner than after a minute.
      #expect(
        eventually(within: .seconds(90)) {
          server.isTrusted("a.example.com", roots: issuance.pebble.roots)
        },
        "\(issuance.steps)")
    }
  }

  @Test func `a record that ends before the renewal is reported ahead`() throws {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    let (name, value) = try record(issuance, "*.example.com")
    let file = issuance.workspace.path("txt")
    issuance.world.setText(of: name, to: "@" + file)
    let end = Int(Date().timeIntervalSince1970) + 10 * 86_400
    let short = "\(value); persistUntil=\(end)"
    try issuance.pebble.setText(of: name, to: short)
    try issuance.workspace.write("txt", short)
    try issuance.serve(Self.flags + ["--admin", "127.0.0.1:0"]) { server in
      server.expect(stderr: "[I016]", "*.example.com cannot be renewed on", "is valid only until")
      // It is as good as any other until then. The domain itself may get its certificate later.
      try #expect(
        server.becomes {
          try server.aasa("status", "*.example.com").text.contains("is valid only until")
            && server.sample(#"aasa_acme_certificates{state="issued"}"#) == 2
        }, "\(issuance.steps)")
    }
    try issuance.workspace.write("txt", value)
    try issuance.serve(Self.flags) { server in
      issuance.expectTrusted("a.example.com", by: server)
    }
  }

  @Test func `a record for one name alone gives no wildcard`() throws {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    let (name, value) = try record(issuance, "*.example.com")
    let narrow = value.replacing("; policy=wildcard", with: "")
    issuance.world.setText(of: name, to: narrow)
    try issuance.pebble.setText(of: name, to: narrow)
    try issuance.serve(Self.flags) { server in
      server.allow(stderr: "[H014]")
      server.expect(stderr: "[I001]", "*.example.com", "lacks policy=wildcard")
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    #expect(issuance.pebble.issued == 1 && issuance.pebble.requests("order-plz") == 1)
  }

  @Test func `killed at a step, the order of a wildcard goes on`() throws {
    var issuance = try Issuance([])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    let (name, value) = try record(issuance, "*.example.com")
    issuance.world.setText(of: name, to: value)
    try issuance.pebble.setText(of: name, to: value)
    for step in ["ordered", "finalising", "installing"] {
      let process = try issuance.start(more: Self.flags)
      _ = eventually(within: .seconds(20)) { issuance.steps.contains("*.example.com \(step)") }
      process.signal(SIGKILL)
      _ = try process.waitForExit()
    }
    try issuance.serve(Self.flags) { server in
      issuance.expectTrusted("a.example.com", by: server)
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 2, "\(issuance.steps)")
  }
}

@Suite("issuance: wildcards", .manyAtOnce, .needsPebble, .needsNameServer)
struct WildcardIssuanceTests {
  @Test func `without dns-persist-01 a wildcard gets no certificate, and nobody is asked for one`()
    throws
  {
    let issuance = try Issuance(["www.example.com"])
    try issuance.workspace.write("domains/_wildcard.example.com.json", association("A"))
    try issuance.serve { server in
      server.expect(stderr: "no certificate covers *.example.com", "[H014]")
      #expect(eventually { issuance.steps.contains("www.example.com served") }, "\(issuance.steps)")
    }
    #expect(issuance.pebble.issued == 1)
    try #expect(issuance.workspace.names(in: "state/certificates") == ["www.example.com.pem"])
  }
}
