internal import Bytes

/// The parts of a URL in the forms in which patterns are compared with them, in reused buffers.
///
/// *Written*: as in the URL. Characters that a URL cannot contain are percent-encoded first, as
/// Foundation does, so that there is never a raw space or `é`, nor a `%` that begins no escape.
/// *Decoded*: each part, and each name and value of the query, is decoded after splitting, so `%26`
/// never separates items.
///
/// Texts are Unicode scalars. Bytes that are not UTF-8 after decoding are numbers beyond Unicode: a
/// wildcard matches them, a literal never does.
struct URLTexts {
  /// Ranges of `scalars`.
  struct Texts {
    /// Normalised: one slash first, runs of slashes joined, none at the end except in `/`.
    var path = 0..<0
    var query = 0..<0
    var fragment = 0..<0
    /// Indexes into `items`.
    var items = 0..<0

    func range(of part: URLPart) -> Range<Int> {
      switch part {
      case .path: path
      case .query: query
      case .fragment: fragment
      }
    }
  }

  struct Item {
    var name: Range<Int>
    var value: Range<Int>
  }

  private(set) var scalars: [UInt32] = []
  private(set) var items: [Item] = []
  private(set) var written = Texts()
  private(set) var decoded = Texts()

  mutating func load(_ url: Span<UInt8>, _ parts: URLParts, decoding: Bool) {
    scalars.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    written = load(url, parts, isDecoded: false)
    if decoding { decoded = load(url, parts, isDecoded: true) }
  }

  private mutating func load(_ url: Span<UInt8>, _ parts: URLParts, isDecoded: Bool) -> Texts {
    var texts = Texts()
    texts.path = append(url, parts.path, isDecoded)
    normalizePath(&texts.path)
    let query = parts.query ?? 0..<0
    texts.query = append(url, query, isDecoded)
    texts.fragment = append(url, parts.fragment ?? 0..<0, isDecoded)
    let firstItem = items.count
    appendItems(url, query, isDecoded)
    texts.items = firstItem..<items.count
    return texts
  }

  private mutating func append(
    _ url: Span<UInt8>, _ range: Range<Int>, _ isDecoded: Bool
  ) -> Range<Int> {
    let start = scalars.count
    if isDecoded { appendDecoded(url, range) } else { appendWritten(url, range) }
    return start..<scalars.count
  }

  private mutating func normalizePath(_ path: inout Range<Int>) {
    let start = path.lowerBound
    var end = start
    var wasSlash = false
    for index in path {
      let isSlash = scalars[index] == 0x2F
      if isSlash && wasSlash { continue }
      wasSlash = isSlash
      scalars[end] = scalars[index]
      end += 1
    }
    if end > start + 1, wasSlash { end -= 1 }
    scalars.removeLast(scalars.count - end)
    if end == start {
      scalars.append(0x2F)
      end += 1
    }
    path = start..<end
  }

  /// `name=value` between `&`; without `=` the value is empty.
  private mutating func appendItems(_ url: Span<UInt8>, _ query: Range<Int>, _ isDecoded: Bool) {
    if query.isEmpty { return }
    var start = query.lowerBound
    while true {
      var end = start
      var equals: Int?
      while end < query.upperBound, url[end] != UInt8(ascii: "&") {
        if equals == nil, url[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      let name = append(url, start..<(equals ?? end), isDecoded)
      let value = append(url, min((equals ?? end) + 1, end)..<end, isDecoded)
      items.append(Item(name: name, value: value))
      if end == query.upperBound { return }
      start = end + 1
    }
  }

  private mutating func appendWritten(_ url: Span<UInt8>, _ range: Range<Int>) {
    for index in range {
      let byte = url[index]
      if isURLByte(byte), byte != UInt8(ascii: "%") || beginsEscape(url, index, range.upperBound) {
        scalars.append(UInt32(byte))
      } else {
        scalars.append(UInt32(UInt8(ascii: "%")))
        scalars.append(UInt32(UInt8.hexDigit(byte >> 4)))
        scalars.append(UInt32(UInt8.hexDigit(byte & 15)))
      }
    }
  }

  private mutating func appendDecoded(_ url: Span<UInt8>, _ range: Range<Int>) {
    var decoder = ScalarDecoder()
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = url[index]
      index += 1
      if byte == UInt8(ascii: "%"), index + 2 <= range.upperBound,
        let high = url[index].hexValue, let low = url[index + 1].hexValue
      {
        byte = high << 4 | low
        index += 2
      }
      decoder.take(byte, into: &scalars)
    }
    decoder.finish(into: &scalars)
  }
}

/// pct-encoded = "%" HEXDIG HEXDIG (RFC 3986 section 2.1)
@inline(__always)
private func beginsEscape(_ url: Span<UInt8>, _ index: Int, _ end: Int) -> Bool {
  index + 2 < end && url[index + 1].hexValue != nil
    && url[index + 2].hexValue != nil
}

/// Whether the byte may be in a path, query or fragment (RFC 3986 appendix A), including brackets
/// and `%`.
private func isURLByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x00...0x20, 0x7F...0xFF: false
  case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
    UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
    UInt8(ascii: "|"), UInt8(ascii: "}"):
    false
  default: true
  }
}
