internal import Bytes

// The fields that a proxy adds when it forwards a request. Other code decides whether to trust
// these fields.

extension FieldNames {
  private static let forwarding: UInt32 = {
    [FieldName.forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto]
      .reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }()

  /// Whether the head has any field that proxies add.
  package var containsForwarding: Bool { bits & Self.forwarding != 0 }
}

/// An element of the Forwarded field. Each proxy appends an element.
package struct ForwardedMember: Sendable, Equatable {
  /// The address from which the proxy received the request, as text. The text may contain quotation
  /// marks, brackets or a port.
  package var node: Range<Int>?
  package var host: Range<Int>?
  package var proto: Range<Int>?

  init() {}
}

extension RequestHead {
  /// Returns the members of all X-Forwarded-For fields, in order. Allocates an array, which is
  /// acceptable because only requests from a proxy have these fields.
  package func forwardedFor(_ bytes: Span<UInt8>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var index = 0
    while let line = nextField(.xForwardedFor, from: index) {
      index = line + 1
      let value = knownLines[line].valueRange
      var members = ListMembers(from: value.lowerBound, to: value.upperBound)
      while let member = members.next(bytes) { result.append(member.start..<member.end) }
    }
    return result
  }

  /// Returns the last member of the last field with this name: the member that the nearest proxy
  /// added.
  package func lastMember(_ name: FieldName, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard names.contains(name) else { return nil }
    var last: Range<Int>?
    var index = 0
    while let line = nextField(name, from: index) {
      index = line + 1
      let value = knownLines[line].valueRange
      var members = ListMembers(from: value.lowerBound, to: value.upperBound)
      while let member = members.next(bytes) { last = member.start..<member.end }
    }
    return last
  }

  /// Returns the elements of all Forwarded fields, in order (RFC 7239 section 4). For a malformed
  /// element, returns an element without values. A client may have sent the malformed element, and
  /// the proxy's element after it is still valid.
  package func forwarded(_ bytes: Span<UInt8>) -> [ForwardedMember] {
    var result: [ForwardedMember] = []
    var index = 0
    while let line = nextField(.forwarded, from: index) {
      index = line + 1
      var reader = ForwardedReader(knownLines[line].valueRange)
      while let member = reader.next(bytes) { result.append(member) }
    }
    return result
  }
}

/// Reads `Forwarded = 1#( [ pair ] *( ";" [ pair ] ) )`, where `pair = token "=" value` and a value
/// is a token or a quoted-string.
struct ForwardedReader {
  private var index: Int
  private let end: Int

  init(_ range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next element; nil after the last element. Skips empty elements, as a recipient
  /// must (RFC 9110 section 5.6.1).
  mutating func next(_ bytes: Span<UInt8>) -> ForwardedMember? {
    while index < end, bytes[index].isWhitespace || bytes[index] == UInt8(ascii: ",") { index += 1 }
    if index >= end { return nil }
    let start = index
    if let member = element(bytes) { return member }
    // A malformed element ends at its first comma, even if this comma is within quotation marks.
    // Otherwise, a client could open a quotation mark that makes the proxy's element a part of the
    // client's element.
    index = start
    while index < end, bytes[index] != UInt8(ascii: ",") { index += 1 }
    return ForwardedMember()
  }

  /// Reads one element and the comma that follows. Returns nil if the element is malformed.
  private mutating func element(_ bytes: Span<UInt8>) -> ForwardedMember? {
    var member = ForwardedMember()
    while true {
      skipWhitespace(bytes)
      if index < end, ByteClass.token.contains(bytes[index]) {
        guard readPair(bytes, into: &member) else { return nil }
        skipWhitespace(bytes)
      }
      if index >= end { return member }
      let separator = bytes[index]
      index += 1
      if separator == UInt8(ascii: ",") { return member }
      guard separator == UInt8(ascii: ";") else { return nil }
    }
  }

  private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
    while index < end, bytes[index].isWhitespace { index += 1 }
  }

  private mutating func readPair(_ bytes: Span<UInt8>, into member: inout ForwardedMember) -> Bool {
    let nameStart = index
    let nameEnd = skipToken(bytes, from: index, to: end)
    guard nameEnd < end, bytes[nameEnd] == UInt8(ascii: "=") else { return false }
    index = nameEnd + 1
    let value: Range<Int>
    if index < end, bytes[index] == UInt8(ascii: "\"") {
      let start = index + 1
      index = start
      while index < end, bytes[index] != UInt8(ascii: "\"") {
        // A quoted-pair (RFC 9110 section 5.6.4). No value that this server uses contains a
        // quoted-pair.
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard index < end else { return false }
      value = start..<index
      index += 1
    } else {
      let start = index
      index = skipToken(bytes, from: index, to: end)
      guard index > start else { return false }
      value = start..<index
    }
    switch (
      nameEnd - nameStart, foldedWord(bytes, at: nameStart, count: min(5, nameEnd - nameStart))
    )
    {
    case (3, Word.forwardedFor): member.node = value
    case (4, Word.host): member.host = value
    case (5, Word.forwardedProto): member.proto = value
    default: break
    }
    return true
  }
}

/// Returns the host of an authority (RFC 9110 section 7.2) without port, brackets or final dot; nil
/// if the bytes are not an authority.
package func hostOfAuthority(_ bytes: Span<UInt8>, in range: Range<Int>) -> Range<Int>? {
  Authority(bytes, from: range.lowerBound, to: range.upperBound)?.host
}

/// Returns whether the bytes are `https`, ignoring case.
package func isHTTPSScheme(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
  range.count == 5 && foldedWord(bytes, at: range.lowerBound, count: 5) == Word.https
}
