import Posix
import TLSTestSupport
import Testing

@testable import TLS

/// Messages that no honest client sends: the server may refuse them in any way, but must continue.
@Suite struct HostileClientTests {
  let context: ServerContext
  let material: TLSMaterial
  /// A TLS 1.3 client hello with a server name and ALPN, as a record.
  let hello: [UInt8]

  init() throws {
    context = try ServerContext()
    material = try TLSTests.material([TestCertificate("leaf", names: ["example.com"])])
    let (server, peer) = socketPair()
    let honest = TestClient(client { $0.protocols = ["http/1.1"] }, owning: peer)
    #expect(honest.handshake() == .waiting)
    hello = rawRead(from: server)
    closeRaw(server)
    #expect(hello.count > 150)
  }

  private func outcome(of bytes: [UInt8]) throws -> Session.HandshakeOutcome {
    let (server, peer) = socketPair()
    defer { closeRaw(peer) }
    let descriptor = FileDescriptor(owning: server)
    let session = try Session(context: context, material: material, descriptor: descriptor)
    rawWrite(bytes, to: peer)
    let outcome = session.handshake()
    session.closeNotify()
    return outcome
  }

  @Test func `an honest hello is waited on`() throws {
    #expect(try outcome(of: hello) == .wantsRead)
  }

  @Test func `a hello cut short is waited for`() throws {
    for count in 0..<hello.count - 1 where count % 3 == 0 {
      #expect(try outcome(of: Array(hello.prefix(count + 1))) == .wantsRead, "\(count + 1) bytes")
    }
  }

  @Test(arguments: [0x00, 0x01, 0x7F, 0xFF] as [UInt8])
  func `any byte of a hello may be another`(byte: UInt8) throws {
    for position in hello.indices {
      var bytes = hello
      bytes[position] = byte
      if case .failed(let failure) = try outcome(of: bytes) {
        #expect(failure.fault == .peer, "byte \(position): \(failure)")
      }
    }
  }

  @Test func `a malformed server name is answered with decode_error`() throws {
    let name = Array("example.com".utf8)
    let position = try #require(hello.indices.first { hello[$0...].starts(with: name) })
    var bytes = hello
    bytes[position + 3] = 0
    let refused = try outcome(of: bytes)
    #expect(
      refused
        == .failed(
          TLSFailure(.peer, "the client sent a malformed server name", .malformedServerName)))
  }
}
