internal import Bytes

/// Returns the first byte at or after `index` that is DEL or below `bound` (at most 0x80), or `end`
/// if there is none.
///
/// In each word, the subtraction borrows into the top bit of every byte that is too small. A borrow
/// may also mark bytes above the first hit, but never below it, and only the first hit matters.
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

/// Skips letters and the bytes from `-` up to `last` (less than 0x7F), a word at a time. Returns
/// the index of the first other byte; the caller checks the rest byte by byte.
///
/// With the top bits cleared, the addition sets a byte's top bit if the byte reaches a bound, and
/// nothing carries into the next byte.
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

/// Lower-case words as `foldedWord` returns them. Longer words are split into parts.
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
