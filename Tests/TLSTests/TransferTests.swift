import Posix
import TLSTestSupport
import Testing

@testable import TLS

@Suite struct TransferTests {
  let connection: Connection

  init() throws {
    let material = try material([TestCertificate("leaf", names: ["example.com"])])
    let result: Connection.Result
    (connection, result) = try connect(material, context: ServerContext())
    #expect(result == .init(server: .done, client: .done))
  }

  @Test func `bytes go both ways`() {
    #expect(connection.read().outcome == .wantsRead)
    #expect(connection.client.write(Array("hello".utf8)) == .done)
    #expect(connection.read().bytes == Array("hello".utf8))
    #expect(connection.write(Array("world".utf8)) == .moved(5))
    #expect(connection.client.read().bytes == Array("world".utf8))
  }

  @Test func `bytes that OpenSSL has read ahead are announced, although the socket is empty`() {
    #expect(!connection.hasPendingBytes)
    // Three records, which one read from the socket takes all.
    for text in ["one", "two", "three"] { _ = connection.client.write(Array(text.utf8)) }
    #expect(connection.read(2).bytes == Array("on".utf8))
    #expect(connection.hasPendingBytes)
    #expect(connection.read().bytes == Array("e".utf8))
    #expect(connection.hasPendingBytes)
    #expect(connection.read().bytes == Array("two".utf8))
    #expect(connection.read().bytes == Array("three".utf8))
    #expect(!connection.hasPendingBytes)
    #expect(connection.read().outcome == .wantsRead)
  }

  @Test func `a full socket takes a part, and continues from another buffer`() {
    let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var sent = 0
    var received: [UInt8] = []
    var waits = 0
    while sent < bytes.count {
      // A new array each time: another address for the same bytes.
      switch connection.write(Array(bytes[sent...].prefix(100_000))) {
      case .moved(let count): sent += count
      case .wantsWrite:
        waits += 1
        received += connection.client.read().bytes
      case let other:
        Issue.record("\(other)")
        return
      }
    }
    received += connection.client.read().bytes
    #expect(waits > 0)
    let isSame = received == bytes
    #expect(isSame)
  }

  @Test func `close_notify reaches the client, and the client's is the end`() {
    connection.session.closeNotify()
    #expect(connection.client.read().step == .failed("closed"))
    #expect(connection.client.isClosedByServer)
    connection.client.closeNotify()
    #expect(connection.read().outcome == .ended)
  }

  @Test func `a stream that just ends reads as ended`() throws {
    let context = try ServerContext()
    let material = try material([TestCertificate("leaf", names: ["example.com"])])
    let (server, peer) = socketPair()
    let descriptor = FileDescriptor(owning: server)
    let session = try Session(context: context, material: material, descriptor: descriptor)
    var client: TestClient? = TestClient(owning: peer)
    for _ in 0..<4 {
      _ = client?.handshake()
      _ = session.handshake()
    }
    // A socket closed with bytes unread is a reset, not an end.
    _ = client?.read()
    client = nil
    var buffer = [UInt8](repeating: 0, count: 64)
    var span = buffer.mutableSpan
    var outcome = session.read(into: &span)
    // A program that another test is just starting holds a copy of the peer's socket until it runs.
    let deadline = ContinuousClock.now + .seconds(20)
    while outcome == .wantsRead, ContinuousClock.now < deadline {
      outcome = session.read(into: &span)
    }
    #expect(outcome == .ended)
    let failure = session.failure
    #expect(failure == nil)
  }

  @Test func `a record that was tampered with fails the session for good`() throws {
    // Not a record the keys can have made: an application data record of zeros.
    connection.client.writeRaw([23, 3, 3, 0, 32] + [UInt8](repeating: 0, count: 32))
    #expect(connection.read().outcome == .failed)
    #expect(connection.failure?.fault == .peer)
    #expect(connection.failure?.description == "decryption failed or bad record mac")
    #expect(connection.write([1]) == .failed)
    #expect(connection.read().outcome == .failed)
    connection.session.closeNotify()
    // OpenSSL 3.2 and later word the beginning otherwise.
    guard case .failed(let alert) = connection.client.read().step else {
      Issue.record("no alert")
      return
    }
    #expect(alert.hasSuffix("alert bad record mac"))
  }

  @Test func `a client that wants to renegotiate is refused`() throws {
    let material = try material([TestCertificate("leaf", names: ["example.com"])])
    let (connection, _) = try connect(
      material, context: ServerContext(), client { $0.isTLS12Only = true })
    #expect(connection.client.renegotiate())
    #expect(connection.read().outcome == .wantsRead)
    #expect(connection.client.read().step == .failed("no renegotiation"))
  }

  @Test func `context, material and certificates may go while a session lives`() throws {
    weak var context: ServerContext?
    weak var material: TLSMaterial?
    var connection: Connection?
    do {
      let newContext = try ServerContext()
      let newMaterial = try TLSTests.material([TestCertificate("leaf", names: ["example.com"])])
      (context, material) = (newContext, newMaterial)
      connection = try Connection(newMaterial, context: newContext)
    }
    // Only the session holds them now, and the callbacks of the handshake run.
    #expect(connection?.handshake() == .init(server: .done, client: .done))
    #expect(connection?.write([1, 2, 3]) == .moved(3))
    #expect(connection?.client.read().bytes == [1, 2, 3])
    #expect(context != nil && material != nil)
    connection = nil
    #expect(context == nil && material == nil)
  }
}
