// Eight bytes at a time, so that a head costs two instructions per byte instead of eight. The loads
// are ordinary checked subscripts: the compiler proves that all eight bytes exist and joins them
// into one load.

/// Eight bytes from `index` on, the first one lowest; nil if there are fewer.
@inlinable @inline(__always)
package func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64? {
  guard index >= 0, index <= bytes.count &- 8 else { return nil }
  let eight = bytes.extracting(index..<(index &+ 8))
  return UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16
    | UInt64(eight[3]) << 24 | UInt64(eight[4]) << 32 | UInt64(eight[5]) << 40
    | UInt64(eight[6]) << 48 | UInt64(eight[7]) << 56
}

/// `byte` in all eight places.
@inlinable @inline(__always)
package func repeated(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

/// The first byte at or after `index` that is below `bound` (at most 0x80) or DEL; `end` if there
/// is none before it.
///
/// In each word, subtraction borrows into a byte's top bit if the byte is too small. A borrow may
/// also mark bytes above the first hit, never below it, and only the first hit counts.
@inline(__always)
func firstByte(
  below bound: UInt8, in bytes: Span<UInt8>, from index: Int, to end: Int
) -> Int {
  var index = index
  while index < end, let eight = word(bytes, at: index) {
    let notDelete = eight ^ repeated(ASCII.delete)
    let hits =
      ((eight &- repeated(bound)) & ~eight | (notDelete &- repeated(1)) & ~notDelete)
      & repeated(0x80)
    if hits != 0 { return min(index &+ hits.trailingZeroBitCount &>> 3, end) }
    index &+= 8
  }
  while index < end {
    let byte = bytes[index]
    if byte < bound || byte == ASCII.delete { return index }
    index &+= 1
  }
  return end
}

/// Skips letters and the bytes from `-` up to `last` (less than 0x7F) in whole words, and at the
/// beginning of the next word; the caller checks the rest byte by byte.
///
/// With the top bits cleared, adding moves a byte's top bit when it reaches a bound, and nothing
/// carries into the next byte.
@inline(__always)
func skipCommon(
  upTo last: UInt8, in bytes: Span<UInt8>, from index: Int, to end: Int
) -> Int {
  var index = index
  while index < end, let eight = word(bytes, at: index) {
    let low = eight & repeated(0x7F)
    let letter = low | repeated(0x20)
    let isLetter = (letter &+ repeated(0x80 - 0x61)) & ~(letter &+ repeated(0x80 - 0x7B))
    let isMark = (low &+ repeated(0x80 - 0x2D)) & ~(low &+ repeated(0x80 - (last + 1)))
    let others = ~((isLetter | isMark) & ~eight) & repeated(0x80)
    if others != 0 { return min(index &+ others.trailingZeroBitCount &>> 3, end) }
    index &+= 8
  }
  return min(index, end)
}

/// The first `count` (1 to 8) bytes from `index` on as a word, letters in lower case.
///
/// Setting bit 5 also maps some controls to digits and the hyphen, so this is for bytes that are
/// known to be printable only.
@inlinable @inline(__always)
package func foldedWord(_ bytes: Span<UInt8>, at index: Int, count: Int) -> UInt64 {
  let fold = repeated(0x20) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
  if let eight = word(bytes, at: index) {
    return eight & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count) | fold
  }
  var result: UInt64 = 0
  var offset = 0
  while offset < count {
    result |= UInt64(bytes[index &+ offset]) &<< UInt64(truncatingIfNeeded: 8 &* offset)
    offset &+= 1
  }
  return result | fold
}

/// A text of up to eight bytes in the form of `word`; in lower case, in the form of `foldedWord`.
///
/// For the optimiser such a short text is a constant, and so is the result, if this is called in a
/// small function of its own: so each word is a computed property, which costs as much as a number.
@inlinable @inline(__always)
package func letters(_ text: String) -> UInt64 {
  var result: UInt64 = 0
  var shift: UInt64 = 0
  for byte in text.utf8 {
    result |= UInt64(byte) &<< shift
    shift &+= 8
  }
  return result
}

/// Lower-case words in the form of `foldedWord`, longer ones in parts.
enum Word {
  @inline(__always) static var host: UInt64 { letters("host") }
  @inline(__always) static var close: UInt64 { letters("close") }
  @inline(__always) static var keepAliveHead: UInt64 { letters("keep-ali") }
  @inline(__always) static var keepAliveTail: UInt64 { letters("ve") }
  @inline(__always) static var chunked: UInt64 { letters("chunked") }
  @inline(__always) static var continueHead: UInt64 { letters("100-cont") }
  @inline(__always) static var continueTail: UInt64 { letters("inue") }
  @inline(__always) static var gzip: UInt64 { letters("gzip") }
  @inline(__always) static var xGzip: UInt64 { letters("x-gzip") }
  @inline(__always) static var identity: UInt64 { letters("identity") }
  @inline(__always) static var http: UInt64 { letters("http") }
  @inline(__always) static var https: UInt64 { letters("https") }
  @inline(__always) static var forwardedFor: UInt64 { letters("for") }
  @inline(__always) static var forwardedProto: UInt64 { letters("proto") }
  @inline(__always) static var any: UInt64 { letters("*") }
}
