import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// One certificate for each name.
@Suite("issuance: several names", .manyAtOnce, .needsPebble, .needsNameServer)
struct SharedCertificateTests {
  @Test
  func `each name has a certificate of its own`() throws {
    let hosts = (1...5).map { "h\($0).example.com" }
    let issuance = try Issuance(hosts)
    try issuance.workspace.write("domains/absent.example.com.json", association("A"))
    try issuance.serve { server in
      server.expect(stderr: "[I001]", "absent.example.com has no address")
      for host in hosts {
        issuance.expectTrusted(host, by: server)
      }
    }
    #expect(issuance.pebble.issued == 5)
    #expect(!issuance.workspace.exists("state/certificates/absent.example.com.pem"))
  }

  /// As older versions wrote it.
  @Test func `a certificate of two names is served for both until one of them is renewed`() throws {
    let hosts = ["a.example.com", "b.example.com"]
    let issuance = try Issuance(hosts)
    let root = try makeCertificate(names: [], subject: "older root")
    // It ends before the next one, so that the next one is served.
    let shared = try makeCertificate(names: hosts, validity: -40...40, issuer: root)
    let issued = Int(Date().timeIntervalSince1970) - 40 * 86_400
    let head = """
      # {"version":1,"authority":"\(issuance.pebble.directory)","account":"x","issued":\(issued)}

      """
    for host in hosts {
      try issuance.workspace.write(
        "state/certificates/\(host).pem", head + shared.key + shared.chain, mode: 0o600)
    }
    let roots = issuance.workspace.path("older.pem")
    try issuance.workspace.write("older.pem", root.certificate)
    try issuance.serve(withAdmin) { server in
      server.allow(stderr: "[T0")
      try server.expectSample(#"aasa_acme_certificates{state="issued"}"#, 2)
      for host in hosts { #expect(server.isTrusted(host, roots: roots), "\(host)") }
      #expect(issuance.pebble.requests("order-plz") == 0)
      try run(Server.program, ["acme", "renew", hosts[0]] + issuance.account)
      issuance.expectTrusted(hosts[0], by: server)
      #expect(!server.isTrusted(hosts[0], roots: roots))
      #expect(server.isTrusted(hosts[1], roots: roots))
    }
    #expect(issuance.pebble.issued == 1)
  }
}
