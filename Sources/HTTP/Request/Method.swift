/// A request method (RFC 9110 section 9, RFC 5789). Case matters.
package enum Method: UInt8, Sendable, CaseIterable {
  case get, head, post, put, delete, connect, options, trace, patch
  /// A token that names none of these; whoever answers says 501.
  case unknown

  /// The method that stands at `start` up to `end`, a token.
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

  /// The letters of each method as a word, the first lowest.
  private enum Name {
    static let get: UInt64 = 0x54_4547
    static let head: UInt64 = 0x4441_4548
    static let post: UInt64 = 0x5453_4F50
    static let put: UInt64 = 0x54_5550
    static let delete: UInt64 = 0x4554_454C_4544
    static let connect: UInt64 = 0x54_4345_4E4E_4F43
    static let options: UInt64 = 0x53_4E4F_4954_504F
    static let trace: UInt64 = 0x45_4341_5254
    static let patch: UInt64 = 0x48_4354_4150
  }
}
