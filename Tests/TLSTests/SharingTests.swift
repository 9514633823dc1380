import TLSTestSupport
import Testing

@testable import TLS

@Suite struct SharingTests {
  @Test func `loops on several threads share one context and material, through reloads`()
    async throws
  {
    let context = try ServerContext()
    let bytes = TestCertificate("leaf", names: ["example.com"])
    let certificate = try load(bytes)
    let rsa = try load(TestCertificate("leaf", names: ["example.com"], key: TestKey(.rsa2048)))
    @Sendable func material(_ keys: TicketKeys) -> TLSMaterial {
      TLSMaterial(certificates: [("a", certificate), ("b", rsa)], ticketKeys: keys, now: now)
    }
    let first = material(TicketKeys())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var session: TestSession?
          var current = first
          var resumed = 0
          for round in 0..<25 {
            if round % 5 == 4 { current = material(current.ticketKeys.rotated()) }
            let (connection, result) = try connect(
              current, context: context,
              client {
                $0.session = session
                $0.isTLS12Only = task % 2 == 0
                $0.signatureAlgorithms = task < 2 ? nil : "RSA-PSS+SHA256"
              })
            #expect(result == .init(server: .done, client: .done))
            if connection.client.wasResumed { resumed += 1 }
            session = connection.client.session
          }
          return resumed
        }
      }
      for try await resumed in group { #expect(resumed == 24) }
    }
  }
}
