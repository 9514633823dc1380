/// A host and a port: `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2).
///
/// Accepts what can be the host of a site: a name whose labels have letters, digits, `-`, `_` and
/// `~` (IPv4 addresses have that form too), or an IPv6 address in brackets. The generic grammar
/// also has percent-encoded bytes and sub-delims in names, empty labels, and future address forms.
/// No DNS name has them (RFC 3986 section 3.2.2), and `,` appears when two Host fields are joined.
/// They are refused like everything outside the grammar.
struct Authority {
  /// Without brackets, and without the final dot of a complete name: `a.example.` and `a.example`
  /// are one host.
  var host: Range<Int>
  /// Nil if there is none, or no digit after the colon (RFC 3986 section 3.2.3).
  var port: UInt16?

  /// The longest name that the DNS can hold, without its last dot (RFC 1035 section 3.1).
  private static let longestName = 253
  private static let longestLabel = 63

  /// The authority that fills `start..<end`; nil if those bytes are not one. An empty host is
  /// invalid too (RFC 9110 section 4.2.1).
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var index = start
    if index < end, bytes[index] == UInt8(ascii: "[") {
      index &+= 1
      while index < end, bytes[index] != UInt8(ascii: "]") { index &+= 1 }
      guard index < end, isIPv6Address(bytes, from: start &+ 1, to: index) else { return nil }
      host = start &+ 1..<index
      index &+= 1
    } else {
      guard let nameEnd = Self.skipName(bytes, from: start, to: end) else { return nil }
      index = nameEnd
      let lastDot = bytes[index &- 1] == UInt8(ascii: ".")
      host = start..<(lastDot ? index &- 1 : index)
      guard host.count <= Self.longestName else { return nil }
    }
    if index == end { return }
    guard bytes[index] == UInt8(ascii: ":") else { return nil }
    index &+= 1
    if index == end { return }
    guard end &- index <= 5 else { return nil }
    var number: UInt32 = 0
    while index < end {
      let byte = bytes[index]
      guard byte.isDigit else { return nil }
      number = number &* 10 &+ UInt32(byte &- UInt8(ascii: "0"))
      index &+= 1
    }
    guard number <= 65535 else { return nil }
    port = UInt16(truncatingIfNeeded: number)
  }

  /// The end of a name of labels, at `end` or at a colon; nil if there is no name.
  @inline(__always)
  private static func skipName(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var index = start
    var labelStart = start
    while true {
      while index < end, ByteClass.label.contains(bytes[index]) { index &+= 1 }
      let length = index &- labelStart
      guard length <= longestLabel else { return nil }
      if index == end || bytes[index] != UInt8(ascii: ".") {
        // Only the last label may be empty, after the dot of a complete name.
        return length > 0 || labelStart > start ? index : nil
      }
      guard length > 0 else { return nil }
      index &+= 1
      labelStart = index
    }
  }
}

/// Whether the bytes are an IPv6 address: eight groups of up to four hexadecimal digits, one run of
/// them shortened to `::`, the last two perhaps as IPv4 (RFC 3986 section 3.2.2). A zone is not
/// allowed, because it means something on its own host only (RFC 9844).
func isIPv6Address(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
  var index = start
  var groups = 0
  var isShortened = false
  if end &- index >= 2, bytes[index] == UInt8(ascii: ":"), bytes[index &+ 1] == UInt8(ascii: ":") {
    isShortened = true
    index &+= 2
  }
  while index < end {
    let groupStart = index
    while index < end, bytes[index].hexValue != nil { index &+= 1 }
    if index < end, bytes[index] == UInt8(ascii: ".") {
      guard isIPv4Address(bytes, from: groupStart, to: end) else { return false }
      groups &+= 2
      break
    }
    guard index > groupStart, index &- groupStart <= 4 else { return false }
    groups &+= 1
    if index == end { break }
    guard bytes[index] == UInt8(ascii: ":") else { return false }
    index &+= 1
    if index == end { return false }
    if bytes[index] == UInt8(ascii: ":") {
      guard !isShortened else { return false }
      isShortened = true
      index &+= 1
    }
  }
  return isShortened ? groups <= 7 : groups == 8
}

/// Whether the bytes are four decimal numbers up to 255 without leading zeros, with dots.
private func isIPv4Address(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
  var index = start
  var numbers = 0
  while true {
    let numberStart = index
    var number = 0
    while index < end, bytes[index].isDigit, index &- numberStart < 4 {
      number = number &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
      index &+= 1
    }
    let digits = index &- numberStart
    guard digits >= 1, digits <= 3, number <= 255 else { return false }
    guard digits == 1 || bytes[numberStart] != UInt8(ascii: "0") else { return false }
    numbers &+= 1
    if index == end { return numbers == 4 }
    guard bytes[index] == UInt8(ascii: "."), numbers < 4 else { return false }
    index &+= 1
  }
}
