internal import Bytes

/// Returns the index of the first byte from `index` on that is DEL or less than `bound` (at most
/// 0x80); `end` if there is no such byte.
///
/// In each word of eight bytes, the subtraction sets the top bit of every byte that is less than
/// `bound`. A borrow may wrongly mark bytes after the first byte found, but never an earlier byte.
/// Only the first byte found matters.
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

/// Skips letters and the bytes from `-` up to `last` (less than 0x7F), one word at a time. Returns
/// the index of the first byte that is not skipped. If fewer than eight bytes remain, stops earlier
/// and returns the index of the first of these bytes; the caller then checks the remaining bytes
/// one by one.
///
/// First, the top bit of each byte is cleared. Then an addition sets the top bit of each byte that
/// is at least as large as a bound. The addition never carries into the next byte.
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

/// The letters of lower-case words as numbers, in the form that `foldedWord` returns. A word of
/// more than eight letters is split into two parts.
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
