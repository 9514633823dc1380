import TLS
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Whoever has the keys of session tickets can decrypt the sessions that were resumed with them, so
/// no key lives long.
@Suite struct TicketRotationTests {
  private let folder = TestFolder("domains")

  private func maintenance(
    _ change: (inout HostingOptions) -> Void
  ) throws -> RunningMaintenance {
    folder.write(TestCertificate("a.test", names: ["a.test"]), "certificates/a.test")
    var options = HostingOptions()
    options.domains = folder("domains")
    options.certificates = folder("certificates")
    change(&options)
    return try RunningMaintenance(options)
  }

  @Test func `the keys of tickets are rotated, and the certificates stay`() throws {
    let running = try maintenance { $0.ticketRotation = 20 }
    var keys: [ObjectIdentifier: TicketKeys] = [:]
    let areReplaced = eventually {
      guard let material = running.publisher.current.material else { return false }
      keys[ObjectIdentifier(material.ticketKeys)] = material.ticketKeys
      return keys.count >= 4
    }
    #expect(areReplaced)
    #expect(running.publisher.current.material?.covers("a.test") == true)
  }

  @Test func `without its time having come a change of certificates keeps the keys`() throws {
    let running = try maintenance { _ in }
    let before = try #require(running.publisher.current.material?.ticketKeys)
    folder.write(TestCertificate("b.test", names: ["b.test"]), "certificates/b.test")
    #expect(eventually { running.publisher.current.material?.covers("b.test") == true })
    #expect(running.publisher.current.material?.ticketKeys === before)
  }
}
