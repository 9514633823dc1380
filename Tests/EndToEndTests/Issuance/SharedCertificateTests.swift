import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Several names in one certificate.
@Suite("issuance: several names", .manyAtOnce, .needsPebble, .needsNameServer)
struct SharedCertificateTests {
  private static let hosts = (1...5).map { "h\($0).example.com" }

  private func text(_ issuance: Issuance, _ host: String) throws -> String {
    try issuance.workspace.text("state/certificates/\(host).pem")
  }

  @Test func `names that lead here share certificates, and each has its file`() throws {
    let issuance = try Issuance(Self.hosts)
    try issuance.workspace.write("domains/absent.example.com.json", association("A"))
    try issuance.serve(["--acme-names", "3"]) { server in
      server.expect(stderr: "[I001]", "absent.example.com has no address")
      for host in Self.hosts {
        #expect(
          eventually { server.isTrusted(host, roots: issuance.pebble.roots) },
          "\(host) \(issuance.steps) \(server.errorLines)")
      }
      #expect(eventually { issuance.steps.count { $0.hasSuffix(" served") } == 5 })
    }
    #expect(issuance.pebble.issued == 2)
    #expect(issuance.pebble.requests("order-plz") == 2)
    try #expect(Set(Self.hosts.map { try text(issuance, $0) }).count == 2)
    #expect(!issuance.workspace.exists("state/certificates/absent.example.com.pem"))
    try #expect(issuance.workspace.names(in: "state/acme").contains("journal"))
  }

  @Test(arguments: [
    "a.blocked.example", "z.blocked.example", "a.example.com", "z.example.com",
  ])
  func `a name that the CA refuses is dropped, and the others get theirs`(
    bad: String
  ) throws {
    let issuance = try Issuance(Self.hosts + [bad])
    // Pebble itself refuses the names below blocked.example.
    if !bad.contains("blocked") { try issuance.pebble.mislead(bad) }
    try issuance.serve(["--acme-names", "10"]) { server in
      server.expect(stderr: "[I003]", "no certificate for \(bad)")
      for host in Self.hosts {
        #expect(
          eventually { server.isTrusted(host, roots: issuance.pebble.roots) },
          "\(host) \(issuance.steps) \(server.errorLines)")
      }
      #expect(eventually { issuance.steps.count { $0.hasSuffix(" served") } == 5 })
    }
    #expect(issuance.pebble.issued == 1)
    #expect(issuance.pebble.requests("order-plz") <= 3)
    #expect(!issuance.steps.contains("\(bad) served"))
  }

  @Test func `killed in the middle, all names get theirs from the same order`() throws {
    let issuance = try Issuance(Self.hosts)
    for step in ["ordered", "finalising", "installing"] {
      let process = try issuance.start(more: ["--acme-names", "10"])
      _ = eventually(within: .seconds(20)) {
        issuance.steps.contains { $0.hasSuffix(" " + step) }
      }
      process.signal(SIGKILL)
      _ = try process.waitForExit()
    }
    try issuance.serve(["--acme-names", "10"]) { server in
      for host in Self.hosts {
        #expect(
          eventually { server.isTrusted(host, roots: issuance.pebble.roots) },
          "\(host) \(issuance.steps) \(server.errorLines)")
      }
    }
    #expect(issuance.pebble.issued == 1, "\(issuance.steps)")
  }
}
