package import Bytes
internal import Posix

/// A PROXY protocol header of version 1 or 2. A proxy sends the header before the first byte of a
/// forwarded connection (haproxy.org, proxy-protocol.txt sections 2.1 and 2.2).
package enum ProxyHeader: Equatable {
  /// The bytes are an incomplete header.
  case incomplete
  /// - Parameter length: The number of bytes of the header.
  case complete(length: Int, Origin)
  case malformed

  /// Who sent the bytes that follow the header.
  package enum Origin: Equatable {
    /// The proxy itself (`LOCAL`), for example a health check.
    case proxy
    /// A client that connected to the proxy from this address.
    case client(IPAddress)
    /// A client with an unknown address. The header contains `UNKNOWN`, or no addresses of IPv4 or
    /// IPv6 over TCP.
    case unknownClient
  }

  /// The maximum length in bytes of a header of version 1, including CRLF.
  static let longestLine = 107
  /// The maximum accepted length in bytes of a header of version 2, including the addresses and the
  /// extensions that a proxy adds.
  package static let longestBinary = 16 + 2048

  private static let lineStart = Array("PROXY ".utf8)
  private static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]

  /// Parses the header at the beginning of `bytes`, which may be incomplete.
  package init(_ bytes: Span<UInt8>) {
    if Self.begins(bytes, with: Self.signature) {
      self = Self.binary(bytes)
    } else if Self.begins(bytes, with: Self.lineStart) {
      self = Self.line(bytes)
    } else {
      self = .malformed
    }
  }

  /// Returns whether the bytes begin with `start`, or are themselves only the beginning of `start`.
  private static func begins(_ bytes: Span<UInt8>, with start: [UInt8]) -> Bool {
    for index in 0..<min(bytes.count, start.count) where bytes[index] != start[index] {
      return false
    }
    return true
  }

  /// Parses a header of version 1, for example `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443` or
  /// `PROXY UNKNOWN …`, with CRLF at its end.
  private static func line(_ bytes: Span<UInt8>) -> ProxyHeader {
    var end = lineStart.count
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    guard end < bytes.count else { return bytes.count < longestLine ? .incomplete : .malformed }
    guard end < longestLine, bytes[end - 1] == 0x0D else { return .malformed }
    var words: [Range<Int>] = []
    var start = lineStart.count
    for index in start..<end where bytes[index] == 0x20 || index == end - 1 {
      words.append(start..<index)
      start = index + 1
    }
    guard let family = words.first else { return .malformed }
    let name = bytes.extracting(family)
    if isEqual(name, "UNKNOWN") { return .complete(length: end + 1, .unknownClient) }
    let isIPv6 = isEqual(name, "TCP6")
    guard isIPv6 || isEqual(name, "TCP4"), words.count == 5,
      let source = address(bytes.extracting(words[1]), isIPv6: isIPv6),
      address(bytes.extracting(words[2]), isIPv6: isIPv6) != nil,
      isPort(bytes.extracting(words[3])), isPort(bytes.extracting(words[4]))
    else { return .malformed }
    return .complete(length: end + 1, .client(source))
  }

  private static func isEqual(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
    let text = word.description.utf8
    guard bytes.count == text.count else { return false }
    for (index, byte) in text.enumerated() where bytes[index] != byte { return false }
    return true
  }

  /// Parses an address in the form that the header's family requires. For example,
  /// `::ffff:192.0.2.7` is valid for TCP6 but not for TCP4.
  private static func address(_ bytes: Span<UInt8>, isIPv6: Bool) -> IPAddress? {
    var hasColon = false
    for index in bytes.indices where bytes[index] == 0x3A { hasColon = true }
    return hasColon == isIPv6 ? IPAddress(bytes)?.unmapped : nil
  }

  /// Returns whether the bytes are a port number without leading zeros.
  private static func isPort(_ bytes: Span<UInt8>) -> Bool {
    guard (1...5).contains(bytes.count), bytes.count == 1 || bytes[0] != 0x30 else { return false }
    var number = 0
    for index in bytes.indices {
      guard 0x30...0x39 ~= bytes[index] else { return false }
      number = number * 10 + Int(bytes[index] - 0x30)
    }
    return number <= 65_535
  }

  /// Parses a header of version 2. The signature is followed by a byte for version and command, a
  /// byte for family and protocol, and two bytes for the length of the following part.
  private static func binary(_ bytes: Span<UInt8>) -> ProxyHeader {
    guard bytes.count >= 16 else { return .incomplete }
    let command = bytes[12]
    let family = bytes[13]
    let rest = Int(bytes[14]) << 8 | Int(bytes[15])
    guard command == 0x20 || command == 0x21, 16 + rest <= longestBinary else { return .malformed }
    // Valid families are unspecified, IPv4, IPv6 and Unix. Valid protocols are unspecified, stream
    // and datagram. For `LOCAL`, the server ignores the family and the protocol.
    if command == 0x21, family >> 4 > 3 || family & 0xF > 2 { return .malformed }
    let addressBytes: Int
    switch (command, family) {
    case (0x21, 0x11): addressBytes = 12
    case (0x21, 0x21): addressBytes = 36
    default: addressBytes = 0
    }
    guard rest >= addressBytes else { return .malformed }
    guard bytes.count >= 16 + rest else { return .incomplete }
    // Skip the extensions after the addresses.
    return .complete(length: 16 + rest, origin(bytes, command: command, family: family))
  }

  private static func origin(_ bytes: Span<UInt8>, command: UInt8, family: UInt8) -> Origin {
    switch (command, family) {
    case (0x20, _): .proxy
    case (_, 0x11): .client(.v4(number(bytes, 16)))
    case (_, 0x21):
      .client(IPAddress.v6(high: number(bytes, 16), low: number(bytes, 24)).unmapped)
    default: .unknownClient
    }
  }

  /// Reads the number at `start`, in network byte order.
  private static func number<Number: FixedWidthInteger>(
    _ bytes: Span<UInt8>, _ start: Int
  ) -> Number {
    var result: Number = 0
    for index in start..<(start + Number.bitWidth / 8) {
      result = result << 8 | Number(bytes[index])
    }
    return result
  }
}
