import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The server is started again, or its state folder goes while it works.
@Suite("issuance: restarts, and a folder that goes", .manyAtOnce, .needsPebble, .needsNameServer)
struct IssuanceRestartTests {
  private func served(_ hosts: [String], _ issuance: Issuance) throws {
    try issuance.serve { server in
      #expect(
        eventually { issuance.steps.count { $0.hasSuffix(" served") } == hosts.count },
        "\(issuance.steps) \(server.errorLines)")
    }
  }

  @Test func `a restart asks the CA nothing`() throws {
    let hosts = (1...5).map { "h\($0).example.com" }
    let issuance = try Issuance(hosts)
    try served(hosts, issuance)
    let before = issuance.pebble.requests()
    for _ in 1...2 {
      try issuance.serve(withAdmin) { server in
        try #expect(
          server.becomes {
            try server.sample(#"aasa_acme_certificates{state="issued"}"#) == Double(hosts.count)
          })
        for host in hosts { #expect(server.isTrusted(host, roots: issuance.pebble.roots)) }
      }
      #expect(issuance.pebble.requests() == before, "\(issuance.pebble.lines.suffix(9))")
    }
    #expect(before > 0 && issuance.pebble.issued == hosts.count)
  }

  @Test func `a host that comes after the folder was removed gets its certificate`() throws {
    var issuance = try Issuance(["a.example.com"])
    issuance.world.set("b.example.com", to: "1.0.0.1")
    try issuance.serve { server in
      #expect(eventually { issuance.steps.contains("a.example.com served") }, "\(issuance.steps)")
      try issuance.workspace.removeAtOnce("state")
      server.expectWrittenAgain()
      try issuance.workspace.write("domains/b.example.com.json", association("B"))
      for host in ["b.example.com", "a.example.com"] {
        issuance.expectTrusted(host, by: server)
      }
    }
    #expect(issuance.workspace.exists("state/certificates/b.example.com.pem"))
    #expect(issuance.pebble.issued == 2)
  }

  @Test func `an empty folder in its place withdraws nothing, and what is served is written again`()
    throws
  {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      try issuance.workspace.removeAtOnce("state")
      try issuance.workspace.makeFolder("state")
      var refused = 0
      #expect(
        eventually {
          refused += server.isTrusted("example.com", roots: issuance.pebble.roots) ? 0 : 1
          return issuance.workspace.exists("state/certificates/example.com.pem")
        })
      server.expectWrittenAgain()
      // For longer than a file must be gone before it is withdrawn.
      let isRefused = eventually(within: .seconds(8)) {
        !server.isTrusted("example.com", roots: issuance.pebble.roots)
      }
      #expect(!isRefused && refused == 0)
    }
    #expect(issuance.pebble.issued == 1)
  }
}
