internal import COpenSSL
package import Posix

/// One side of a TLS connection on a non-blocking socket (RFC 8446, RFC 5246), as server or client.
/// `Session+Server` and `Session+Client` contain the code that only one side needs.
///
/// Only one thread may use a session. A server's session retains its certificates and ticket keys,
/// so a reload does not affect the session.
@safe
package struct Session: ~Copyable {
  let ssl: OpaquePointer
  let side: Side

  /// The result of one attempt to continue the handshake.
  package enum HandshakeOutcome: Equatable, Sendable {
    case done
    case wantsRead
    case wantsWrite
    /// The first bytes are not a TLS record, most likely plain HTTP. This side has not sent
    /// anything yet, so a server can still answer in plain HTTP.
    case plainHTTP
    /// If the peer should get an alert, the alert has already been sent.
    case failed(TLSFailure)
  }

  /// - Parameters:
  ///   - context: The `SSL_CTX` of our side.
  ///   - descriptor: A connected, non-blocking socket that outlives the session. The session does
  ///     not close the socket.
  ///   - prepare: Sets up what only a client or only a server needs. Returns false if OpenSSL
  ///     refuses.
  init(
    _ context: Handle, _ side: Side, _ descriptor: borrowing FileDescriptor,
    prepare: (OpaquePointer) -> Bool
  ) throws(TLSError) {
    ErrorQueue.clear()
    guard let ssl = unsafe SSL_new(context.pointer) else { throw ErrorQueue.error("SSL_new") }
    guard unsafe SSL_set_fd(ssl, descriptor.rawValue) == 1, unsafe prepare(ssl) else {
      unsafe SSL_free(ssl)
      throw ErrorQueue.error("SSL_set_fd")
    }
    unsafe self.ssl = ssl
    self.side = side
  }

  deinit {
    // The callbacks use the objects in `side`, so these objects must live until the SSL is freed.
    withExtendedLifetime(side) { unsafe SSL_free(ssl) }
  }

  /// Continues the handshake as far as the socket allows.
  package func handshake() -> HandshakeOutcome {
    if let failure { return .failed(failure) }
    ErrorQueue.clear()
    let result = unsafe SSL_do_handshake(ssl)
    if result == 1 { return .done }
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ:
      if case .server = side, isTooLong { return .failed(refuseLength()) }
      return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_SSL:
      let verdict = QueueVerdict()
      if side.isPlainHTTP(verdict) {
        fail(TLSFailure(.peer, "the \(side.peer) spoke plain HTTP", .plainHTTP))
        return .plainHTTP
      }
      return .failed(fail(withDemand(side.failure(verdict))))
    default:
      return .failed(fail(connectionLost()))
    }
  }

  /// Whether the peer has sent more bytes than are allowed in a handshake.
  private var isTooLong: Bool {
    guard let input = unsafe SSL_get_rbio(ssl) else { return false }
    return unsafe BIO_number_read(input) > TLSLimits.handshakeBytes
  }

  /// Sends the alert that OpenSSL sends for a handshake message that is too long. The alert is not
  /// encrypted, because the ClientHello has not ended yet (RFC 8446 section 6.2).
  private func refuseLength() -> TLSFailure {
    if let output = unsafe SSL_get_wbio(ssl) {
      let alert: [UInt8] = [21, 3, 3, 0, 2, UInt8(SSL3_AL_FATAL), UInt8(SSL_AD_ILLEGAL_PARAMETER)]
      _ = unsafe BIO_write(output, alert, Int32(alert.count))
    }
    return fail(TLSFailure(.peer, "the client's handshake messages are too long", .tooLong))
  }

  /// Reads decrypted bytes into `buffer`, which must not be empty.
  package func read(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    precondition(!buffer.isEmpty)
    if side.hasFailed { return .failed }
    ErrorQueue.clear()
    var moved = 0
    let result = unsafe buffer.withUnsafeMutableBufferPointer { memory in
      unsafe SSL_read_ex(ssl, memory.baseAddress, memory.count, &moved)
    }
    return result == 1 ? .moved(moved) : outcome(ofFailed: result)
  }

  /// Encrypts and writes some of `bytes`, which must not be empty.
  ///
  /// If the result is `wantsRead` or `wantsWrite`, pass the same bytes again in the next call.
  /// Their address may be different.
  package func write(_ bytes: Span<UInt8>) -> TransferOutcome {
    precondition(!bytes.isEmpty)
    if side.hasFailed { return .failed }
    ErrorQueue.clear()
    var moved = 0
    let result = unsafe bytes.withUnsafeBufferPointer { memory in
      unsafe SSL_write_ex(ssl, memory.baseAddress, memory.count, &moved)
    }
    if result == 1 { return .moved(moved) }
    let outcome = outcome(ofFailed: result)
    if case .client = side, failure?.reason == .connectionLost { readLastAlert() }
    return outcome
  }

  private func outcome(ofFailed result: Int32) -> TransferOutcome {
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN: return .ended
    case SSL_ERROR_SSL:
      let verdict = QueueVerdict()
      fail(TLSFailure(verdict.fault, verdict.text))
    default:
      fail(connectionLost())
    }
    return .failed
  }

  /// Sends `close_notify` to the peer (RFC 8446 section 6.1) unless the write would block.
  ///
  /// Does nothing during a handshake or after a failure.
  package func closeNotify() {
    guard !side.hasFailed, unsafe SSL_is_init_finished(ssl) == 1 else { return }
    ErrorQueue.clear()
    _ = unsafe SSL_shutdown(ssl)
  }

  /// Returns whether OpenSSL has buffered bytes. The socket's readiness does not show such bytes.
  /// If there are any, read again without waiting.
  ///
  /// The buffered bytes may be only a part of a record. Then the read returns `wantsRead`, and the
  /// caller must wait for the socket.
  package func hasPendingBytes() -> Bool { unsafe SSL_has_pending(ssl) == 1 }

  /// Returns the failure for a connection that was closed, or for a fault of the network, not of
  /// TLS.
  private func connectionLost() -> TLSFailure {
    let text = ErrorQueue.drain()
    return TLSFailure(.peer, text.isEmpty ? "the connection was lost" : text, .connectionLost)
  }

  @discardableResult
  private func fail(_ failure: TLSFailure) -> TLSFailure {
    side.state.failure = failure
    return failure
  }
}

// Information for logs and for the handling of failures.
extension Session {
  /// Why the session failed; nil until a call has reported the failure.
  package var failure: TLSFailure? { side.state.failure }

  /// The TLS version in OpenSSL's form, such as `TLSv1.3`.
  package var protocolVersion: String {
    unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) } ?? ""
  }

  /// OpenSSL's name of the cipher suite; empty until client and server have agreed on a suite.
  var cipherName: String {
    guard let cipher = unsafe SSL_get_current_cipher(ssl) else { return "" }
    return unsafe SSL_CIPHER_get_name(cipher).map { unsafe String(cString: $0) } ?? ""
  }
}
