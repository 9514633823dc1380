import Diagnostics
import Foundation
import Posix
import TLSTestSupport
import Testing

@testable import TLS

/// The clock by which test certificates are made.
var now: Int64 { Int64(Date().timeIntervalSince1970) }

let trust = Result { try TrustStore.system() }

/// The certificate as the program would load it from a combined PEM file.
func load(
  _ certificate: TestCertificate, chain: [TestCertificate] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Certificate {
  let bytes = ([certificate] + chain).flatMap(\.pem) + certificate.key.pem()
  let file = CertificateFile(chain: SourceText(path: "test.pem", bytes: bytes))
  let inspection = file.read(.init(now: now, warningDays: 14, intermediates: .init()))
  return try #require(
    inspection.certificate, "\(inspection.diagnostics.map(\.line))", sourceLocation: sourceLocation)
}

func material(
  _ certificates: [TestCertificate], defaultName: String = "", ticketKeys: TicketKeys = TicketKeys()
) throws -> TLSMaterial {
  .init(
    certificates: try certificates.map { ("test", try load($0)) }, defaultName: defaultName,
    ticketKeys: ticketKeys, now: now)
}

/// A server session and a client on two ends of a socket pair.
final class Connection {
  let client: TestClient
  let descriptor: FileDescriptor
  var session: Session

  init(
    _ material: TLSMaterial, context: ServerContext, _ options: TestClient.Options = .init()
  ) throws {
    let (server, peer) = socketPair()
    descriptor = FileDescriptor(owning: server)
    client = TestClient(options, owning: peer)
    session = try Session(context: context, material: material, descriptor: descriptor)
  }

  struct Result: Equatable {
    var server: Session.HandshakeOutcome
    var client: TestClient.Step
  }

  /// Drives both sides until each is done or has failed.
  @discardableResult
  func handshake() -> Result {
    var result = Result(server: .wantsRead, client: .waiting)
    for _ in 0..<20 {
      if result.client == .waiting { result.client = client.handshake() }
      if result.server == .wantsRead || result.server == .wantsWrite {
        result.server = session.handshake()
      }
    }
    // An alert that comes after the client's part of a TLS 1.3 handshake.
    if result.client == .done, case .failed = result.server { result.client = client.read().step }
    return result
  }

  /// Reads once into a buffer of `capacity` bytes.
  func read(_ capacity: Int = 4096) -> (outcome: TransferOutcome, bytes: [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: capacity)
    var span = buffer.mutableSpan
    let outcome = session.read(into: &span)
    guard case .moved(let count) = outcome else { return (outcome, []) }
    return (outcome, Array(buffer.prefix(count)))
  }

  // `#expect` cannot take a noncopyable value apart.
  var hasPendingBytes: Bool { session.hasPendingBytes() }
  var failure: TLSFailure? { session.failure }
  var serverName: String? {
    if case .server(let state) = session.side { state.serverNameText } else { nil }
  }
  var wasResumed: Bool { session.wasResumed }

  func write(_ bytes: [UInt8]) -> TransferOutcome { session.write(bytes.span) }

  func covers(_ host: String) -> Bool {
    let bytes = Array(host.utf8)
    return session.covers(host: bytes.span)
  }
}

/// A handshake by a client with `options`; the client has read the messages after it.
func connect(
  _ material: TLSMaterial, context: ServerContext, _ options: TestClient.Options = .init()
) throws -> (connection: Connection, result: Connection.Result) {
  let connection = try Connection(material, context: context, options)
  let result = connection.handshake()
  if result.client == .done { _ = connection.client.read() }
  return (connection, result)
}

func client(_ change: (inout TestClient.Options) -> Void) -> TestClient.Options {
  var options = TestClient.Options()
  change(&options)
  return options
}
