import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Files of the state folder are lost, damaged, or from an old backup.
@Suite("issuance: damaged state", .manyAtOnce, .needsPebble, .needsNameServer)
struct StateDamageTests {
  private func served() throws -> Issuance {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    return issuance
  }

  @Test(arguments: ["", "garbage"])
  func `a broken file of the account's key is named, with what to do`(text: String) throws {
    let issuance = try served()
    try issuance.workspace.write("state/acme/account.pem", text)
    try issuance.serve { server in
      server.expect(
        stderr: "account.pem", "no private key", "restore the file from a backup", "[I007]")
      #expect(server.isTrusted("example.com", roots: issuance.pebble.roots))
    }
    try run(Server.program, ["acme", "account"] + issuance.account)
      .says(exit: 1, errors: "no private key that can be read")
  }

  @Test(arguments: [true, false])
  func `the account's key is lost or an old one, and another account is made`(isLost: Bool) throws {
    let issuance = try served()
    let key = issuance.workspace.path("state/acme/account.pem")
    if isLost {
      try FileManager.default.removeItem(atPath: key)
    } else {
      let old = try String(contentsOfFile: key, encoding: .utf8)
      try run(Server.program, ["acme", "rollover"] + issuance.account)
      try issuance.serve { server in
        #expect(eventually { server.outputLines.contains { $0.contains("has a new key") } })
      }
      try old.write(toFile: key, atomically: true, encoding: .utf8)
    }
    try run(Server.program, ["acme", "renew", "example.com"] + issuance.account)
    try issuance.serve { server in
      server.expect(stderr: "[I011]")
      #expect(
        eventually { issuance.steps.count { $0 == "example.com served" } == 2 },
        "\(issuance.steps) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 2)
  }

  @Test(arguments: [0, 300, 1_200])
  func `the file of a certificate is damaged, which is reported with what to do`(
    bytes: Int
  ) throws {
    let issuance = try served()
    let path = issuance.file("example.com")
    func damage() throws {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.prefix(bytes).write(toFile: path, atomically: true, encoding: .utf8)
    }
    // Once more at once, so that a lost file is no outage.
    try damage()
    try issuance.serve { server in
      server.allow(stderr: "[T0")
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 2)
    try damage()
    try issuance.serve(["--admin", "127.0.0.1:0"]) { server in
      server.expect(
        stderr: "[I006]", "is missing or damaged", "run aasa acme renew example.com")
      server.allow(stderr: "[T0")
      try #expect(
        server.becomes {
          try server.aasa("status", "example.com").text.contains("is missing or damaged")
        })
      #expect(issuance.pebble.issued == 2)
      try run(Server.program, ["acme", "renew", "example.com"] + issuance.account)
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 3)
  }

  @Test(arguments: ["state/certificates/example.com.pem", "state"])
  func `what is removed while it is served is written again, and no other is ordered`(
    path: String
  ) throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      try issuance.workspace.removeAtOnce(path)
      server.expectWrittenAgain()
      #expect(eventually { issuance.workspace.exists("state/certificates/example.com.pem") })
      #expect(server.isTrusted("example.com", roots: issuance.pebble.roots))
    }
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `a request that cannot be removed is not fulfilled again and again`() throws {
    let issuance = try served()
    try FileManager.default.createDirectory(
      atPath: issuance.workspace.path("state/acme/renew/example.com"),
      withIntermediateDirectories: true)
    try issuance.workspace.write("domains/b.example.com.json", association("A"))
    var again = issuance
    again.world.set("b.example.com", to: "1.0.0.1")
    try again.serve { server in
      server.expect(stderr: "[I007]", "renew/example.com")
      #expect(eventually { again.steps.contains("b.example.com served") }, "\(again.steps)")
    }
    #expect(again.pebble.issued == 2)
  }

  @Test func `asking for what nobody would do is refused, or the server says so`() throws {
    let issuance = try served()
    for command in [["renew", "example.com"], ["rollover"]] {
      try run(
        Server.program,
        ["acme"] + command + ["--acme-state", issuance.workspace.path("elsewhere")]
      ).says(exit: 1, errors: "--acme-state")
    }
    #expect(!issuance.workspace.exists("elsewhere"))
    let names = ["typo.example.com", "*.example.com"]
    try run(Server.program, ["acme", "renew"] + names + issuance.account)
    try issuance.serve { server in
      for name in names {
        let words = "certificate for \(name): not ordered"
        #expect(eventually { server.outputLines.contains { $0.hasPrefix(words) } })
      }
    }
    try run(Server.program, ["acme", "record", "a..example.com"] + issuance.account)
      .says(exit: 2, errors: "a name such as a..example.com")
    #expect(issuance.pebble.issued == 1)
  }
}
