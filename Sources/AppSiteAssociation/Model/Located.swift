package import JSON

/// Something the file says, and where it says it.
package struct Located<Content: Sendable>: Sendable {
  package let value: Content
  /// The bytes of the value, quotes and brackets included.
  package let range: Range<Int>
  /// The bytes of its key, quotes included; nil for an element of an array.
  package let keyRange: Range<Int>?

  package init(_ value: Content, range: Range<Int>, keyRange: Range<Int>? = nil) {
    self.value = value
    self.range = range
    self.keyRange = keyRange
  }
}

extension Located: Equatable where Content: Equatable {}

/// A text as a key: equal when the scalars are. `String` takes texts for equal that only look the
/// same (canonical equivalence), which devices do not.
package struct ExactText: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }
}

extension Value {
  /// The last member whose key is `name`: the one that counts when a key is repeated.
  package func lastMember(_ name: String) -> Member? {
    var found: Member?
    for member in members where member.keyEquals(name) { found = member }
    return found
  }

  /// The strings of an array, each with its place; other elements are left out.
  var locatedStrings: [Located<String>] {
    elements.compactMap { element in
      element.string.map { Located($0, range: element.range) }
    }
  }
}

extension Member {
  /// The value when it is a string.
  var locatedString: Located<String>? {
    value.string.map { Located($0, range: value.range, keyRange: keyRange) }
  }

  /// The value when it is a boolean, or a number, which Foundation takes for one: not 0 is true.
  var locatedBool: Located<Bool>? {
    let truth = value.bool ?? value.number.map { $0 != 0 }
    return truth.map { Located($0, range: value.range, keyRange: keyRange) }
  }
}
