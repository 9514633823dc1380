internal import COpenSSL
internal import Posix

/// What both sides of a connection do alike once it is made: application data out of records and
/// into them (RFC 8446 section 5), and the end.
///
/// Every call clears the error queue first, for `SSL_get_error` reads it.
enum Records {
  /// Reads decrypted bytes into `buffer`, which must not be empty.
  ///
  /// - Parameter fail: is told why, when the session is of no more use.
  @inline(__always)
  static func read(
    _ ssl: OpaquePointer, into buffer: inout MutableSpan<UInt8>, fail: (TLSFailure) -> Void
  ) -> TransferOutcome {
    precondition(!buffer.isEmpty)
    ErrorQueue.clear()
    var moved = 0
    let result = unsafe buffer.withUnsafeMutableBufferPointer { memory in
      unsafe SSL_read_ex(ssl, memory.baseAddress, memory.count, &moved)
    }
    return result == 1 ? .moved(moved) : unsafe outcome(ssl, ofFailed: result, fail)
  }

  /// Encrypts and writes some of `bytes`, which must not be empty.
  ///
  /// - Parameter fail: as for `read`.
  @inline(__always)
  static func write(
    _ ssl: OpaquePointer, _ bytes: Span<UInt8>, fail: (TLSFailure) -> Void
  ) -> TransferOutcome {
    precondition(!bytes.isEmpty)
    ErrorQueue.clear()
    var moved = 0
    let result = unsafe bytes.withUnsafeBufferPointer { memory in
      unsafe SSL_write_ex(ssl, memory.baseAddress, memory.count, &moved)
    }
    return result == 1 ? .moved(moved) : unsafe outcome(ssl, ofFailed: result, fail)
  }

  private static func outcome(
    _ ssl: OpaquePointer, ofFailed result: Int32, _ fail: (TLSFailure) -> Void
  ) -> TransferOutcome {
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

  /// The socket ended or failed below TLS.
  static func connectionLost() -> TLSFailure {
    let text = ErrorQueue.drain()
    return TLSFailure(.peer, text.isEmpty ? "the connection was lost" : text, .connectionLost)
  }

  /// Tells the peer that nothing more will come (`close_notify`, RFC 8446 section 6.1), if that can
  /// be told at once: it never blocks, and does nothing during a handshake.
  static func closeNotify(_ ssl: OpaquePointer) {
    guard unsafe SSL_is_init_finished(ssl) == 1 else { return }
    ErrorQueue.clear()
    _ = unsafe SSL_shutdown(ssl)
  }

  /// `TLSv1.3`, `TLSv1.2`.
  static func version(_ ssl: OpaquePointer) -> String {
    unsafe SSL_get_version(ssl).map { unsafe String(cString: $0) } ?? ""
  }
}
