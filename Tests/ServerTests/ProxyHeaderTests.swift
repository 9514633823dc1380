import Bytes
import Posix
import Testing

@testable import Server

@Suite struct ProxyHeaderTests {
  static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

  static func binary(
    command: UInt8 = 0x21, family: UInt8, _ rest: [UInt8], length: Int? = nil
  ) -> [UInt8] {
    let count = length ?? rest.count
    return signature + [command, family, UInt8(count >> 8), UInt8(count & 0xFF)] + rest
  }

  static let four: [UInt8] = [192, 0, 2, 7, 198, 51, 100, 1, 0xC0, 0, 1, 0xBB]
  static let six: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9]
    + [UInt8](repeating: 1, count: 16) + [0xC0, 0, 1, 0xBB]

  /// The client's address, "proxy" or "unknown"; "malformed" for an invalid header.
  static let rows: [(what: String, bytes: [UInt8], origin: String)] = [
    ("IPv4", Array("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n".utf8), "192.0.2.7"),
    ("IPv6", Array("PROXY TCP6 2001:db8::9 2001:db8::1 1 65535\r\n".utf8), "2001:db8::9"),
    ("mapped", Array("PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2\r\n".utf8), "192.0.2.7"),
    ("unknown", Array("PROXY UNKNOWN\r\n".utf8), "unknown"),
    ("unknown, with more", Array("PROXY UNKNOWN ff:: :: 1 2 x\r\n".utf8), "unknown"),
    (
      "the longest line",
      Array(("PROXY UNKNOWN " + String(repeating: "x", count: 91) + "\r\n").utf8), "unknown"
    ),
    (
      "a longer line",
      Array(("PROXY UNKNOWN " + String(repeating: "x", count: 92) + "\r\n").utf8), "malformed"
    ),
    ("another family", Array("PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n".utf8), "malformed"),
    ("a wrong address", Array("PROXY TCP4 192.0.2.777 198.51.100.1 1 2\r\n".utf8), "malformed"),
    ("an IPv6 address", Array("PROXY TCP4 ::1 ::1 1 2\r\n".utf8), "malformed"),
    ("a wrong port", Array("PROXY TCP4 192.0.2.7 198.51.100.1 1 65536\r\n".utf8), "malformed"),
    ("no port", Array("PROXY TCP4 192.0.2.7 198.51.100.1 1\r\n".utf8), "malformed"),
    // The family decides the form of both addresses (2.1).
    ("an IPv4 address of TCP6", Array("PROXY TCP6 192.0.2.7 ::1 1 2\r\n".utf8), "malformed"),
    ("an IPv4 target of TCP6", Array("PROXY TCP6 ::1 192.0.2.7 1 2\r\n".utf8), "malformed"),
    (
      "a mapped address of TCP4", Array("PROXY TCP4 ::ffff:192.0.2.7 198.51.100.1 1 2\r\n".utf8),
      "malformed"
    ),
    ("port 0", Array("PROXY TCP4 192.0.2.7 198.51.100.1 0 0\r\n".utf8), "192.0.2.7"),
    ("port 00", Array("PROXY TCP4 192.0.2.7 198.51.100.1 1 00\r\n".utf8), "malformed"),
    ("port 01", Array("PROXY TCP4 192.0.2.7 198.51.100.1 01 2\r\n".utf8), "malformed"),
    ("two spaces", Array("PROXY TCP4  192.0.2.7 198.51.100.1 1 2\r\n".utf8), "malformed"),
    ("only a line feed", Array("PROXY TCP4 192.0.2.7 198.51.100.1 1 2\n".utf8), "malformed"),
    ("HTTP", Array("GET / HTTP/1.1\r\n".utf8), "malformed"),
    ("TLS", [0x16, 3, 1, 2, 0], "malformed"),
    ("binary IPv4", binary(family: 0x11, four), "192.0.2.7"),
    ("binary IPv6", binary(family: 0x21, six), "2001:db8::9"),
    ("with extensions", binary(family: 0x11, four + [1, 0, 2, 104, 50]), "192.0.2.7"),
    (
      "the most extensions", binary(family: 0x11, four + [UInt8](repeating: 4, count: 2036)),
      "192.0.2.7"
    ),
    ("more of them", binary(family: 0x11, four + [UInt8](repeating: 4, count: 2037)), "malformed"),
    ("the proxy's own", binary(command: 0x20, family: 0, []), "proxy"),
    ("its own, with addresses", binary(command: 0x20, family: 0x11, four), "proxy"),
    ("a local socket", binary(family: 0x31, [UInt8](repeating: 47, count: 216)), "unknown"),
    ("no family", binary(family: 0, [1, 2, 3]), "unknown"),
    ("no family at all", binary(family: 0, []), "unknown"),
    ("its own, of a local socket", binary(command: 0x20, family: 0x31, [1, 2]), "proxy"),
    ("UDP over IPv4", binary(family: 0x12, four), "unknown"),
    ("UDP over IPv6", binary(family: 0x22, six), "unknown"),
    ("IPv4 of no protocol", binary(family: 0x10, four), "unknown"),
    ("a local socket of datagrams", binary(family: 0x32, []), "unknown"),
    // Other values must be refused (2.2).
    ("a family that does not exist", binary(family: 0x41, four), "malformed"),
    ("the last family", binary(family: 0xF1, four), "malformed"),
    ("a protocol that does not exist", binary(family: 0x13, four), "malformed"),
    ("no family, and such a protocol", binary(family: 0x0F, []), "malformed"),
    ("the proxy's own of any family", binary(command: 0x20, family: 0x4F, four), "proxy"),
    ("too short for IPv4", binary(family: 0x11, Array(four.dropLast())), "malformed"),
    ("too short for IPv6", binary(family: 0x21, Array(six.dropLast())), "malformed"),
    ("version 3", binary(command: 0x31, family: 0x11, four), "malformed"),
    ("another command", binary(command: 0x22, family: 0x11, four), "malformed"),
  ]

  @Test(arguments: rows)
  func `a header is read whole, and nothing after it`(
    _ row: (what: String, bytes: [UInt8], origin: String)
  ) throws {
    let address = IPAddress(row.origin)?.unmapped
    let expected: ProxyHeader =
      switch row.origin {
      case "malformed": .malformed
      case "proxy": .complete(length: row.bytes.count, .proxy)
      case "unknown": .complete(length: row.bytes.count, .unknownClient)
      default: .complete(length: row.bytes.count, .client(try #require(address)))
      }
    for more in ["", "GET / HTTP/1.1\r\n", "\r\n\n"] {
      let bytes = row.bytes + Array(more.utf8)
      let found = ProxyHeader(bytes.span)
      #expect(found == expected, "\(row.what)")
    }
    if expected == .malformed { return }
    for count in 0..<row.bytes.count {
      let part = Array(row.bytes[..<count])
      let found = ProxyHeader(part.span)
      #expect(found == .incomplete, "\(row.what), \(count) bytes")
    }
  }

  @Test func `any bytes are classified`() {
    var state: UInt64 = 11
    for start in [Self.signature, Array("PROXY ".utf8), Array("PROXY TCP4 ".utf8), []] {
      for length in 0..<200 {
        let bytes =
          start
          + (0..<length).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
          }
        if case .complete(let count, _) = ProxyHeader(bytes.span) {
          #expect(count <= bytes.count)
        }
      }
    }
  }
}
