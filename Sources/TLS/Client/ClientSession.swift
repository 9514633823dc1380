internal import COpenSSL
package import Posix

/// The client's side of one TLS connection on a non-blocking socket. It belongs to one thread.
///
/// The handshake ends well whatever certificate the server shows: before anything is sent or
/// believed, ask `verification`.
@safe
package struct ClientSession: ~Copyable {
  private let ssl: OpaquePointer
  private let context: ClientContext
  private let host: String
  private let state = State()

  private final class State {
    var failure: TLSFailure?
  }

  /// Why the session failed, once a call has said so.
  package var failure: TLSFailure? { state.failure }

  /// What became of one attempt to go on with the handshake.
  package enum HandshakeOutcome: Equatable, Sendable {
    case done
    case wantsRead
    case wantsWrite
    /// What the server answered is no TLS record: most likely plain HTTP.
    case notTLS
    case failed(TLSFailure)
  }

  /// - Parameters:
  ///   - host: the name that is asked for (RFC 6066) and that the certificate must have; or an
  ///     address literal, which is not sent.
  ///   - descriptor: a connected, non-blocking socket that stays open for as long as the session;
  ///     the session does not close it.
  package init(
    context: ClientContext, host: String, descriptor: borrowing FileDescriptor
  ) throws(TLSError) {
    ErrorQueue.clear()
    guard let ssl = unsafe SSL_new(context.handle.pointer) else {
      throw ErrorQueue.error("SSL_new")
    }
    guard unsafe SSL_set_fd(ssl, descriptor.rawValue) == 1,
      unsafe Self.setNames(ssl, host)
    else {
      unsafe SSL_free(ssl)
      throw ErrorQueue.error("SSL_set_fd")
    }
    unsafe SSL_set_connect_state(ssl)
    unsafe self.ssl = ssl
    self.context = context
    self.host = host
  }

  deinit { withExtendedLifetime(context) { unsafe SSL_free(ssl) } }

  /// Server name and the protocol that is spoken (ALPN, RFC 7301).
  private static func setNames(_ ssl: OpaquePointer, _ host: String) -> Bool {
    let name = Array(host.utf8)
    // Literal addresses are not permitted as server names (RFC 6066 section 3).
    if ipAddress(name.span) == nil, unsafe aasa_set_server_name(ssl, host) != 1 { return false }
    let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
    // Of all OpenSSL functions this one returns 0 for success.
    return unsafe SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) == 0
  }

  /// Goes on with the handshake as far as the socket allows.
  package func handshake() -> HandshakeOutcome {
    if let failure { return .failed(failure) }
    ErrorQueue.clear()
    let result = unsafe SSL_do_handshake(ssl)
    if result == 1 { return .done }
    switch unsafe SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_SSL:
      let verdict = QueueVerdict()
      let failure = TLSFailure(verdict.fault, verdict.text)
      state.failure = failure
      return verdict.isWrongVersion ? .notTLS : .failed(failure)
    default:
      let failure = Records.connectionLost()
      state.failure = failure
      return .failed(failure)
    }
  }

  /// Reads decrypted bytes into `buffer`, which must not be empty.
  package func read(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    if failure != nil { return .failed }
    return unsafe Records.read(ssl, into: &buffer) { state.failure = $0 }
  }

  /// Encrypts and writes some of `bytes`, which must not be empty.
  ///
  /// After `wantsRead` or `wantsWrite` the same bytes must be offered again, from any address.
  package func write(_ bytes: Span<UInt8>) -> TransferOutcome {
    if failure != nil { return .failed }
    return unsafe Records.write(ssl, bytes) { state.failure = $0 }
  }

  /// Tells the server that nothing more will come (`close_notify`), if that can be told at once.
  package func closeNotify() {
    if failure == nil { unsafe Records.closeNotify(ssl) }
  }
}

extension ClientSession {
  /// `TLSv1.3`, `TLSv1.2`.
  package var protocolVersion: String { unsafe Records.version(ssl) }

  /// The protocol that the server chose by ALPN; empty when it chose none.
  package var agreedProtocol: String {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(ssl, &start, &count)
    guard let start = unsafe start else { return "" }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// What the server showed, and whether it is to be believed; after the handshake.
  ///
  /// - Parameter now: seconds since 1970.
  package func verification(now: Int64) -> PeerVerification {
    var chain: [X509] = []
    let stack = unsafe SSL_get_peer_cert_chain(ssl)
    for index in 0..<max(0, unsafe aasa_x509_stack_count(stack)) {
      guard let pointer = unsafe aasa_x509_stack_get(stack, index),
        unsafe X509_up_ref(pointer) == 1
      else { break }
      chain.append(unsafe X509(owning: pointer))
    }
    return verify(chain, host: host, trust: context.trust, now: now)
  }
}
