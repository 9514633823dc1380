package import JSON

/// A value in a file, with the range of its bytes.
package struct Located<Content: Sendable>: Sendable {
  package let value: Content
  /// The range of the value, including quotes and brackets.
  package let range: Range<Int>
  /// The range of the value's key, including quotes; nil for an element of an array.
  package let keyRange: Range<Int>?

  package init(_ value: Content, range: Range<Int>, keyRange: Range<Int>? = nil) {
    self.value = value
    self.range = range
    self.keyRange = keyRange
  }
}

extension Located: Equatable where Content: Equatable {}

/// A text that is compared by its Unicode scalars, as on devices. In contrast, `String` treats
/// canonically equivalent texts as equal.
package struct ExactText: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }
}

extension Value {
  /// The range to underline: of an object or array, only the opening bracket; of any other value,
  /// the whole value.
  package var head: Range<Int> {
    kind == .object || kind == .array ? range.lowerBound..<(range.lowerBound + 1) : range
  }

  /// The strings in an array, each with its range. Elements that are not strings are omitted.
  package var locatedStrings: [Located<String>] {
    elements.compactMap { element in
      element.string.map { Located($0, range: element.range) }
    }
  }
}

extension Member {
  /// The string with its range; nil if the value is not a string.
  package var locatedString: Located<String>? {
    value.string.map { Located($0, range: value.range, keyRange: keyRange) }
  }

  /// The Boolean with its range; nil if the value is neither a Boolean nor a number. Numbers are
  /// read as in Foundation: 0 is false, and every other number is true.
  package var locatedBool: Located<Bool>? {
    let truth = value.bool ?? value.number.map { $0 != 0 }
    return truth.map { Located($0, range: value.range, keyRange: keyRange) }
  }
}

/// Returns whether the value of a key is a remark for human readers, such as a comment. Devices
/// ignore such a key.
package func isRemark(_ key: String) -> Bool {
  switch key.utf8.first {
  case UInt8(ascii: "_"), UInt8(ascii: "$"): true
  case UInt8(ascii: "/"): key.hasPrefix("//")
  case UInt8(ascii: "c"), UInt8(ascii: "C"): ["comment", "comments"].contains(key.lowercased())
  default: false
  }
}
