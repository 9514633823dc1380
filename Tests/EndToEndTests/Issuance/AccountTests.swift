import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa acme`: what a person does with hosts and with the account.
@Suite("issuance: acme commands", .manyAtOnce, .needsPebble, .needsNameServer)
struct AcmeCommandTests {
  private func acme(_ issuance: Issuance, _ arguments: String...) throws -> Finished {
    try run(
      Server.program, ["acme"] + arguments + issuance.account,
      environment: issuance.world.environment)
  }

  @Test func `a name is tried without asking the CA`() throws {
    var issuance = try Issuance(["example.com"])
    issuance.world.set("elsewhere.example.com", to: "1.0.0.9")
    try acme(issuance, "try", "example.com").says(exit: 1, errors: "start the server")
    try issuance.serve { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let before = issuance.pebble.requests()
      try acme(issuance, "try", "example.com")
        .says(.start("example.com: ready for https://"), exit: 0)
      try acme(issuance, "try", "absent.example.com").says(
        exit: 1, errors: "has no address", "help: set the A and AAAA records of absent.example.com")
      try acme(issuance, "try", "elsewhere.example.com")
        .says(exit: 1, errors: "1.0.0.9 accepts no connection")
      let known = try run(
        Server.program,
        ["onboard", "example.com", "--ca", issuance.pebble.roots, "--json"]
          + issuance.account, environment: issuance.world.environment)
      #expect(known.text.contains(#""leads":"here""#), "\(known)")
      try run(
        Server.program,
        ["onboard", "elsewhere.example.com", "--ca", issuance.pebble.roots]
          + issuance.account, environment: issuance.world.environment
      ).says("elsewhere.example.com does not lead to this server: 1.0.0.9 accepts", exit: 1)
      #expect(issuance.pebble.requests() == before)
    }
    try acme(issuance, "try", "example.com")
      .says(exit: 1, errors: "1.0.0.1 accepts no connection")
  }

  @Test(arguments: [false, true])
  func `a certificate is revoked, and another one comes`(isCompromised: Bool) throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      let old = try issuance.workspace.text("state/certificates/example.com.pem")
      let flags = isCompromised ? ["--key-compromised"] : []
      try run(Server.program, ["acme", "revoke", "example.com"] + flags + issuance.account)
        .says(.start("revoked; "), exit: 0)
      #expect(issuance.pebble.requests("revoke-cert") == 1)
      // So that the server does not keep its key.
      try #expect(issuance.workspace.names(in: "state/acme/revoked").count == 1)
      #expect(
        eventually { issuance.steps.count { $0 == "example.com served" } == 2 },
        "\(issuance.steps)")
      try #expect(issuance.workspace.text("state/certificates/example.com.pem") != old)
    }
    #expect(issuance.pebble.issued == 2)
    // Whoever asks again has what they want.
    for _ in 1...2 { try acme(issuance, "revoke", "example.com").says(exit: 0) }
    #expect(issuance.pebble.requests("revoke-cert") == 3)
  }

  @Test func `the record of an account that is not there yet says so`() throws {
    try Workspace().aasa(
      "acme", "record", "example.com", "--acme", "letsencrypt", "--acme-state", "state"
    ).says(
      .whole("example.com. CAA 0 issue \"letsencrypt.org\"\n"), exit: 0,
      errors: "no account at letsencrypt yet")
  }

  @Test func `a host that waits for an order has a place and a time`() throws {
    let workspace = try Workspace()
    let now = Int(Date().timeIntervalSince1970)
    try workspace.write(
      "state/acme/waiting",
      #"{"version":1,"hosts":{"b.example.com":\#(now),"a.example.com":\#(now + 590)}}"#)
    func status(_ more: [String]) throws -> Finished {
      try workspace.aasa(
        ["acme", "status"] + more
          + ["--acme-state", workspace.path("state"), "--acme", "letsencrypt"])
    }
    try status([]).says(.whole("2 hosts: 2 waiting for their first order\n"), exit: 1)
    try status(["--all"]).says(
      "a.example.com  no certificate\n",
      "\n  waits for an order: place 2 of 2 in the queue, expected in 10 min\n", exit: 1)
    try status(["--json"]).says(
      #"{"host":"a.example.com","good":false,"place":2,"expected":\#(now + 590)}"#, exit: 1)
    let one = try status(["b.example.com"])
    #expect(
      one.text
        == "b.example.com  no certificate\n  waits for an order: place 1 of 2 in the queue\n")
    // A later version may mean something else.
    try workspace.write("state/acme/waiting", #"{"version":2,"hosts":{}}"#)
    try status([]).says(
      exit: 2, errors: "a later version of aasa wrote \(workspace.path("state"))/acme")
  }

  @Test func `a wildcard has a TXT record and no CAA record`() throws {
    let workspace = try Workspace()
    try workspace.write(
      "state/acme/acme_v02.api.letsencrypt.org_directory/account",
      #"{"version":1,"account":"https://ca.example/1","identities":[]}"#)
    func record(_ name: String) throws -> String {
      try workspace.aasa(
        "acme", "record", name, "--acme", "letsencrypt", "--acme-state", workspace.path("state")
      ).text
    }
    let value = "letsencrypt.org; accounturi=https://ca.example/1"
    try #expect(
      record("*.example.com")
        == "_validation-persist.example.com. TXT \"\(value); policy=wildcard\"\n")
    try #expect(record("example.com") == "example.com. CAA 0 issue \"\(value)\"\n")
  }

  @Test func `what was never issued is not revoked`() throws {
    let issuance = try Issuance([])
    try acme(issuance, "revoke", "example.com")
      .says(exit: 1, errors: "no server has obtained certificates in")
    try issuance.workspace.write("state/issuer.lock", "")
    try acme(issuance, "revoke", "example.com").says(exit: 1, errors: "is not revoked")
    #expect(issuance.pebble.requests("revoke-cert") == 0)
  }

  @Test func `a folder that no server uses is wrong usage, and the right one is named`() throws {
    let issuance = try Issuance(["example.com"])
    let other = issuance.workspace.path("other")
    func status(_ hosts: [String], _ admin: String) throws -> Finished {
      try run(
        Server.program, ["acme", "status"] + hosts + ["--acme-state", other, "--admin", admin])
    }
    try issuance.serve(withAdmin) { server in
      for hosts in [[], ["example.com"]] {
        try status(hosts, "127.0.0.1:\(server.admin)").says(
          .nothing, exit: 2,
          errors: "the running server's state folder is \(issuance.state): add --acme-state")
      }
    }
    try status(["example.com"], "none")
      .says(exit: 2, errors: "pass the server's state folder with --acme-state")
  }

  @Test func `the account gets another key, and goes on with it`() throws {
    let issuance = try Issuance(["example.com"])
    func account() throws -> [Substring] {
      try acme(issuance, "account").text.split(separator: "\n")
    }
    var first: [Substring] = []
    try issuance.serve { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      first = try account()
      try acme(issuance, "rollover").says(exit: 0)
      try #expect(eventually { try account().first != first.first })
      // The account is the same one.
      try #expect(account().last == first.last)
      #expect(issuance.pebble.requests("rollover-account-key") == 1)
      #expect(!issuance.workspace.exists("state/acme/account.new.pem"))
      #expect(!issuance.workspace.exists("state/acme/rollover"))
      // Its key is good for another certificate.
      try acme(issuance, "renew", "example.com").says(exit: 0)
      #expect(
        eventually { issuance.steps.count { $0 == "example.com served" } == 2 },
        "\(issuance.steps) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 2)
  }

  @Test(.needs(.python3), arguments: ["drop-before", "drop-after"])
  func `a change of the key that was cut off is taken up again`(fault: String) throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try issuance.serve(directory: proxy.directory) { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      try proxy.set(#"[{"match": "/rollover-account-key", "n": 1, "do": "\#(fault)"}]"#)
      try run(
        Server.program,
        ["acme", "rollover", "--acme", proxy.directory, "--acme-state", issuance.state]
      ).says(exit: 0)
      server.expect(stderr: "[I015]")
      #expect(issuance.workspace.exists("state/acme/account.new.pem"))
    }
    // A restart does it before anything else.
    try issuance.serve(directory: proxy.directory) { server in
      #expect(
        eventually { !issuance.workspace.exists("state/acme/account.new.pem") },
        "\(issuance.steps) \(server.errorLines)")
    }
    let calls = issuance.pebble.requests("rollover-account-key")
    #expect(calls == 1, "what the CA has done is not done twice")
  }
}
