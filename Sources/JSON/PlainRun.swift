internal import Bytes

/// Returns the first byte at or after `position` that ends a plain run of a string: a quote, a
/// backslash, a control character or a byte beyond ASCII. Without one, returns a position at most
/// seven bytes before the end of `bytes`.
///
/// Tests eight bytes at a time: for each kind of byte, a subtraction borrows into the top bit of
/// its place. A borrow may also mark places above the first hit, but only the first hit counts.
@inline(__always)
func endOfPlainRun(_ bytes: Span<UInt8>, from position: Int) -> Int {
  var position = position
  while let word = word(bytes, at: position) {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let hits =
      ((quote &- 0x0101_0101_0101_0101) & ~quote)
      | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
      | (word &- 0x2020_2020_2020_2020) | word
    let marks = hits & 0x8080_8080_8080_8080
    if marks != 0 { return position &+ marks.trailingZeroBitCount / 8 }
    position &+= 8
  }
  return position
}
