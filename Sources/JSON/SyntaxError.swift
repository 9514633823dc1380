/// The first place where a text breaks the grammar of RFC 8259, and what its writer probably did.
package struct SyntaxError: Error, Sendable, Equatable {
  package let kind: Kind

  /// The bytes to point at; empty where something is missing.
  package let range: Range<Int>

  /// The bracket or quote that is unclosed or closed wrongly.
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

  /// The ways in which people break JSON. Each number is that of the diagnostic's code and is never
  /// reused.
  package enum Kind: Int, Sendable, CaseIterable {
    // The file is not JSON.
    case empty = 1
    case onlyWhiteSpace = 2
    case byteOrderMark = 3
    /// UTF-16 or UTF-32.
    case wrongEncoding = 4
    case html = 5
    case pem = 6
    case propertyList = 7
    case yaml = 8
    case compressed = 9

    // Punctuation.
    case trailingCommaInObject = 10
    case trailingCommaInArray = 11
    case missingComma = 12
    case missingColon = 13
    case extraComma = 14
    case missingValue = 15
    case missingKey = 16
    /// A colon in an array: the writer typed `[` instead of `{`.
    case colonInArray = 17

    // Brackets.
    case unclosedObject = 18
    case unclosedArray = 19
    case mismatchedBracket = 20
    case extraClosingBracket = 21
    case textAfterEnd = 22

    // Strings.
    case unclosedString = 23
    case controlCharacter = 24
    case badEscape = 25
    case badUnicodeEscape = 26
    case invalidUTF8 = 27
    case unescapedQuote = 28
    case singleQuotes = 29
    case curlyQuotes = 30
    case unquotedKey = 31
    case unquotedText = 32

    // Numbers and words.
    case leadingZero = 33
    case plusSign = 34
    case bareDecimalPoint = 35
    case malformedNumber = 36
    case nanOrInfinity = 37
    /// Literals of other languages: `True`, `None`, `undefined`.
    case wrongLiteral = 38

    // Syntax of other formats.
    case comment = 39
    case ellipsis = 40
    case invisibleCharacter = 41
    case unexpectedCharacter = 42

    // Limits.
    case tooDeep = 43
    case tooLarge = 44

    // The file is not JSON; added later.
    case richText = 45
    case archive = 46
    case base64 = 47
    case javaScript = 48
    case plainText = 49
    /// The marks of an unfinished merge.
    case mergeConflict = 50
    case markdown = 51
    /// A picture or a document.
    case otherFile = 52
    /// `{\"key\": …}`
    case escapedTwice = 53

    /// The diagnostic's code, such as `J001`.
    package var code: String {
      "J" + String(repeating: "0", count: rawValue < 10 ? 2 : 1) + String(rawValue)
    }
  }

  /// The tokens that the grammar allows at a position.
  enum Expected: UInt8, Sendable {
    /// A value, at the beginning of the text.
    case text
    case element, memberValue, key, colon, commaOrBrace, commaOrBracket
    /// Nothing: the text is complete.
    case end
  }
}

extension SyntaxError.Expected {
  /// The expectation, phrased for the end of a sentence.
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
