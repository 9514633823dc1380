import Posix
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct HandshakeTests {
  let context: ServerContext
  let material: TLSMaterial

  init() throws {
    context = try ServerContext()
    material = try TLSTests.material([TestCertificate("leaf", names: ["example.com"])])
  }

  struct Offer: Sendable {
    let tls12Only: Bool
    let ciphers: String?
    let outcome: String
  }

  @Test(arguments: [
    // Allowed by Mozilla's intermediate recommendation.
    Offer(tls12Only: false, ciphers: nil, outcome: "TLSv1.3 TLS_AES_128_GCM_SHA256"),
    Offer(
      tls12Only: true, ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256",
      outcome: "TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256"),
    // Our order counts, but for a client that has no AES in hardware.
    Offer(
      tls12Only: true, ciphers: "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256",
      outcome: "TLSv1.2 ECDHE-ECDSA-CHACHA20-POLY1305"),
    Offer(
      tls12Only: true, ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256",
      outcome: "TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256"),
    Offer(
      tls12Only: true, ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305",
      outcome: "TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384"),
    // Forbidden by it: CBC, no forward secrecy, no authentication.
    Offer(tls12Only: true, ciphers: "ECDHE-ECDSA-AES128-SHA256", outcome: "refused"),
    Offer(tls12Only: true, ciphers: "AES128-GCM-SHA256", outcome: "refused"),
    Offer(tls12Only: true, ciphers: "AECDH-AES128-SHA", outcome: "refused"),
  ])
  func `versions and suites are Mozilla's intermediate ones`(_ row: Offer) throws {
    let (connection, result) = try connect(
      material, context: context,
      client {
        $0.isTLS12Only = row.tls12Only
        $0.ciphers = row.ciphers
      })
    if row.outcome == "refused" {
      guard case .failed(let failure) = result.server else {
        Issue.record("\(result)")
        return
      }
      #expect(failure.fault == .peer)
      #expect(failure.description == "no shared cipher")
      #expect(connection.failure == failure)
    } else {
      #expect(result == .init(server: .done, client: .done))
      let agreed = "\(connection.session.protocolVersion) \(connection.session.cipherName)"
      #expect(agreed == row.outcome)
    }
  }

  @Test(
    arguments: [
      // ALPN names offered, the protocol agreed on (nil: refused).
      ([], ""),
      (["http/1.1"], "http/1.1"),
      (["h2", "http/1.1"], "http/1.1"),
      (["h2"], nil),
      (["http/1.0", "http/1.10", "HTTP/1.1"], nil),
    ] as [([String], String?)])
  func `ALPN agrees on http 1.1 or nothing`(offered: [String], agreed: String?) throws {
    for isTLS12Only in [false, true] {
      let (connection, result) = try connect(
        material, context: context,
        client {
          $0.protocols = offered
          $0.isTLS12Only = isTLS12Only
        })
      if let agreed {
        #expect(result == .init(server: .done, client: .done))
        #expect(connection.client.agreedProtocol == agreed)
      } else {
        #expect(result.client == .failed("tlsv1 alert no application protocol"))
        #expect(
          result.server == .failed(TLSFailure(.peer, "no application protocol")))
      }
    }
  }

  @Test(
    arguments: [
      // A list's bytes, where http/1.1 is.
      ([], nil),
      ([8] + Array("http/1.1".utf8), 1..<9),
      ([2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8), 4..<12),
      // Cut short.
      ([8] + Array("http/1.".utf8), nil),
      // A length past the end before it.
      ([200] + [8] + Array("http/1.1".utf8), nil),
      // An empty name, which OpenSSL refuses before.
      ([0, 8] + Array("http/1.1".utf8), 2..<10),
    ] as [([UInt8], Range<Int>?)])
  func `a protocol list is searched within its bounds`(list: [UInt8], range: Range<Int>?) {
    let found = http11(in: list.span)
    #expect(found == range)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "HEAD / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n",
    "PUT / HTTP/1.1\r\n", "CONNECT a:443 HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n",
    // not HTTP either, but no TLS record
    "SSH-2.0-OpenSSH_9.2\r\n",
  ])
  func `plain HTTP is recognised and nothing is answered`(request: String) throws {
    let (server, peer) = socketPair()
    defer { closeRaw(peer) }
    let descriptor = FileDescriptor(owning: server)
    let session = try Session(context: context, material: material, descriptor: descriptor)
    rawWrite(Array(request.utf8), to: peer)
    let outcome = session.handshake()
    #expect(outcome == .plainHTTP)
    session.closeNotify()
    let answer = rawRead(from: peer)
    #expect(answer == [])
  }

  @Test(arguments: [
    [0x16, 0x03, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 32),
    [0x80, 0x2E, 0x01, 0x00, 0x02],
  ])
  func `garbage fails by the peer's fault, and so does everything after`(bytes: [UInt8]) throws {
    let (server, peer) = socketPair()
    let descriptor = FileDescriptor(owning: server)
    let session = try Session(context: context, material: material, descriptor: descriptor)
    rawWrite(bytes, to: peer)
    closeRaw(peer)
    let outcome = session.handshake()
    guard case .failed(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(failure.fault == .peer)
    #expect(!failure.description.isEmpty)
    let again = session.handshake()
    #expect(again == outcome)
    session.closeNotify()
  }

  @Test func `a client that leaves during the handshake is the peer's fault`() throws {
    let (server, peer) = socketPair()
    let descriptor = FileDescriptor(owning: server)
    let session = try Session(context: context, material: material, descriptor: descriptor)
    let first = session.handshake()
    #expect(first == .wantsRead)
    closeRaw(peer)
    let second = session.handshake()
    #expect(second == .failed(TLSFailure(.peer, "the connection was lost", .connectionLost)))
  }
}
