/// A network: all addresses that begin with the same bits (RFC 4632 section 3.1, RFC 4291 section
/// 2.3).
package struct Network: Hashable, Sendable, CustomStringConvertible {
  private let address: PeerAddress
  private let highMask: UInt64
  private let lowMask: UInt64
  /// The text from which it was parsed.
  package let description: String

  /// Parses `192.0.2.0/24`, `2001:db8::/32`, or one address; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let literal = SocketAddress(literal: String(parts[0]), port: 0) else {
      return nil
    }
    let bits = literal.isIPv4 ? 32 : 128
    var length = bits
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        let number = Int(parts[1]), number <= bits
      else { return nil }
      length = number
    }
    // An IPv4 address is in the last 32 bits.
    let total = UInt64(length + 128 - bits)
    highMask = total >= 64 ? .max : total == 0 ? 0 : UInt64.max << (64 - total)
    lowMask = total <= 64 ? 0 : UInt64.max << (128 - total)
    let whole = PeerAddress(octets: literal.octets)
    address = PeerAddress(high: whole.high & highMask, low: whole.low & lowMask)
    description = text
  }

  package func contains(_ other: PeerAddress) -> Bool {
    other.high & highMask == address.high && other.low & lowMask == address.low
  }

  /// Whether every IPv4 address is in it: `0.0.0.0/0`, and `::/0` as well.
  package var containsAllOfIPv4: Bool {
    contains(PeerAddress(high: 0, low: 0xFFFF_0000_0000))
      && contains(PeerAddress(high: 0, low: 0xFFFF_FFFF_FFFF))
  }
}

extension PeerAddress {
  /// - Parameter octets: Sixteen octets; an IPv4 address as IPv4-mapped IPv6.
  init(octets: [UInt8]) {
    var halves: (UInt64, UInt64) = (0, 0)
    for octet in octets.prefix(8) { halves.0 = halves.0 << 8 | UInt64(octet) }
    for octet in octets.dropFirst(8) { halves.1 = halves.1 << 8 | UInt64(octet) }
    self.init(high: halves.0, low: halves.1)
  }

  /// Parses an address literal without brackets, port or zone (RFC 4291 section 2.2); nil if it is
  /// not one. Allocates nothing, because it may be used for every request.
  package init?(literal bytes: Span<UInt8>) {
    guard bytes.count <= 45 else { return nil }
    if let four = Self.dotted(bytes, from: 0) {
      self.init(high: 0, low: 0xFFFF << 32 | UInt64(four))
      return
    }
    guard let (high, low) = Self.groups(bytes) else { return nil }
    self.init(high: high, low: low)
  }

  /// Four decimal numbers without leading zeros, up to the end.
  private static func dotted(_ bytes: Span<UInt8>, from start: Int) -> UInt32? {
    var result: UInt32 = 0
    var number: UInt32 = 0
    var digits = 0
    var dots = 0
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
        result = result << 8 | number
        (number, digits, dots) = (0, 0, dots + 1)
      } else if 0x30...0x39 ~= byte, digits == 0 || number > 0 {
        number = number * 10 + UInt32(byte - 0x30)
        digits += 1
        if number > 255 { return nil }
      } else {
        return nil
      }
    }
    return dots == 3 && digits > 0 ? result << 8 | number : nil
  }

  /// Parses up to eight groups of hexadecimal digits, one run of them left out as `::`.
  private static func groups(_ bytes: Span<UInt8>) -> (UInt64, UInt64)? {
    var groups: InlineArray<8, UInt16> = .init(repeating: 0)
    var count = 0
    var gap: Int?
    var index = 0
    let colon = UInt8(ascii: ":")
    if bytes.count >= 2, bytes[0] == colon, bytes[1] == colon { (gap, index) = (0, 2) }
    while index < bytes.count {
      guard count < 8 else { return nil }
      let start = index
      var value: UInt32 = 0
      while index < bytes.count, index - start < 5, let digit = hexadecimal(bytes[index]) {
        value = value << 4 | UInt32(digit)
        index += 1
      }
      if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
        guard count <= 6, let four = dotted(bytes, from: start) else { return nil }
        groups[count] = UInt16(truncatingIfNeeded: four >> 16)
        groups[count + 1] = UInt16(truncatingIfNeeded: four)
        count += 2
        index = bytes.count
        break
      }
      guard (1...4).contains(index - start) else { return nil }
      groups[count] = UInt16(truncatingIfNeeded: value)
      count += 1
      if index == bytes.count { break }
      guard bytes[index] == colon else { return nil }
      index += 1
      if index == bytes.count { return nil }
      if bytes[index] == colon {
        guard gap == nil else { return nil }
        gap = count
        index += 1
      }
    }
    guard gap == nil ? count == 8 : count < 8 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for place in 0..<8 {
      let missing = 8 - count
      var value: UInt16 = 0
      if let gap {
        if place < gap { value = groups[place] }
        if place >= gap + missing { value = groups[place - missing] }
      } else {
        value = groups[place]
      }
      if place < 4 { high = high << 16 | UInt64(value) } else { low = low << 16 | UInt64(value) }
    }
    return (high, low)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
