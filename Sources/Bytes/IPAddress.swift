/// An IP address (RFC 4291, RFC 791), its octets and its text.
package enum IPAddress: Hashable, Sendable {
  case v4(UInt32)
  /// The first and last eight octets, each in network order.
  case v6(high: UInt64, low: UInt64)

  /// Parses an address without brackets, port or zone (RFC 4291 section 2.2). A zone is refused
  /// because it has a meaning only on its own host (RFC 9844). Parsing allocates no memory, because
  /// it may run on every request.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= 45 else { return nil }
    if let four = Self.dotted(bytes, from: 0) {
      self = .v4(four)
      return
    }
    guard let (high, low) = Self.groups(bytes) else { return nil }
    self = .v6(high: high, low: low)
  }

  package init?(_ text: String) { self.init(text.utf8.span) }

  /// Creates an address from four or sixteen octets in network order. Nil for any other number of
  /// octets.
  package init?(octets: [UInt8]) {
    func number(_ octets: ArraySlice<UInt8>) -> UInt64 {
      octets.reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch octets.count {
    case 4: self = .v4(UInt32(number(octets[...])))
    case 16: self = .v6(high: number(octets[..<8]), low: number(octets[8...]))
    default: return nil
    }
  }

  /// The four or sixteen octets in network order.
  package var octets: [UInt8] {
    func octets(_ number: some FixedWidthInteger) -> [UInt8] {
      stride(from: number.bitWidth - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: number >> $0)
      }
    }
    return switch self {
    case .v4(let number): octets(number)
    case .v6(let high, let low): octets(high) + octets(low)
    }
  }

  /// Parses four decimal numbers without leading zeros, up to the end.
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
      } else if byte.isDigit, digits == 0 || number > 0 {
        number = number * 10 + UInt32(byte - 0x30)
        digits += 1
        if number > 255 { return nil }
      } else {
        return nil
      }
    }
    return dots == 3 && digits > 0 ? result << 8 | number : nil
  }

  /// Parses up to eight groups of hexadecimal digits. `::` may replace one run of zero groups, and
  /// an IPv4 address may replace the last two groups.
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
      while index < bytes.count, index - start < 5, let digit = bytes[index].hexValue {
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
}

extension IPAddress: CustomStringConvertible {
  /// The canonical form (RFC 5952), without brackets.
  package var description: String {
    switch self {
    case .v4(let number): Self.dotted(number)
    // An IPv4-mapped address (RFC 5952 section 5).
    case .v6(high: 0, let low) where low >> 32 == 0xFFFF:
      "::ffff:" + Self.dotted(UInt32(truncatingIfNeeded: low))
    case .v6(let high, let low): Self.groups(high, low)
    }
  }

  private static func dotted(_ number: UInt32) -> String {
    let shifts: [UInt32] = [24, 16, 8, 0]
    return shifts.map { String(number >> $0 & 0xFF) }.joined(separator: ".")
  }

  private static func groups(_ high: UInt64, _ low: UInt64) -> String {
    let groups = (0..<8).map { index in
      let half = index < 4 ? high : low
      return UInt16(truncatingIfNeeded: half >> UInt64(48 - index % 4 * 16))
    }
    func joined(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    // The run of zero groups that `::` replaces: the longest run or, of several longest runs, the
    // first. A run of only one group is not replaced.
    var longest = 0..<0
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 {
        start = index + 1
      } else if index + 1 - start > longest.count {
        longest = start..<(index + 1)
      }
    }
    if longest.count < 2 { return joined(groups[...]) }
    return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
  }
}
