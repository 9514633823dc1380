import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The CA says when a certificate is to be renewed.
@Suite("issuance: renewal", .manyAtOnce, .needsNewPebble, .needsNameServer)
struct RenewalWindowTests {
  @Test func `the CA's window is asked for, and the moment of the renewal is in it`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { _ in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
    }
    let text = try issuance.workspace.text("state/certificates/example.com.pem")
    let start = try #require(text.range(of: "-----BEGIN CERTIFICATE-----"))
    let end = try #require(text.range(of: "-----END CERTIFICATE-----"))
    let now = Date()
    let window = (now + 10 * 86_400, now + 11 * 86_400)
    try issuance.pebble.setWindow(
      of: String(text[start.lowerBound..<end.upperBound]) + "\n", from: window.0, to: window.1)
    // A restart asks for nothing before it is due; this certificate was issued two hours ago.
    let path = "state/certificates/example.com.pem"
    let issued = Int(now.timeIntervalSince1970) - 7_200
    try issuance.workspace.write(
      path, text.replacing(/"issued":\d+/, with: "\"issued\":\(issued)"))
    try issuance.serve(["--admin", "127.0.0.1:0"]) { server in
      try #expect(
        eventually {
          let sample = try server.sample("aasa_acme_renewal_due_timestamp_seconds")
          guard let time = sample else { return false }
          return time >= window.0.timeIntervalSince1970 - 1
            && time <= window.1.timeIntervalSince1970
        })
      #expect(issuance.pebble.requests("renewal-info") >= 1)
    }
    #expect(issuance.pebble.issued == 1)
  }

  @Test func `an order names the certificate that it replaces`() throws {
    let issuance = try Issuance(["example.com"])
    try issuance.serve { _ in
      for count in 1...3 {
        #expect(
          eventually { issuance.steps.count { $0 == "example.com served" } == count },
          "\(issuance.steps)")
        // Pebble refuses to replace a certificate twice, so each must name the newest.
        if count < 3 {
          try run(Server.program, ["acme", "renew", "example.com"] + issuance.account)
        }
      }
    }
    #expect(
      issuance.pebble.requests("order-plz") == issuance.steps.count { $0.hasSuffix(" ordering") })
  }

  @Test(arguments: ["default", "absent"])
  func `a profile is asked for where the CA has it, and the status names it`(
    profile: String
  ) throws {
    let issuance = try Issuance(["example.com"])
    let isThere = profile == "default"
    try issuance.serve(["--acme-profile", profile, "--admin", "127.0.0.1:0"]) { server in
      #expect(eventually { issuance.steps.contains("example.com served") }, "\(issuance.steps)")
      if !isThere {
        server.expect(stderr: "[I013]", "\"absent\"", "set acmeProfile to one of default")
      }
      let status = try server.aasa("status", "example.com").text
      #expect(status.contains("/dir, default, renews") == isThere, "\(status)")
      #expect(status.contains("/dir, renews") != isThere, "\(status)")
    }
    let text = try issuance.workspace.text("state/certificates/example.com.pem")
    #expect(text.contains(#""profile":"default""#) == isThere)
  }
}

/// Where the CA says nothing of a window, the certificate's age decides.
@Suite("issuance: short certificates", .manyAtOnce, .needsPebble, .needsNameServer)
struct ShortCertificateTests {
  @Test(.stress) func `certificates of a minute are renewed without a gap`() throws {
    var options = Pebble.Options()
    options.life = 60
    let issuance = try Issuance(["example.com"], options)
    try issuance.serve { server in
      issuance.expectTrusted(by: server)
      let end = ContinuousClock.now + .seconds(100)
      var (handshakes, gaps) = (0, 0)
      while ContinuousClock.now < end {
        handshakes += 1
        if !server.isTrusted("example.com", roots: issuance.pebble.roots) { gaps += 1 }
      }
      #expect(gaps == 0 && handshakes > 100, "\(gaps) of \(handshakes)")
    }
    #expect((2...6).contains(issuance.pebble.issued), "\(issuance.pebble.issued)")
  }
}
