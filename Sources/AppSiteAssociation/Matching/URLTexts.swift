internal import Bytes
internal import Rules

/// The parts of a URL in the two forms that patterns are compared with: written and decoded.
///
/// *Written* texts are the parts as they appear in the URL, except that characters that no URL may
/// contain are percent-encoded, as in Foundation. So patterns are never compared with a raw space,
/// with `é`, or with a `%` outside an escape. *Decoded* texts are percent-decoded after the URL was
/// split into parts and the query into names and values. So an encoded `&` (`%26`) never separates
/// query items.
///
/// Texts are Unicode scalars. A decoded byte that is not valid UTF-8 becomes a number above all
/// Unicode scalars. Wildcards match such a number, but literal characters never match it.
package struct URLTexts {
  struct Texts {
    /// The normalized path: one leading slash, no runs of slashes, no trailing slash except in `/`.
    var path: [UInt32] = []
    var query: [UInt32] = []
    var fragment: [UInt32] = []
    var items: [Item] = []
    /// The values of the query items, with the name of the item as the key. With this dictionary,
    /// many rules can test the items of a long query quickly.
    var values: [[UInt32]: [[UInt32]]] = [:]

    subscript(part: URLPart) -> [UInt32] {
      switch part {
      case .path: path
      case .query: query
      case .fragment: fragment
      }
    }
  }

  struct Item {
    let name: [UInt32]
    let value: [UInt32]
  }

  let written: Texts
  /// The percent-decoded texts. Empty if no pattern is compared with decoded text.
  let decoded: Texts

  init(_ span: Span<UInt8>, _ parts: URLParts, decoding: Bool) {
    var url: [UInt8] = []
    url.reserveCapacity(span.count)
    for index in span.indices { url.append(span[index]) }
    written = Self.texts(url, parts, Self.written)
    decoded = decoding ? Self.texts(url, parts, Self.decoded) : Texts()
  }

  private typealias Reading = ([UInt8], Range<Int>) -> [UInt32]

  private static func texts(_ url: [UInt8], _ parts: URLParts, _ read: Reading) -> Texts {
    let query = parts.query ?? 0..<0
    var texts = Texts(
      path: normalized(read(url, parts.path)), query: read(url, query),
      fragment: read(url, parts.fragment ?? 0..<0), items: items(url, query, read))
    for item in texts.items { texts.values[item.name, default: []].append(item.value) }
    return texts
  }

  private static func normalized(_ text: [UInt32]) -> [UInt32] {
    let slash = UInt32(UInt8(ascii: "/"))
    var path: [UInt32] = []
    path.reserveCapacity(text.count)
    for symbol in text where symbol != slash || path.last != slash { path.append(symbol) }
    if path.count > 1, path.last == slash { path.removeLast() }
    return path.isEmpty ? [slash] : path
  }

  /// Splits a query into `name=value` items at `&`. An item without `=` has an empty value.
  private static func items(
    _ url: [UInt8], _ query: Range<Int>, _ read: Reading
  ) -> [Item] {
    if query.isEmpty { return [] }
    var items: [Item] = []
    var start = query.lowerBound
    while start <= query.upperBound {
      let rest = start..<query.upperBound
      let end = rest.first { url[$0] == UInt8(ascii: "&") } ?? query.upperBound
      let equals = (start..<end).first { url[$0] == UInt8(ascii: "=") } ?? end
      items.append(
        Item(name: read(url, start..<equals), value: read(url, min(equals + 1, end)..<end)))
      start = end + 1
    }
    return items
  }

  private static func written(_ url: [UInt8], _ range: Range<Int>) -> [UInt32] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(range.count)
    for index in range {
      let byte = url[index]
      if isURLByte(byte), byte != UInt8(ascii: "%") || beginsEscape(url, index, range.upperBound) {
        scalars.append(UInt32(byte))
      } else {
        scalars += [
          UInt32(UInt8(ascii: "%")), UInt32(UInt8.hexDigit(byte >> 4)),
          UInt32(UInt8.hexDigit(byte & 15)),
        ]
      }
    }
    return scalars
  }

  private static func decoded(_ url: [UInt8], _ range: Range<Int>) -> [UInt32] {
    var scalars: [UInt32] = []
    var decoder = ScalarDecoder()
    for byte in url[range].percentDecoded { decoder.take(byte, into: &scalars) }
    decoder.finish(into: &scalars)
    return scalars
  }
}

/// Whether a percent-encoded byte begins at `index`: "%" HEXDIG HEXDIG (RFC 3986 section 2.1).
func beginsEscape(_ url: [UInt8], _ index: Int, _ end: Int) -> Bool {
  url[index] == UInt8(ascii: "%") && index + 2 < end && url[index + 1].hexValue != nil
    && url[index + 2].hexValue != nil
}

/// Whether a byte may occur in a path, query or fragment (RFC 3986 appendix A), or is a bracket or
/// `%`.
package func isURLByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x00...0x20, 0x7F...0xFF: false
  case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
    UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
    UInt8(ascii: "|"), UInt8(ascii: "}"):
    false
  default: true
  }
}

/// Converts bytes to Unicode scalars, byte by byte. Each byte that is not part of valid UTF-8 (RFC
/// 3629 section 4) becomes a number above all Unicode scalars: `0x110000` plus the byte.
struct ScalarDecoder {
  /// The bytes of the current UTF-8 sequence that were already read. `missing` is the number of
  /// bytes that the sequence still lacks.
  private var sequence: [UInt8] = []
  private var missing = 0
  /// The range of values that are valid for the next byte.
  private var next: ClosedRange<UInt8> = 0x80...0xBF
  private var value: UInt32 = 0

  mutating func take(_ byte: UInt8, into scalars: inout [UInt32]) {
    if missing > 0 {
      if next.contains(byte) {
        sequence.append(byte)
        missing -= 1
        next = 0x80...0xBF
        value = value << 6 | UInt32(byte & 0x3F)
        if missing == 0 {
          scalars.append(value)
          sequence.removeAll(keepingCapacity: true)
        }
        return
      }
      finish(into: &scalars)
    }
    if let form = Self.form(ofLead: byte) {
      sequence.append(byte)
      (missing, next) = (form.missing, form.second)
      value = UInt32(byte) & (0x3F >> UInt32(missing))
    } else {
      scalars.append(byte < 0x80 ? UInt32(byte) : Self.beyondUnicode | UInt32(byte))
    }
  }

  /// Call this at the end of a text. Each byte of an unfinished UTF-8 sequence becomes a number
  /// above all Unicode scalars.
  mutating func finish(into scalars: inout [UInt32]) {
    for byte in sequence { scalars.append(Self.beyondUnicode | UInt32(byte)) }
    sequence.removeAll(keepingCapacity: true)
    missing = 0
  }

  static let beyondUnicode: UInt32 = 0x110000

  /// Returns the number of bytes that follow `byte` in a UTF-8 sequence, and the range of valid
  /// values for the second byte. The range excludes overlong forms, surrogates and values beyond
  /// U+10FFFF. Nil if no sequence can begin with `byte`.
  static func form(ofLead byte: UInt8) -> (missing: Int, second: ClosedRange<UInt8>)? {
    switch byte {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    default: nil
    }
  }
}
