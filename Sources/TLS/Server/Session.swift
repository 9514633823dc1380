internal import COpenSSL
package import Posix

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The server's side of one TLS connection on a non-blocking socket.
///
/// It belongs to one thread. It keeps the context and the material it was made with, so that a
/// reload in between changes nothing for it.
@safe
package struct Session: ~Copyable {
  private let ssl: OpaquePointer
  private let state: SessionState
  // OpenSSL holds the SSL_CTX for an open SSL, but not what stands behind its callbacks.
  private let context: ServerContext

  /// What became of one attempt to go on with the handshake.
  package enum HandshakeOutcome: Equatable, Sendable {
    case done
    case wantsRead
    case wantsWrite
    /// What came first is no TLS record: most likely plain HTTP. Nothing was answered yet: the
    /// socket is free for a plain answer.
    case plainHTTP
    /// An alert was sent, if the peer was to get one.
    case failed(TLSFailure)
  }

  /// - Parameter descriptor: a connected, non-blocking socket that stays open for as long as the
  ///   session; the session does not close it.
  package init(
    context: ServerContext, material: TLSMaterial, descriptor: borrowing FileDescriptor
  ) throws(TLSError) {
    ErrorQueue.clear()
    guard let ssl = unsafe SSL_new(context.handle.pointer) else {
      throw ErrorQueue.error("SSL_new")
    }
    let state = SessionState(material: material)
    guard unsafe state.attach(to: ssl), unsafe SSL_set_fd(ssl, descriptor.rawValue) == 1 else {
      unsafe SSL_free(ssl)
      throw ErrorQueue.error("SSL_set_fd")
    }
    unsafe SSL_set_accept_state(ssl)
    unsafe self.ssl = ssl
    self.state = state
    self.context = context
  }

  deinit {
    // The callbacks' state outlives the SSL that can call them.
    withExtendedLifetime((state, context)) { unsafe SSL_free(ssl) }
  }

  /// Goes on with the handshake as far as the socket allows.
  package func handshake() -> HandshakeOutcome {
    if let failure = state.failure { return .failed(failure) }
    ErrorQueue.clear()
    let result = unsafe SSL_do_handshake(ssl)
    if result == 1 { return .done }
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_SSL:
      let verdict = QueueVerdict()
      // OpenSSL knows plain HTTP by four methods only; other text has no version of TLS in it.
      if verdict.isPlainHTTP || verdict.isWrongVersion && !state.hasClientHello {
        state.failure = TLSFailure(.peer, "the client spoke plain HTTP", .plainHTTP)
        return .plainHTTP
      }
      return .failed(
        fail(
          state.refusal?.failure(serverName: serverName, queue: verdict.text)
            ?? TLSFailure(verdict.fault, verdict.text, verdict.reason)))
    default:
      return .failed(fail(Records.connectionLost()))
    }
  }

  /// Reads decrypted bytes into `buffer`, which must not be empty.
  package func read(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    if state.failure != nil { return .failed }
    return unsafe Records.read(ssl, into: &buffer) { state.failure = $0 }
  }

  /// Encrypts and writes some of `bytes`, which must not be empty.
  ///
  /// After `wantsRead` or `wantsWrite` the same bytes must be offered again, from any address.
  package func write(_ bytes: Span<UInt8>) -> TransferOutcome {
    if state.failure != nil { return .failed }
    return unsafe Records.write(ssl, bytes) { state.failure = $0 }
  }

  /// Tells the peer that nothing more will come (`close_notify`), if that can be told at once.
  ///
  /// Best effort: it never blocks, and does nothing during a handshake or after a failure.
  package func closeNotify() {
    if state.failure == nil { unsafe Records.closeNotify(ssl) }
  }

  /// Whether bytes wait inside OpenSSL, so that the socket's readiness will not tell of them: read
  /// again without waiting.
  ///
  /// They may be a part of a record only: when that read says `wantsRead`, wait all the same.
  package func hasPendingBytes() -> Bool { unsafe SSL_has_pending(ssl) == 1 }

  /// Whether the certificate of this connection covers `host`: lower case, without port and
  /// without trailing dot; an IP address (IPv6 with or without brackets) is matched with the
  /// certificate's iPAddress names.
  ///
  /// A self-signed stand-in covers every host.
  package func covers(host: Span<UInt8>) -> Bool {
    state.selection.covers(host: host, serverName: state.serverName)
  }

  /// Whether `host` is, byte for byte, the name that the connection was opened for and that its
  /// certificates have: the usual case, told at once.
  package func isOpenedFor(host: Span<UInt8>) -> Bool {
    guard case .serverName = state.selection.basis, let name = state.serverName,
      name.count == host.count
    else {
      return false
    }
    return unsafe name.withUnsafeBytes { name in
      unsafe host.withUnsafeBytes { host in
        guard let left = name.baseAddress, let right = host.baseAddress else { return false }
        return unsafe memcmp(left, right, name.count) == 0
      }
    }
  }

  private func fail(_ failure: TLSFailure) -> TLSFailure {
    state.failure = failure
    return failure
  }
}

// For logs; none of these is on the hot path.
extension Session {
  /// Why the session failed, once a call has said so.
  package var failure: TLSFailure? { state.failure }

  /// The name the client asked for, lower-cased; nil when it named none.
  package var serverName: String? { state.serverName.map { String(decoding: $0, as: UTF8.self) } }

  /// `TLSv1.3`, `TLSv1.2`.
  package var protocolVersion: String { unsafe Records.version(ssl) }

  /// The number of the version on the wire, 0x0304 for TLS 1.3 (RFC 8446 4.2.1), and whether a
  /// session ticket spared the full handshake.
  package func agreement() -> (version: Int32, wasResumed: Bool) {
    (unsafe SSL_version(ssl), wasResumed)
  }

  /// OpenSSL's name of the suite; empty before one is agreed.
  package var cipherName: String {
    guard let cipher = unsafe SSL_get_current_cipher(ssl) else { return "" }
    return unsafe SSL_CIPHER_get_name(cipher).map { unsafe String(cString: $0) } ?? ""
  }

  /// Whether a session ticket spared the full handshake.
  package var wasResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }
}
