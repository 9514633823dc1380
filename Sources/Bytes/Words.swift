// Reads eight bytes at a time, so that parsing the head of a request costs two instructions per
// byte instead of eight. The loads are ordinary checked subscripts: the compiler proves that all
// eight bytes exist and merges them into one load.

/// The eight bytes from `index` as a little-endian word; nil if fewer remain.
@inlinable @inline(__always)
package func word(_ bytes: Span<UInt8>, at index: Int) -> UInt64? {
  guard index >= 0, index <= bytes.count &- 8 else { return nil }
  let eight = bytes.extracting(index..<(index &+ 8))
  return UInt64(eight[0]) | UInt64(eight[1]) << 8 | UInt64(eight[2]) << 16
    | UInt64(eight[3]) << 24 | UInt64(eight[4]) << 32 | UInt64(eight[5]) << 40
    | UInt64(eight[6]) << 48 | UInt64(eight[7]) << 56
}

/// A word with `byte` in all eight places.
@inlinable @inline(__always)
package func repeated(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

/// The `count` (1 to 8) bytes from `index` as a word, with letters in lower case.
///
/// Setting bit 5 also maps some control characters to digits and the hyphen, so use this only for
/// printable bytes.
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

/// Returns a text of up to eight bytes as a word, to compare with the results of `word`. A
/// lower-case text also matches `foldedWord`.
///
/// The optimizer turns the result into a constant if the caller is a small function. Therefore,
/// each word is declared as a computed property. Reading such a property costs no more than reading
/// a number.
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
