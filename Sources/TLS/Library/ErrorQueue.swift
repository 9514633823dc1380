internal import COpenSSL
internal import LibC

/// A failed call of an OpenSSL function.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the function in OpenSSL's manual.
  package let call: String
  /// OpenSSL's reasons, oldest first, separated by `; `. Empty if OpenSSL gave no reason.
  package let reason: String

  package init(_ call: String, reason: String) {
    self.call = call
    self.reason = reason
  }

  package var description: String {
    reason.isEmpty ? "\(call) failed" : "\(call): \(reason)"
  }
}

/// The error queue that OpenSSL keeps for each thread.
///
/// `SSL_get_error` reads the queue and would mistake an old entry for the latest call's error. So
/// the queue is cleared before every call whose failure is examined.
enum ErrorQueue {
  /// One error in the queue. `library` and `reason` are OpenSSL's numbers.
  struct Entry {
    let library: Int32
    let reason: Int32
    let isFatal: Bool
  }

  @inline(__always)
  static func clear() {
    // The queue is nearly always empty. Clearing an empty queue takes longer than this check,
    // because OpenSSL visits every possible entry.
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }

  /// Removes all errors from the queue, and passes each error to `inspect`. Returns OpenSSL's
  /// reasons as text, the oldest first.
  static func drain(_ inspect: (Entry) -> Void = { _ in }) -> String {
    var reasons: [String] = []
    while true {
      var data: UnsafePointer<CChar>? = nil
      var flags: Int32 = 0
      let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
      if code == 0 { break }
      inspect(
        Entry(
          library: ERR_GET_LIB(code), reason: ERR_GET_REASON(code),
          isFatal: ERR_FATAL_ERROR(code) != 0))
      var text = words(of: code)
      if flags & ERR_TXT_STRING != 0, let data = unsafe data, unsafe data.pointee != 0 {
        text += " (" + (unsafe String(cString: data)) + ")"
      }
      // Each OpenSSL function that passes an error to its caller adds an entry to the queue, often
      // with the same text. Skip the repeated texts.
      if reasons.last != text { reasons.append(text) }
    }
    return reasons.joined(separator: "; ")
  }

  /// Returns the error of a call that has just failed, and empties the queue.
  static func error(_ call: String) -> TLSError { TLSError(call, reason: drain()) }

  private static func words(of code: UInt) -> String {
    if aasa_is_system_error(code) == 1 {
      return unsafe strerror(ERR_GET_REASON(code)).map { unsafe String(cString: $0) } ?? "errno"
    }
    return unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
      ?? "error \(code)"
  }
}
