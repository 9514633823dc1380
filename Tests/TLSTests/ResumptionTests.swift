import TLSTestSupport
import Testing

@testable import TLS

@Suite(.serialized) struct ResumptionTests {
  let context: ServerContext
  let certificates: [TestCertificate]

  init() throws {
    context = try ServerContext()
    certificates = [
      TestCertificate("both", names: ["a.test", "b.test"]),
      TestCertificate("default", names: ["c.test"]),
    ]
  }

  /// A connection to `name` that tries to resume `session`.
  private func visit(
    _ material: TLSMaterial, _ name: String?, _ session: TestSession? = nil, isTLS12Only: Bool
  ) throws -> (isResumed: Bool, session: TestSession) {
    let (connection, result) = try connect(
      material, context: context,
      client {
        $0.serverName = name
        $0.session = session
        $0.isTLS12Only = isTLS12Only
      })
    #expect(result == .init(server: .done, client: .done))
    #expect(connection.wasResumed == connection.client.wasResumed)
    #expect(connection.covers("a.test") == (name == "a.test" || name == "b.test"))
    let next = try #require(connection.client.session)
    #expect(next.isResumable)
    connection.session.closeNotify()
    return (connection.client.wasResumed, next)
  }

  @Test(arguments: [false, true])
  func `a ticket spares the full handshake, under the same name only`(isTLS12Only: Bool) throws {
    let material = try material(certificates, defaultName: "c.test")
    for name in ["a.test", nil, "unknown.test"] {
      let first = try visit(material, name, isTLS12Only: isTLS12Only)
      #expect(!first.isResumed)
      let second = try visit(material, name, first.session, isTLS12Only: isTLS12Only)
      #expect(second.isResumed)
      for other in ["a.test", "b.test", "c.test", nil, "unknown.test", "unknown2.test"]
      where other != name {
        let elsewhere = try visit(material, other, second.session, isTLS12Only: isTLS12Only)
        #expect(!elsewhere.isResumed, "\(name ?? "-") resumed as \(other ?? "-")")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a ticket of the previous keys is accepted and renewed, an older one is not`(
    isTLS12Only: Bool
  ) throws {
    let first = try material(certificates)
    let keys = first.ticketKeys
    let old = try visit(first, "a.test", isTLS12Only: isTLS12Only).session

    let once = try material(certificates, ticketKeys: keys.rotated())
    let renewed = try visit(once, "a.test", old, isTLS12Only: isTLS12Only)
    #expect(renewed.isResumed)
    // The first 16 bytes of a ticket name its key (RFC 5077 section 4).
    #expect(renewed.session.ticket.prefix(16) != old.ticket.prefix(16))

    let twice = try material(certificates, ticketKeys: once.ticketKeys.rotated())
    #expect(try visit(twice, "a.test", renewed.session, isTLS12Only: isTLS12Only).isResumed)
    #expect(try !visit(twice, "a.test", old, isTLS12Only: isTLS12Only).isResumed)
    let fresh = try material(certificates)
    #expect(try !visit(fresh, "a.test", renewed.session, isTLS12Only: isTLS12Only).isResumed)
  }

  @Test func `a TLS 1-2 ticket of the current key is not renewed`() throws {
    let material = try material(certificates)
    let first = try visit(material, "a.test", isTLS12Only: true).session
    let second = try visit(material, "a.test", first, isTLS12Only: true)
    #expect(second.isResumed && second.session.ticket == first.ticket)
  }

  @Test func `a ticket is good after a reload, and after the certificate changed`() throws {
    let keys = TicketKeys()
    let before = try material(certificates, ticketKeys: keys)
    let session = try visit(before, "a.test", isTLS12Only: false).session
    let after = try material(
      [TestCertificate("new", names: ["a.test"])], ticketKeys: keys)
    #expect(try visit(after, "a.test", session, isTLS12Only: false).isResumed)
  }

  @Test func `a name that is not served any more is refused, ticket or not`() throws {
    let keys = TicketKeys()
    let before = try material(certificates, ticketKeys: keys)
    let session = try visit(before, "a.test", isTLS12Only: false).session
    let after = try material([TestCertificate("c", names: ["c.test"])], ticketKeys: keys)
    let (_, result) = try connect(
      after, context: context,
      client {
        $0.serverName = "a.test"
        $0.session = session
      })
    #expect(result.client == .failed("tlsv1 unrecognized name"))
  }

  @Test(arguments: [0, 1, 2])
  func `as many tickets are sent as were asked for`(count: Int) throws {
    let material = try material(certificates)
    let (connection, _) = try connect(
      material, context: ServerContext(tickets: count), client { $0.serverName = "a.test" })
    #expect(connection.client.ticketsReceived == count)
  }

  @Test(arguments: [false, true])
  func `early data is skipped, and the handshake continues`(isTicketForeign: Bool) throws {
    let before = try material(certificates)
    let session = try visit(before, "a.test", isTLS12Only: false).session
    session.allowEarlyData(16_384)
    // Another server's ticket cannot be decrypted here.
    let after = isTicketForeign ? try material(certificates) : before
    let connection = try Connection(
      after, context: context,
      client {
        $0.serverName = "a.test"
        $0.session = session
      })
    // As much as other servers allow by default.
    #expect(connection.client.writeEarlyData([UInt8](repeating: 0x61, count: 16_384)))
    #expect(connection.handshake() == .init(server: .done, client: .done))
    #expect(connection.client.isEarlyDataRejected)
    #expect(connection.wasResumed == !isTicketForeign)
    // The server reads only the bytes that were sent after the handshake.
    #expect(connection.client.write(Array("GET".utf8)) == .done)
    #expect(connection.read().bytes == Array("GET".utf8))
  }

  @Test func `more early data than the limit ends the handshake`() throws {
    let before = try material(certificates)
    let session = try visit(before, "a.test", isTLS12Only: false).session
    session.allowEarlyData(65_536)
    let connection = try Connection(
      try material(certificates), context: context,
      client {
        $0.serverName = "a.test"
        $0.session = session
      })
    #expect(connection.client.writeEarlyData([UInt8](repeating: 0x61, count: 16_384)))
    #expect(connection.client.writeEarlyData([UInt8](repeating: 0x61, count: 16_384)))
    guard case .failed(let failure) = connection.handshake().server else {
      Issue.record("early data is skipped without a limit")
      return
    }
    #expect(failure.fault == .peer)
  }
}
