// Eight bytes at a time: what makes a head cost two instructions per byte instead of eight. The
// loads are ordinary checked subscripts: once eight bytes are cut out, the compiler sees that all
// eight are there and joins them into one load.

/// Eight bytes from `index` on, the first one lowest; nil when there are not so many.
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

/// The first byte at or after `index` that is below `bound` (at most 0x80) or DEL; `end` when
/// there is none before it.
///
/// In each word, subtraction borrows into a byte's top bit when the byte is too small. A borrow
/// may also mark bytes above the first hit, never below it, and only the first hit counts.
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

/// Skips letters and the bytes from `-` up to `last` (less than 0x7F), as many as stand in whole
/// words and one word that begins with some; the rest is left to a loop byte by byte.
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
/// Setting bit 5 also maps some controls onto digits and the hyphen, so this is only for bytes
/// that are known to be printable.
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

/// Lower-case names of up to eight letters as `foldedWord` yields them.
enum Word {
  /// close
  static let close: UInt64 = 0x65_736F_6C63
  /// keep-ali
  static let keepAliveHead: UInt64 = 0x696C_612D_7065_656B
  /// ve
  static let keepAliveTail: UInt64 = 0x6576
  /// chunked
  static let chunked: UInt64 = 0x64_656B_6E75_6863
  /// 100-cont
  static let continueHead: UInt64 = 0x746E_6F63_2D30_3031
  /// inue
  static let continueTail: UInt64 = 0x6575_6E69
  /// gzip
  static let gzip: UInt64 = 0x7069_7A67
  /// x-gzip
  static let xGzip: UInt64 = 0x7069_7A67_2D78
  /// identity
  static let identity: UInt64 = 0x7974_6974_6E65_6469
  /// http
  static let http: UInt64 = 0x7074_7468
  /// https
  static let https: UInt64 = 0x73_7074_7468
  /// `*`, whose bit 5 is set already
  static let any: UInt64 = 0x2A
}
