/// Reads the tags of an XML text, and the texts between them. Supports only the entities that XML
/// predefines. Reads each byte only once, so the size limit of the file also limits the work.
struct XMLScanner {
  struct Tag {
    let name: String
    let isEnd: Bool
    fileprivate(set) var attributes: [String: String] = [:]
    /// The line on which the tag begins, counted from 1.
    let line: Int
  }

  private let bytes: [UInt8]
  private let allowsDocumentType: Bool
  private var position = 0
  private var line = 1
  /// The names of the elements that have begun but not ended, from outermost to innermost.
  private var open: [String] = []
  /// Whether the last tag was an element without content, such as `<array/>`. If so, the next call
  /// of `next` returns the end tag of this element.
  private var endsAtOnce = false
  /// The number of elements that have begun so far.
  private(set) var count = 0
  /// The text between the last two tags. Entities are decoded. An ampersand that does not begin an
  /// entity remains in the text.
  private(set) var text: [UInt8] = []

  var depth: Int { open.count }

  /// - Parameter start: The index at which the XML begins. Lines are counted from the beginning of
  ///   `bytes`, even if `start` is not 0.
  init(_ bytes: [UInt8], from start: Int = 0, allowsDocumentType: Bool = false) {
    self.bytes = bytes
    self.allowsDocumentType = allowsDocumentType
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    advance(start)
    if hasPrefix(mark) { advance(mark.count) }
  }

  func fault(_ message: String) -> AppFileFault { .content("line \(line): \(message)") }

  /// Returns the next tag; nil after the last element. Skips declarations and comments. For an
  /// element such as `<a/>`, returns a start tag and then an end tag.
  mutating func next() throws(AppFileFault) -> Tag? {
    text = []
    if endsAtOnce, let name = open.popLast() {
      endsAtOnce = false
      return Tag(name: name, isEnd: true, line: line)
    }
    while let byte = peek {
      if byte != UInt8(ascii: "<") {
        let start = position
        while let byte = peek, byte != UInt8(ascii: "<") { advance() }
        text += try decoded(bytes[start..<position], isStrict: false)
        continue
      }
      switch bytes[position...].dropFirst().first {
      case UInt8(ascii: "/"): return try end()
      case UInt8(ascii: "?"): try skip(past: "?>")
      case UInt8(ascii: "!"): try skipDeclaration()
      default: return try start()
      }
    }
    guard let name = open.last else { return nil }
    throw fault("the XML text ends before the expected </\(name)>")
  }

  /// Skips a comment or a document type. Appends the content of a CDATA section to `text`.
  private mutating func skipDeclaration() throws(AppFileFault) {
    if hasPrefix("<!--".utf8) {
      try skip(past: "-->")
    } else if hasPrefix("<![CDATA[".utf8) {
      advance(9)
      let start = position
      try skip(past: "]]>")
      text += bytes[start..<(position - 3)]
    } else {
      guard allowsDocumentType else { throw fault("document types are not supported") }
      try skip(past: ">")
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<min(count, bytes.count - position) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private func hasPrefix(_ prefix: some Sequence<UInt8>) -> Bool {
    bytes[position...].starts(with: prefix)
  }

  private mutating func skip(past end: String) throws(AppFileFault) {
    while position < bytes.count {
      if hasPrefix(end.utf8) { return advance(end.utf8.count) }
      advance()
    }
    throw fault("the XML text ends before the expected \(end)")
  }

  private mutating func skipSpace() {
    while let byte = peek, isXMLSpace(byte) { advance() }
  }

  private mutating func start() throws(AppFileFault) -> Tag {
    let start = line
    advance()
    var tag = Tag(name: try name(), isEnd: false, line: start)
    tag.attributes = try attributes()
    endsAtOnce = hasPrefix("/>".utf8)
    guard endsAtOnce || peek == UInt8(ascii: ">") else {
      throw fault("the tag <\(tag.name)> is not closed")
    }
    advance(endsAtOnce ? 2 : 1)
    open.append(tag.name)
    count += 1
    return tag
  }

  private mutating func end() throws(AppFileFault) -> Tag {
    let start = line
    advance(2)
    let name = try name()
    guard let expected = open.popLast() else { throw fault("</\(name)> has no opening tag") }
    guard name == expected else { throw fault("</\(expected)> is expected") }
    skipSpace()
    guard peek == UInt8(ascii: ">") else { throw fault("</\(name)> is not closed") }
    advance()
    return Tag(name: name, isEnd: true, line: start)
  }

  private mutating func name() throws(AppFileFault) -> String {
    let start = position
    while let byte = peek, byte > 0x20, !"/>=<\"'&".utf8.contains(byte) { advance() }
    guard position > start, let name = String(validating: bytes[start..<position], as: UTF8.self)
    else { throw fault("the name of an element or attribute is missing here") }
    return name
  }

  private mutating func attributes() throws(AppFileFault) -> [String: String] {
    var result: [String: String] = [:]
    while true {
      skipSpace()
      guard let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return result
      }
      let name = try self.name()
      skipSpace()
      guard peek == UInt8(ascii: "=") else { throw fault("the attribute \(name) has no value") }
      advance()
      skipSpace()
      guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw fault("the value of the attribute \(name) is not in quotes")
      }
      advance()
      let start = position
      while let byte = peek, byte != quote, byte != UInt8(ascii: "<") { advance() }
      guard peek == quote else {
        throw fault(
          "the value of the attribute \(name) has no closing quotation mark"
            + (peek == nil ? "" : " before the next `<`; in a value, write `<` as `&lt;`"))
      }
      let content = try decoded(bytes[start..<position], isStrict: true)
      guard let value = String(validating: content, as: UTF8.self) else {
        throw fault("the value of the attribute \(name) is not UTF-8")
      }
      advance()
      guard result.updateValue(value, forKey: name) == nil else {
        throw fault("the attribute \(name) is repeated")
      }
    }
  }

  /// Returns the text with its entities and character references decoded. If `isStrict` is true,
  /// throws for an invalid entity or character reference.
  private func decoded(
    _ bytes: ArraySlice<UInt8>, isStrict: Bool
  ) throws(AppFileFault) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<sign]
      rest = rest[(sign + 1)...]
      // Stop at the next `&`. Otherwise a text with many ampersands would take quadratic time.
      let content = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") }
      let name = String(decoding: content, as: UTF8.self)
      let isClosed = rest[content.endIndex...].first == UInt8(ascii: ";")
      if isClosed, let character = Self.character(name) {
        result += String(character).utf8
        rest = rest[(content.endIndex + 1)...]
      } else if isStrict {
        if !isClosed { throw fault("& does not begin an entity reference, such as &amp;") }
        throw fault(
          name.hasPrefix("#") ? "&\(name); is not a character" : "there is no entity &\(name);")
      } else {
        result.append(UInt8(ascii: "&"))
      }
    }
    return result + rest
  }

  private static func character(_ name: String) -> Character? {
    guard name.hasPrefix("#") else { return entities[name] }
    let digits = name.dropFirst()
    let isHex = digits.hasPrefix("x")
    return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10)
      .flatMap(Unicode.Scalar.init).map(Character.init)
  }

  private static let entities: [String: Character] = [
    "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&",
  ]
}

func isXMLSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
