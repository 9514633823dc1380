internal import Bytes
internal import Posix
internal import TLS

/// A connection to a server, with or without TLS. Every call has a deadline. A connection belongs
/// to one thread.
final class Connection {
  private let descriptor: FileDescriptor
  private var session: Session?

  /// Why a call did not finish.
  enum Interruption: Error {
    case timedOut
    /// The connection broke. The text is the reason, if it is known; otherwise nil.
    case lost(String?)
  }

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Begins TLS on the connection and completes the handshake.
  func startTLS(
    _ context: ClientContext, host: String, protocolName: String = "http/1.1",
    until deadline: Deadline
  ) throws(FetchFault) {
    let session = try mapping(
      Session(context: context, host: host, protocolName: protocolName, descriptor: descriptor),
      to: FetchFault.tlsUnusable)
    while true {
      var isWriting = false
      switch session.handshake() {
      case .done:
        self.session = consume session
        return
      case .wantsRead: isWriting = false
      case .wantsWrite: isWriting = true
      case .plainHTTP: throw .notTLS
      case .failed(let failure): throw .handshake(failure)
      }
      guard descriptor.waitUntilReady(forWriting: isWriting, until: deadline) else {
        throw .timedOut(.handshake, milliseconds: 0, received: 0)
      }
    }
  }

  /// The protocol that client and server agreed on in the handshake, and the serial number of the
  /// server's unverified certificate. Nil if the connection does not use TLS.
  var agreement: (agreedProtocol: String, serial: String?)? {
    guard let agreed = session?.agreedProtocol else { return nil }
    return (agreed, session?.peerSerial)
  }

  /// The facts of the TLS handshake; nil if the connection does not use TLS.
  func tlsFacts(now: Int64) -> TLSFacts? {
    guard let version = session?.protocolVersion, let agreed = session?.agreedProtocol,
      let verification = session?.verification(now: now), let concerns = session?.concerns
    else { return nil }
    return TLSFacts(
      version: version, agreedProtocol: agreed, verification: verification, concerns: concerns)
  }

  /// Sends all bytes, and waits if the socket does not accept them yet.
  func send(_ bytes: [UInt8], until deadline: Deadline) throws(Interruption) {
    var sent = 0
    while sent < bytes.count {
      switch send(bytes.span.extracting(sent...)) {
      case .moved(let count): sent += count
      case .wantsRead: try wait(forWriting: false, deadline)
      case .wantsWrite: try wait(forWriting: true, deadline)
      case .ended, .failed: throw .lost(session?.failure?.description)
      }
    }
  }

  /// Waits for bytes. Returns an empty array if the server has closed its side of the connection.
  func receive(until deadline: Deadline) throws(Interruption) -> [UInt8] {
    // Check the deadline before each read. The waits below also check the deadline, but a server
    // that sends steadily never causes a wait.
    while !deadline.isOver {
      let (outcome, bytes) = receive()
      switch outcome {
      case .moved: return bytes
      case .ended: return []
      case .wantsRead: try wait(forWriting: false, deadline)
      case .wantsWrite: try wait(forWriting: true, deadline)
      case .failed: throw .lost(session?.failure?.description)
      }
    }
    throw .timedOut
  }

  /// Whether the connection is still open and no unexpected bytes have arrived.
  var isQuiet: Bool {
    !descriptor.waitUntilReady(forWriting: false, until: Deadline(afterMilliseconds: 0))
  }

  /// Sends `close_notify` unless that would block.
  func close() { session?.closeNotify() }

  private func send(_ bytes: Span<UInt8>) -> TransferOutcome {
    if session != nil { return session?.write(bytes) ?? .failed }
    return descriptor.send(bytes)
  }

  private func receive() -> (outcome: TransferOutcome, bytes: [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: ClientLimits.readBytes)
    var span = buffer.mutableSpan
    let outcome =
      session != nil ? session?.read(into: &span) ?? .failed : descriptor.receive(into: &span)
    guard case .moved(let count) = outcome else { return (outcome, []) }
    return (outcome, Array(buffer.prefix(count)))
  }

  private func wait(forWriting: Bool, _ deadline: Deadline) throws(Interruption) {
    guard descriptor.waitUntilReady(forWriting: forWriting, until: deadline) else {
      throw .timedOut
    }
  }
}
