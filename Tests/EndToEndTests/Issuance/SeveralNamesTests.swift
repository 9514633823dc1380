import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// One certificate for each name.
@Suite("issuance: several names", .manyAtOnce, .needsPebble, .needsNameServer)
struct SeveralNamesTests {
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
}
