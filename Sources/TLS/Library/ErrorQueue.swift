internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// OpenSSL refused something of ours: which call, and its error queue in words, oldest first.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call as the manual names it.
  package let call: String
  /// OpenSSL's reasons, oldest first, separated by `; `. Empty when it gave none.
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
/// `SSL_get_error` reads the queue, so an old entry would be taken for the fault of the call just
/// made: it is cleared before every call whose failure is looked at.
enum ErrorQueue {
  /// One entry, as numbers.
  struct Entry {
    let library: Int32
    let reason: Int32
    let isFatal: Bool
  }

  @inline(__always)
  static func clear() {
    // Nearly always it is empty, and clearing goes through every entry there could be.
    if ERR_peek_error() != 0 { ERR_clear_error() }
  }

  /// Empties the queue into words, oldest first, and shows each entry to `inspect`.
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
      // Every layer that passes an error on adds its own entry, often with the same words.
      if reasons.last != text { reasons.append(text) }
    }
    return reasons.joined(separator: "; ")
  }

  /// The error of a call that has just failed.
  static func error(_ call: String) -> TLSError { TLSError(call, reason: drain()) }

  private static func words(of code: UInt) -> String {
    if aasa_is_system_error(code) == 1 {
      return unsafe strerror(ERR_GET_REASON(code)).map { unsafe String(cString: $0) } ?? "errno"
    }
    return unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
      ?? "error \(code)"
  }
}
