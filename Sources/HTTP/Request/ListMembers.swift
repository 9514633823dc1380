internal import Bytes

/// Iterates over a comma-separated list (RFC 9110 section 5.6.1) whose members contain no quoted
/// strings.
struct ListMembers {
  struct Member {
    var start: Int
    var end: Int
    var count: Int { end &- start }
  }

  /// The beginning of the next member; greater than `end` after the last member.
  private var index: Int
  private let end: Int

  init(from start: Int, to end: Int) {
    index = start
    self.end = end
  }

  /// Returns the next member without surrounding white space; nil after the last member. Skips
  /// empty members, as a recipient must.
  @inline(__always)
  mutating func next(_ bytes: Span<UInt8>) -> Member? {
    while let member = nextOrEmpty(bytes) {
      if member.count > 0 { return member }
    }
    return nil
  }

  /// Returns the next member without surrounding white space. The member may be empty. Nil after
  /// the last member.
  @inline(__always)
  mutating func nextOrEmpty(_ bytes: Span<UInt8>) -> Member? {
    guard index <= end else { return nil }
    var start = index
    while start < end, bytes[start].isWhitespace { start &+= 1 }
    var comma = start
    while comma < end, bytes[comma] != UInt8(ascii: ",") { comma &+= 1 }
    var memberEnd = comma
    while memberEnd > start, bytes[memberEnd &- 1].isWhitespace { memberEnd &-= 1 }
    index = comma &+ 1
    return Member(start: start, end: memberEnd)
  }
}
