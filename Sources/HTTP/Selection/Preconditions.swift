internal import Bytes

/// The preconditions of a request (RFC 9110 section 13).
package enum Preconditions {
  package enum Outcome: UInt8, Sendable {
    /// Answer as if there were no preconditions.
    case proceed
    /// Answer with the status 304.
    case notModified
    /// Answer with the status 412.
    case failed
  }

  /// Evaluates the preconditions of a request in the order of RFC 9110 section 13.2.2. Compares the
  /// preconditions with the representation that the server would send without them.
  ///
  /// A malformed or empty If-Match or If-None-Match is ignored. But if a request has If-Match, its
  /// If-Unmodified-Since is ignored too. If a request has If-None-Match, its If-Modified-Since is
  /// ignored too.
  ///
  /// - Parameters:
  ///   - entityTag: The strong entity tag of the representation, including its quotes.
  ///   - lastModified: Seconds since 1970; nil if unknown.
  ///   - now: Seconds since 1970.
  package static func evaluate(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, entityTag: Span<UInt8>,
    lastModified: Int64?, now: Int64
  ) -> Outcome {
    guard head.names.containsConditions else { return .proceed }
    return evaluateAll(
      head, bytes, entityTag: entityTag, lastModified: lastModified, now: now)
  }

  private static func evaluateAll(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, entityTag: Span<UInt8>,
    lastModified: Int64?, now: Int64
  ) -> Outcome {
    let method = head.method
    switch method {
    // These methods select no representation, so preconditions do not apply to them (section
    // 13.2.1).
    case .connect, .options, .trace: return .proceed
    default: break
    }
    let reads = method == .get || method == .head

    if head.names.contains(.ifMatch) {
      let match = matchTags(.ifMatch, head, bytes, entityTag, weakly: false)
      if match == .none { return .failed }
    } else if head.names.contains(.ifUnmodifiedSince), let lastModified,
      let date = date(.ifUnmodifiedSince, head, bytes, now: now), lastModified > date
    {
      return .failed
    }

    if head.names.contains(.ifNoneMatch) {
      let match = matchTags(.ifNoneMatch, head, bytes, entityTag, weakly: true)
      if match == .some { return reads ? .notModified : .failed }
    } else if reads, head.names.contains(.ifModifiedSince), let lastModified,
      let date = date(.ifModifiedSince, head, bytes, now: now),
      // Compare the dates for equality. A file that was rolled back to an older version has an
      // older date, but the client's copy is still a different version. RFC 9110 section 13.1.3
      // allows an exact match with dates that this server sent.
      lastModified == date
    {
      return .notModified
    }
    return .proceed
  }

  private enum Match: UInt8 {
    case malformed, none, some
  }

  /// Compares the representation's entity tag with the tags in all lines of a field (RFC 9110
  /// section 8.8.3.2).
  private static func matchTags(
    _ name: FieldName, _ head: borrowing RequestHead, _ bytes: Span<UInt8>,
    _ entityTag: Span<UInt8>, weakly: Bool
  ) -> Match {
    var tags = 0
    var stars = 0
    var found = false
    var next = 0
    while let index = head.nextField(name, from: next) {
      next = index &+ 1
      let value = head.knownLines[index].valueRange
      var list = EntityTagList(from: value.lowerBound, to: value.upperBound)
      while let member = list.next(bytes) {
        switch member {
        case .malformed: return .malformed
        case .any: stars &+= 1
        case .tag(let isWeak, let start, let end):
          tags &+= 1
          if (weakly || !isWeak) && equal(bytes, start, end, entityTag) { found = true }
        }
      }
    }
    // The field is either a single `*` or a list of tags.
    if stars > 0 { return stars == 1 && tags == 0 ? .some : .malformed }
    if tags == 0 { return .malformed }
    return found ? .some : .none
  }

  private static func equal(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ other: Span<UInt8>
  ) -> Bool {
    guard end &- start == other.count else { return false }
    var offset = 0
    while offset < other.count {
      if bytes[start &+ offset] != other[offset] { return false }
      offset &+= 1
    }
    return true
  }

  /// Returns the date of a field; nil if the field is repeated or not a date (RFC 9110 sections
  /// 13.1.3, 13.1.4).
  private static func date(
    _ name: FieldName, _ head: borrowing RequestHead, _ bytes: Span<UInt8>, now: Int64
  ) -> Int64? {
    guard let index = head.nextField(name, from: 0),
      head.nextField(name, from: index &+ 1) == nil
    else { return nil }
    let value = head.knownLines[index].valueRange
    return HTTPDate.parse(bytes, from: value.lowerBound, to: value.upperBound, now: now)
  }
}

extension FieldNames {
  /// Whether the request has any precondition.
  package var containsConditions: Bool {
    contains(.ifNoneMatch) || contains(.ifModifiedSince) || contains(.ifMatch)
      || contains(.ifUnmodifiedSince)
  }
}

/// Iterates over the value of If-Match or If-None-Match: `*` or a list of entity tags (RFC 9110
/// sections 8.8.3 and 13.1.1).
struct EntityTagList {
  enum Member {
    /// The opaque tag with its quotes is at `start..<end`.
    case tag(isWeak: Bool, start: Int, end: Int)
    case any
    case malformed
  }

  private var index: Int
  private let end: Int

  init(from start: Int, to end: Int) {
    index = start
    self.end = end
  }

  /// Returns the next member; nil after the last member. After `malformed`, the following members
  /// are meaningless.
  mutating func next(_ bytes: Span<UInt8>) -> Member? {
    // Skip empty members, as a recipient must (section 5.6.1.2).
    while index < end, bytes[index].isWhitespace || bytes[index] == UInt8(ascii: ",") {
      index &+= 1
    }
    guard index < end else { return nil }
    if bytes[index] == UInt8(ascii: "*") {
      index &+= 1
      return endsMember(bytes) ? .any : .malformed
    }
    let isWeak =
      end &- index >= 2 && bytes[index] == UInt8(ascii: "W")
      && bytes[index &+ 1] == UInt8(ascii: "/")
    if isWeak { index &+= 2 }
    let start = index
    guard index < end, bytes[index] == UInt8(ascii: "\"") else { return .malformed }
    index &+= 1
    // etagc = %x21 / %x23-7E / obs-text
    while index < end, bytes[index] != UInt8(ascii: "\"") {
      let byte = bytes[index]
      guard byte > ASCII.space, byte != ASCII.delete else { return .malformed }
      index &+= 1
    }
    guard index < end else { return .malformed }
    index &+= 1
    let tagEnd = index
    return endsMember(bytes) ? .tag(isWeak: isWeak, start: start, end: tagEnd) : .malformed
  }

  /// Returns whether only white space comes before the next comma or the end of the value.
  private mutating func endsMember(_ bytes: Span<UInt8>) -> Bool {
    while index < end, bytes[index].isWhitespace { index &+= 1 }
    return index == end || bytes[index] == UInt8(ascii: ",")
  }
}
