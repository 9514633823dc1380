internal import Posix

/// Bytes of lines, put together in memory that is used again and again.
struct LineBuffer: Sendable {
  /// What is written are its first `count` bytes.
  private(set) var memory: [UInt8] = []
  private(set) var count = 0

  mutating func removeAll() { count = 0 }

  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if count &+ more > memory.count { grow(more) }
  }

  private mutating func grow(_ more: Int) {
    memory += Array(repeating: 0, count: max(more, memory.count, 4096))
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8]) {
    makeRoom(for: bytes.count)
    let start = count
    var space = memory.mutableSpan
    count = space.copy(bytes, at: start)
  }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    memory[count] = byte
    count += 1
  }

  mutating func append(decimal number: UInt64) {
    makeRoom(for: 20)
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19 && number >= bound {
      digits &+= 1
      bound &*= 10
    }
    if number >= 10_000_000_000_000_000_000 { digits = 20 }
    var rest = number
    var index = count &+ digits
    count = index
    repeat {
      index &-= 1
      memory[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      digits &-= 1
    } while digits > 0
  }

  private mutating func append(hexadecimal group: UInt16) {
    makeRoom(for: 4)
    var hasBegun = false
    var shift: UInt16 = 16
    while shift > 0 {
      shift -= 4
      let value = UInt8(truncatingIfNeeded: group >> shift) & 0xF
      if value == 0 && !hasBegun && shift > 0 { continue }
      hasBegun = true
      memory[count] = hexadecimalDigit(value)
      count += 1
    }
  }

  /// Appends `bytes[range]` so that it can stand in a JSON string and in a line: what is not
  /// printable ASCII, quotation marks and backslashes become `\u00XX`, byte by byte.
  mutating func appendEscaped(_ bytes: [UInt8], _ range: Range<Int>) {
    makeRoom(for: range.count * 6)
    for index in range {
      let byte = bytes[index]
      if byte &- 0x20 < 0x5F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        memory[count] = byte
        count += 1
        continue
      }
      memory[count] = UInt8(ascii: "\\")
      memory[count + 1] = UInt8(ascii: "u")
      memory[count + 2] = UInt8(ascii: "0")
      memory[count + 3] = UInt8(ascii: "0")
      memory[count + 4] = hexadecimalDigit(byte >> 4)
      memory[count + 5] = hexadecimalDigit(byte & 0xF)
      count += 6
    }
  }

  /// Appends an address in its usual form (RFC 5952).
  mutating func append(_ address: PeerAddress) {
    if address.isIPv4 {
      append(decimal: address.low >> 24 & 0xFF)
      append(UInt8(ascii: "."))
      append(decimal: address.low >> 16 & 0xFF)
      append(UInt8(ascii: "."))
      append(decimal: address.low >> 8 & 0xFF)
      append(UInt8(ascii: "."))
      append(decimal: address.low & 0xFF)
      return
    }
    let zeros = longestZeros(address)
    var index = 0
    while index < 8 {
      if index == zeros.lowerBound && zeros.count > 1 {
        append(UInt8(ascii: ":"))
        append(UInt8(ascii: ":"))
        index = zeros.upperBound
        continue
      }
      if index > 0 && (index != zeros.upperBound || zeros.count < 2) {
        append(UInt8(ascii: ":"))
      }
      append(hexadecimal: group(index, of: address))
      index += 1
    }
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

private func group(_ index: Int, of address: PeerAddress) -> UInt16 {
  let half = index < 4 ? address.high : address.low
  return UInt16(truncatingIfNeeded: half >> UInt64(48 - index % 4 * 16))
}

/// The first of the longest runs of groups that are zero.
private func longestZeros(_ address: PeerAddress) -> Range<Int> {
  var longest = 0..<0
  var start = 0
  for index in 0..<8 {
    if group(index, of: address) != 0 {
      start = index + 1
    } else if index + 1 - start > longest.count {
      longest = start..<(index + 1)
    }
  }
  return longest
}
