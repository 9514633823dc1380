/// Reads the elements of a DER encoding one after another (X.690 sections 8.1 and 10.1). Supports
/// only what certificates and keys need: tags of one octet, and definite lengths in their shortest
/// form.
///
/// We do not use OpenSSL here, because OpenSSL takes a hundred times as long. If this type throws a
/// fault, OpenSSL reads the encoding instead, so the user never sees the fault. A structure cannot
/// store a span, so each method takes the bytes as an argument.
struct DER {
  /// The encoding is not as expected, or uses an unsupported form.
  struct Fault: Error, Equatable {}

  struct Element: Equatable {
    let tag: UInt8
    /// The range of the whole element, including the identifier and length octets.
    let whole: Range<Int>
    let content: Range<Int>
  }

  enum Tag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30

    /// The tag of an explicit `[number]`, which encloses another element.
    static func explicit(_ number: UInt8) -> UInt8 { 0xA0 | number }
    /// The tag of an implicit `[number]`, which replaces a primitive element's own tag.
    static func implicit(_ number: UInt8) -> UInt8 { 0x80 | number }
  }

  private(set) var position: Int
  let end: Int

  /// Prepares to read the elements in `range`, which must be within the bytes.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position >= end }

  /// Returns the tag of the next element; nil if no element follows.
  func nextTag(_ bytes: Span<UInt8>) -> UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func next(_ bytes: Span<UInt8>) throws(Fault) -> Element {
    let start = position
    guard end - start >= 2 else { throw Fault() }
    let tag = bytes[start]
    // A tag with a number above 30 takes more octets. No element here has such a tag, so refuse it.
    guard tag & 0x1F != 0x1F else { throw Fault() }
    var length = Int(bytes[start + 1])
    var content = start + 2
    if length >= 0x80 {
      // 0x80 is the indefinite form, which DER forbids. Three length octets are enough for 16 MB.
      let octets = length & 0x7F
      guard octets > 0, octets <= 3, end - content >= octets else { throw Fault() }
      length = 0
      for index in content..<(content + octets) { length = length << 8 | Int(bytes[index]) }
      guard length >= 0x80, length >> (8 * (octets - 1)) != 0 else { throw Fault() }
      content += octets
    }
    guard length <= end - content else { throw Fault() }
    position = content + length
    return Element(tag: tag, whole: start..<position, content: content..<position)
  }

  /// Returns the content of the next element, which must have this tag.
  mutating func next(_ tag: UInt8, _ bytes: Span<UInt8>) throws(Fault) -> Range<Int> {
    let element = try next(bytes)
    guard element.tag == tag else { throw Fault() }
    return element.content
  }

  /// Returns the content of the next element if it has this tag; otherwise consumes nothing.
  mutating func nextIfPresent(_ tag: UInt8, _ bytes: Span<UInt8>) throws(Fault) -> Range<Int>? {
    nextTag(bytes) == tag ? try next(tag, bytes) : nil
  }

  /// Enters the next element, which must have this tag.
  mutating func enter(_ tag: UInt8, _ bytes: Span<UInt8>) throws(Fault) -> DER {
    DER(try next(tag, bytes))
  }

  /// Returns the content of the next element, which must be a non-negative integer (X.690 section
  /// 8.3). Omits a leading zero octet that only marks the number as positive.
  mutating func nextNumber(_ bytes: Span<UInt8>) throws(Fault) -> Range<Int> {
    let content = try next(Tag.integer, bytes)
    guard let first = content.first, bytes[first] < 0x80 else { throw Fault() }
    if bytes[first] != 0 || content.count == 1 { return content }
    // DER forbids a longer form than necessary.
    guard bytes[first + 1] >= 0x80 else { throw Fault() }
    return (first + 1)..<content.upperBound
  }

  /// Returns the octets of the next element, which must be a BIT STRING of whole octets.
  mutating func nextBits(_ bytes: Span<UInt8>) throws(Fault) -> Range<Int> {
    let content = try next(Tag.bitString, bytes)
    guard let first = content.first, bytes[first] == 0 else { throw Fault() }
    return (first + 1)..<content.upperBound
  }

  /// Throws if any element follows.
  func finish() throws(Fault) {
    guard isAtEnd else { throw Fault() }
  }
}
