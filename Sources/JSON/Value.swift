package import Diagnostics

/// A value in a document. A `Value` is cheap to copy: it contains only the document and an index,
/// and decodes its text on demand.
package struct Value: Sendable {
  package enum Kind: UInt8, Sendable {
    case object, array, string, number, boolean, null
  }

  let document: Document
  let index: Int

  private var node: Node { document.nodes[index] }

  package var kind: Kind { node.kind }

  /// The range of the value in the source, including quotes and brackets.
  package var range: Range<Int> { Int(node.start)..<Int(node.end) }

  /// An object's members in order, including duplicates; empty for other values.
  package var members: Members {
    Members(document: document, position: index + 1, end: kind == .object ? Int(node.next) : 0)
  }

  /// An array's elements in order; empty for other values.
  package var elements: Elements {
    Elements(document: document, position: index + 1, end: kind == .array ? Int(node.next) : 0)
  }

  /// Returns the last member whose key is `name`. Nil if no member has this key, or if this value
  /// is not an object.
  ///
  /// RFC 8259 section 4 does not say which member a reader uses if a key is repeated. Most readers
  /// use the last member. Apple's choice is unknown, so a server should report repeated keys.
  package func lastMember(_ name: String) -> Member? {
    var found: Member?
    for member in members where member.keyEquals(name) { found = member }
    return found
  }

  /// The value of the last member whose key is `name`.
  package func member(_ name: String) -> Value? { lastMember(name)?.value }

  /// Whether the object may have repeated keys. The result false is certain: no key is repeated. If
  /// the result is true, compare all keys to be certain. Few objects need this comparison.
  package var mayRepeatKeys: Bool {
    let bytes = document.source.bytes
    var seen: UInt64 = 0
    for member in members {
      let node = document.nodes[member.index]
      if node.hasEscapes { return true }
      let first = Int32(bytes[Int(node.start) + 1])
      let bit: UInt64 = 1 << UInt64((node.end - node.start + first) & 63)
      if seen & bit != 0 { return true }
      seen |= bit
    }
    return false
  }

  /// The text of a string with its escapes decoded. A lone surrogate becomes U+FFFD. Nil for other
  /// values.
  package var string: String? {
    kind == .string ? decodedString(node, of: document) : nil
  }

  /// Whether this is a string with exactly the scalars of `text`. Allocates no `String`.
  package func stringEquals(_ text: String) -> Bool {
    kind == .string && JSON.stringEquals(node, of: document, text)
  }

  package var bool: Bool? {
    kind == .boolean ? document.source.bytes[range.lowerBound] == UInt8(ascii: "t") : nil
  }

  /// The value as a number, rounded to the nearest `Double`. Nil for a value that is not a number,
  /// and for a number that is too large.
  package var number: Double? {
    guard kind == .number else { return nil }
    let value = Double(String(decoding: document.source.bytes[range], as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The value as an integer. Nil for a value that is not a number, and for a number that has a
  /// fraction or an exponent or does not fit into `Int`.
  package var integer: Int? {
    guard kind == .number else { return nil }
    return Int(String(decoding: document.source.bytes[range], as: UTF8.self))
  }
}

/// One member of an object.
package struct Member: Sendable {
  let document: Document
  let index: Int

  private var node: Node { document.nodes[index] }

  /// The key's text with escapes decoded. Creates a new `String` each time.
  package var key: String { decodedString(node, of: document) }

  /// The byte range of the key, including its quotes.
  package var keyRange: Range<Int> { Int(node.start)..<Int(node.end) }

  package var value: Value { Value(document: document, index: index + 1) }

  /// Whether the key has exactly the scalars of `name`. Allocates no `String`.
  package func keyEquals(_ name: String) -> Bool { stringEquals(node, of: document, name) }
}

package struct Members: Sequence, IteratorProtocol, Sendable {
  let document: Document
  var position: Int
  let end: Int

  package var isEmpty: Bool { position >= end }

  package mutating func next() -> Member? {
    guard position < end else { return nil }
    defer { position = Int(document.nodes[position + 1].next) }
    return Member(document: document, index: position)
  }
}

package struct Elements: Sequence, IteratorProtocol, Sendable {
  let document: Document
  var position: Int
  let end: Int

  package var isEmpty: Bool { position >= end }

  package mutating func next() -> Value? {
    guard position < end else { return nil }
    defer { position = Int(document.nodes[position].next) }
    return Value(document: document, index: position)
  }
}

extension JSONTree {
  /// Copies a parsed value, including the order of its members and repeated keys.
  package init(_ value: JSON.Value) {
    switch value.kind {
    case .object: self = .object(value.members.map(Member.init))
    case .array: self = .array(value.elements.map(JSONTree.init))
    default: self = .token(Array(value.document.source.bytes[value.range]))
    }
  }
}

extension JSONTree.Member {
  package init(_ member: JSON.Member) { self.init(member, JSONTree(member.value)) }

  /// Creates a member with the key of another member and a new value.
  package init(_ member: JSON.Member, _ value: JSONTree) {
    self.init(writtenKey: Array(member.document.source.bytes[member.keyRange]), value)
  }
}
