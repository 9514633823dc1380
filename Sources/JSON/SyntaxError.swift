/// The first place where a text breaks the grammar of RFC 8259, and the probable mistake.
package struct SyntaxError: Error, Sendable, Equatable {
  package let kind: Kind

  /// The bytes with the error; empty if a token is missing at this position.
  package let range: Range<Int>

  /// The opening bracket or quote of the object, array or string that contains the error.
  package let opening: Range<Int>?

  /// The tokens that the grammar allows at `range`.
  let expected: Expected

  /// The limit that the text exceeds, for `tooDeep` and `tooLarge`.
  let limit: Int

  init(
    _ kind: Kind, _ range: Range<Int>, opening: Int? = nil, expected: Expected = .text,
    limit: Int = 0
  ) {
    self.kind = kind
    self.range = range
    self.opening = opening.map { $0..<$0 + 1 }
    self.expected = expected
    self.limit = limit
  }

  /// The tokens that the grammar allows at a position.
  enum Expected: UInt8, Sendable {
    /// A value, at the beginning of the text.
    case text
    case element, memberValue, key, colon, commaOrBrace, commaOrBracket
    /// Nothing: the text is complete.
    case end

    /// The allowed tokens in words, for the end of a sentence.
    var words: String {
      switch self {
      case .text: "a JSON text begins with `{`"
      case .element: "an element of an array is expected"
      case .memberValue: "the value of a member is expected"
      case .key: "a key in double quotes is expected"
      case .colon: "a colon is expected"
      case .commaOrBrace: "a comma or `}` is expected"
      case .commaOrBracket: "a comma or `]` is expected"
      case .end: "the text is complete"
      }
    }
  }
}
