internal import Diagnostics
internal import LibC
internal import Posix
internal import Synchronization
internal import TLS

/// A server on the loopback interface that answers as a test says, right or wrong, with or without
/// TLS, until it is released.
package final class ScriptedServer: Sendable {
  /// One step of an answer.
  package enum Step: Sendable {
    case bytes([UInt8])
    /// One byte after the other, with a pause before each.
    case drip([UInt8])
    /// Waits until the client goes.
    case stall
    /// Relays bytes to this port of the machine and back: a tunnel.
    case relay(port: UInt16)
    /// Reads the next request on the same connection.
    case goOn

    package static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
  }

  /// Maps a request, or other bytes, to the steps of the answer. Then the connection is closed.
  package typealias Script = @Sendable (_ request: String) -> [Step]

  package let port: UInt16
  private let shared: Shared

  /// The number of connections so far.
  package var connections: Int { shared.connections.load(ordering: .acquiring) }

  /// The requests so far, with their content.
  package var requests: [String] { shared.requests.withLock { $0 } }

  /// - Parameter identity: chain and key in PEM; without it nothing is encrypted.
  package init(identity: [UInt8]? = nil, script: @escaping Script) throws {
    // OpenSSL writes without MSG_NOSIGNAL.
    signal(SIGPIPE, SIG_IGN)
    guard let loopback = SocketAddress(literal: "127.0.0.1", port: 0) else {
      throw ScriptFailure(description: "no loopback")
    }
    let listener = try Listener(loopback)
    port = listener.address.port
    let shared = Shared(script: script, tls: try identity.map(ServerTLS.init))
    self.shared = shared
    // Passed to the thread as a number, because a closure cannot own a noncopyable value.
    let number = dup(listener.descriptor.rawValue)
    _ = try Thread(named: "scripted") { acceptAll(number, shared) }
  }

  deinit { shared.isStopped.store(true, ordering: .releasing) }

  package var url: String { "\(shared.tls == nil ? "http" : "https")://127.0.0.1:\(port)" }
}

private struct ScriptFailure: Error { let description: String }

private final class Shared: Sendable {
  let script: ScriptedServer.Script
  let tls: ServerTLS?
  let requests = Mutex<[String]>([])
  let isStopped = Atomic<Bool>(false)
  let connections = Atomic<Int>(0)

  init(script: @escaping ScriptedServer.Script, tls: ServerTLS?) {
    self.script = script
    self.tls = tls
  }

  var mayGoOn: Bool { !isStopped.load(ordering: .acquiring) }
}

private struct ServerTLS: Sendable {
  let context: ServerContext
  let material: TLSMaterial

  init(identity: [UInt8]) throws {
    let now = Clock.wallSeconds()
    let file = CertificateFile(chain: SourceText(path: "identity.pem", bytes: identity))
    let inspection = file.read(.init(now: now, warningDays: 14, intermediates: .init()))
    guard let certificate = inspection.certificate else {
      throw ScriptFailure(description: "\(inspection.diagnostics.map(\.line))")
    }
    context = try ServerContext()
    // Shown to every client, whatever name it asks for.
    material = .init(
      certificates: [("only", certificate)], defaultName: "only", ticketKeys: TicketKeys(),
      now: now)
  }
}

private func acceptAll(_ number: Int32, _ shared: Shared) {
  let descriptor = FileDescriptor(owning: number)
  while shared.mayGoOn {
    guard descriptor.waitUntilReady(forWriting: false, until: .init(afterMilliseconds: 10)) else {
      continue
    }
    let accepted = accept(number, nil, nil)
    guard accepted >= 0 else { continue }
    shared.connections.add(1, ordering: .acquiringAndReleasing)
    _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
    _ = try? Thread(named: "scripted one") {
      ScriptedConnection(FileDescriptor(owning: accepted), shared).run()
    }
  }
}

private final class ScriptedConnection {
  private let descriptor: FileDescriptor
  private let shared: Shared
  private var session: Session?

  init(_ descriptor: consuming FileDescriptor, _ shared: Shared) {
    self.descriptor = descriptor
    self.shared = shared
  }

  func run() {
    if let tls = shared.tls, !startTLS(tls) { return }
    answer()
  }

  private func answer() {
    guard let request = readRequest() else { return }
    shared.requests.withLock { $0.append(request) }
    for step in shared.script(request) {
      switch step {
      case .bytes(let bytes): guard send(bytes) else { return }
      case .drip(let bytes):
        for byte in bytes {
          _ = descriptor.waitUntilReady(forWriting: false, until: .init(afterMilliseconds: 5))
          guard shared.mayGoOn, send([byte]) else { return }
        }
      case .stall: while shared.mayGoOn, !hasEnded() {}
      case .relay(let port): return relay(to: port)
      case .goOn: return answer()
      }
    }
    session?.closeNotify()
    descriptor.shutdownSending()
    // A close with bytes unread would reset the connection and take our last bytes with it.
    while shared.mayGoOn, !hasEnded() {}
  }

  private func relay(to port: UInt16) {
    guard let address = SocketAddress(literal: "127.0.0.1", port: port),
      let other = try? FileDescriptor.connected(
        to: address, until: Deadline(afterMilliseconds: 45_000))
    else { return }
    let far = ScriptedConnection(other, shared)
    while shared.mayGoOn {
      let (outcome, bytes) = receive()
      if outcome == .ended || outcome == .failed || (!bytes.isEmpty && !far.send(bytes)) { return }
      let (farOutcome, farBytes) = far.receive()
      if !farBytes.isEmpty && !send(farBytes) { return }
      if farOutcome == .ended || farOutcome == .failed { return }
      if bytes.isEmpty && farBytes.isEmpty {
        _ = descriptor.waitUntilReady(
          forWriting: false, until: Deadline(afterMilliseconds: 2))
      }
    }
  }

  private func startTLS(_ tls: ServerTLS) -> Bool {
    guard
      let session = try? Session(
        context: tls.context, material: tls.material, descriptor: descriptor)
    else { return false }
    self.session = consume session
    while shared.mayGoOn {
      switch self.session?.handshake() {
      case .done: return true
      case .wantsRead: wait(forWriting: false)
      case .wantsWrite: wait(forWriting: true)
      default: return false
      }
    }
    return false
  }

  private func readRequest() -> String? {
    var bytes: [UInt8] = []
    while shared.mayGoOn {
      let (outcome, more) = receive()
      bytes += more
      let text = String(decoding: bytes, as: UTF8.self)
      if isWhole(text) { return text }
      // Bytes that are not a request, such as a ClientHello to a server without TLS.
      if let first = bytes.first, first < UInt8(ascii: "A") || first > UInt8(ascii: "Z") {
        return text
      }
      switch outcome {
      case .moved: continue
      case .wantsRead, .wantsWrite: wait(forWriting: false)
      case .ended, .failed: return nil
      }
    }
    return nil
  }

  /// Whether a request's head and its content are there.
  private func isWhole(_ text: String) -> Bool {
    let parts = text.split(
      separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    let name = "content-length: "
    let field = parts[0].lowercased().split(separator: "\r\n").first { $0.hasPrefix(name) }
    return parts[1].utf8.count >= field.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count, shared.mayGoOn {
      let rest = bytes.span.extracting(sent...)
      let outcome = session != nil ? session?.write(rest) ?? .failed : descriptor.send(rest)
      switch outcome {
      case .moved(let count): sent += count
      case .wantsRead: wait(forWriting: false)
      case .wantsWrite: wait(forWriting: true)
      case .ended, .failed: return false
      }
    }
    return sent == bytes.count
  }

  /// Whether the client has gone; waits a moment for that.
  private func hasEnded() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    switch receive(into: &buffer) {
    case .moved: return false
    case .wantsRead, .wantsWrite:
      wait(forWriting: false)
      return false
    case .ended, .failed: return true
    }
  }

  private func receive() -> (outcome: TransferOutcome, bytes: [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let outcome = receive(into: &buffer)
    guard case .moved(let count) = outcome else { return (outcome, []) }
    return (outcome, Array(buffer.prefix(count)))
  }

  private func receive(into buffer: inout [UInt8]) -> TransferOutcome {
    var span = buffer.mutableSpan
    return session != nil
      ? session?.read(into: &span) ?? .failed : descriptor.receive(into: &span)
  }

  private func wait(forWriting: Bool) {
    _ = descriptor.waitUntilReady(
      forWriting: forWriting, until: .init(afterMilliseconds: 10))
  }
}
