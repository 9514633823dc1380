internal import COpenSSL
internal import LibC

/// A TLS client on one end of a socket pair, driven step by step by the test that owns it.
package final class TestClient {
  package struct Options {
    package var serverName: String? = "example.com"
    /// ALPN names; none when empty.
    package var protocols: [String] = []
    /// `TLSv1.2` or `TLSv1.3` as the highest version.
    package var isTLS12Only = false
    /// A TLS 1.2 cipher list in OpenSSL's syntax.
    package var ciphers: String?
    package var signatureAlgorithms: String?
    package var session: TestSession?

    package init() {}
  }

  package enum Step: Equatable {
    case done
    case waiting
    /// OpenSSL's reason, which names the alert received.
    case failed(String)
  }

  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let descriptor: Int32
  /// TLS 1.3 NewSessionTicket messages taken in.
  package private(set) var ticketsReceived = 0

  /// Takes ownership of a connected, non-blocking socket.
  package init(_ options: Options = Options(), owning descriptor: Int32) {
    self.descriptor = descriptor
    context = SSL_CTX_new(TLS_client_method())
    // 0: also to offer what the server should refuse.
    SSL_CTX_set_security_level(context, 0)
    _ = aasa_ctx_set_protocol_range(context, 0, options.isTLS12Only ? TLS1_2_VERSION : 0)
    if let ciphers = options.ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
    ssl = SSL_new(context)
    SSL_set_fd(ssl, descriptor)
    if let name = options.serverName { _ = aasa_set_server_name(ssl, name) }
    let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    if !list.isEmpty { SSL_set_alpn_protos(ssl, list, UInt32(list.count)) }
    if let algorithms = options.signatureAlgorithms {
      precondition(aasa_set_signature_algorithms(ssl, algorithms) == 1)
    }
    if let session = options.session { SSL_set_session(ssl, session.pointer) }
    SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    SSL_set_msg_callback(ssl) { isOut, _, type, bytes, count, ssl, _ in
      guard isOut == 0, type == SSL3_RT_HANDSHAKE, count > 0,
        bytes?.load(as: UInt8.self) == UInt8(SSL3_MT_NEWSESSION_TICKET)
      else { return }
      let client = SSL_get_ex_data(ssl, 0).map { Unmanaged<TestClient>.fromOpaque($0) }
      client?.takeUnretainedValue().ticketsReceived += 1
    }
    SSL_set_connect_state(ssl)
  }

  deinit {
    // Otherwise OpenSSL takes the end for a fault, and the session cannot be resumed.
    SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN)
    SSL_free(ssl)
    SSL_CTX_free(context)
    close(descriptor)
  }

  package func handshake() -> Step {
    ERR_clear_error()
    return step(SSL_do_handshake(ssl))
  }

  /// The bytes that have arrived; session tickets are consumed as well.
  package func read() -> (step: Step, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      ERR_clear_error()
      let count = SSL_read(ssl, &chunk, Int32(chunk.count))
      if count <= 0 { return (step(count), bytes) }
      bytes += chunk.prefix(Int(count))
    }
  }

  /// Bytes of one `SSL_write` call.
  package func write(_ bytes: [UInt8]) -> Step {
    ERR_clear_error()
    return step(SSL_write(ssl, bytes, Int32(bytes.count)))
  }

  /// Sends bytes before the handshake, as a client may that has a ticket for it (RFC 8446 2.3).
  package func writeEarlyData(_ bytes: [UInt8]) -> Bool {
    ERR_clear_error()
    var count = 0
    return SSL_write_early_data(ssl, bytes, bytes.count, &count) == 1 && count == bytes.count
  }

  package var isEarlyDataRejected: Bool {
    SSL_get_early_data_status(ssl) == SSL_EARLY_DATA_REJECTED
  }

  package func closeNotify() { SSL_shutdown(ssl) }

  /// Puts bytes on the wire past TLS.
  package func writeRaw(_ bytes: [UInt8]) { rawWrite(bytes, to: descriptor) }

  /// Asks for a new handshake on the connection, which TLS 1.2 knows.
  package func renegotiate() -> Bool {
    ERR_clear_error()
    return SSL_renegotiate(ssl) == 1 && step(SSL_do_handshake(ssl)) == .waiting
  }

  /// Whether the server has sent close_notify.
  package var isClosedByServer: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }
  package var wasResumed: Bool { SSL_session_reused(ssl) == 1 }
  package var version: String { String(cString: SSL_get_version(ssl)) }
  package var session: TestSession? { SSL_get1_session(ssl).map { TestSession(pointer: $0) } }

  /// The protocol that ALPN agreed on; empty when none.
  package var agreedProtocol: String {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &start, &count)
    return String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// The common name of the certificate the server showed.
  package var serverCommonName: String {
    let certificate = SSL_get1_peer_certificate(ssl)
    defer { X509_free(certificate) }
    var name = [CChar](repeating: 0, count: 128)
    let count = X509_NAME_get_text_by_NID(
      X509_get_subject_name(certificate), NID_commonName, &name, 128)
    return String(
      decoding: name.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// How many certificates the server sent.
  package var chainLength: Int { Int(aasa_x509_stack_count(SSL_get_peer_cert_chain(ssl))) }

  private func step(_ result: Int32) -> Step {
    if result > 0 { return .done }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
    case SSL_ERROR_ZERO_RETURN: return .failed("closed")
    default:
      let code = ERR_peek_last_error()
      return .failed(ERR_reason_error_string(code).map { String(cString: $0) } ?? "lost")
    }
  }
}

/// A session a client can resume.
package final class TestSession {
  let pointer: OpaquePointer
  init(pointer: OpaquePointer) { self.pointer = pointer }
  deinit { SSL_SESSION_free(pointer) }

  package var isResumable: Bool { SSL_SESSION_is_resumable(pointer) == 1 }

  /// Lets the client send this many bytes of early data with it, whatever the server allowed.
  package func allowEarlyData(_ count: UInt32) { SSL_SESSION_set_max_early_data(pointer, count) }

  package var ticket: [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count = 0
    SSL_SESSION_get0_ticket(pointer, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Two connected, non-blocking sockets.
package func socketPair() -> (Int32, Int32) {
  // OpenSSL writes without MSG_NOSIGNAL.
  signal(SIGPIPE, SIG_IGN)
  var pair: [Int32] = [-1, -1]
  #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
  #else
    let stream = SOCK_STREAM
  #endif
  precondition(socketpair(AF_UNIX, stream, 0, &pair) == 0)
  for descriptor in pair {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // Programs that other tests start meanwhile must not keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
  return (pair[0], pair[1])
}

/// Writes to a raw socket, as a peer that speaks no TLS does.
package func rawWrite(_ bytes: [UInt8], to descriptor: Int32) {
  precondition(write(descriptor, bytes, bytes.count) == bytes.count)
}

/// The other end sees it at once, although a program that is being started may hold the socket.
package func closeRaw(_ descriptor: Int32) {
  shutdown(descriptor, Int32(SHUT_RDWR))
  close(descriptor)
}

/// The bytes that have arrived at a raw socket.
package func rawRead(from descriptor: Int32) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &bytes, bytes.count)
  return Array(bytes.prefix(max(0, count)))
}
