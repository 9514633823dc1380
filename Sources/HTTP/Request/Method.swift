internal import Bytes

/// A request method (RFC 9110 section 9, RFC 5789). Case matters.
package enum Method: UInt8, Sendable, CaseIterable {
  case get, head, post, put, delete, connect, options, trace, patch
  /// Any other method. A request with such a method gets a 501.
  case unknown

  /// Identifies the method whose name is the bytes from `start` to `end`.
  @inline(__always)
  init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let count = end &- start
    guard count <= 7, let eight = word(bytes, at: start) else {
      self = .unknown
      return
    }
    let name = eight & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    switch name {
    case Name.get: self = .get
    case Name.head: self = .head
    case Name.post: self = .post
    case Name.put: self = .put
    case Name.delete: self = .delete
    case Name.connect: self = .connect
    case Name.options: self = .options
    case Name.trace: self = .trace
    case Name.patch: self = .patch
    default: self = .unknown
    }
  }

  /// The name of each method, packed into one 64-bit word.
  private enum Name {
    static var get: UInt64 { letters("GET") }
    static var head: UInt64 { letters("HEAD") }
    static var post: UInt64 { letters("POST") }
    static var put: UInt64 { letters("PUT") }
    static var delete: UInt64 { letters("DELETE") }
    static var connect: UInt64 { letters("CONNECT") }
    static var options: UInt64 { letters("OPTIONS") }
    static var trace: UInt64 { letters("TRACE") }
    static var patch: UInt64 { letters("PATCH") }
  }
}
