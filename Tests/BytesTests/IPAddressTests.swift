import Bytes
import Foundation
import Testing

@Suite struct IPAddressTests {
  static let texts = [
    "0.0.0.0", "255.255.255.255", "192.0.2.1", "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8",
    "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1::8", "::ffff:192.0.2.1", "64:ff9b::192.0.2.33",
    "1:2:3:4:5:6:192.0.2.1", "ABCD:EF01:2345:6789:abcd:ef01:2345:6789", "1:0:0:2::3",
    // what is none
    "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", ":", ":::", "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1:", ":1::", "g::", "1:2:3:4:5:6:7:192.0.2.1",
    "1.2.3.4::", "[::1]", "::1%eth0", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1..2.3", "1.2.3.",
    "0:0:1::", "1:0:0:2:0:0:0:3", "fe80::a:0:0:1", "1:0:3:4:5:6:7:8", "::ffff:0:1.2.3.4",
    "1234567890.1.1.1", "00.0.0.0", "::ffff:1.2.3", "::12345", "1.2.3.4:80", "é::", "٣::",
    "::1.2.3.4.5",
  ]

  /// As the system's own reader has it.
  private static func octets(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var octets = [UInt8](repeating: 0, count: count)
      if inet_pton(Int32(family), text, &octets) == 1 { return octets }
    }
    return nil
  }

  @Test(arguments: texts) func `an address is read as the system reads it`(_ text: String) {
    #expect(IPAddress(text)?.octets == Self.octets(text))
  }

  /// Each byte of an address replaced by any of the alphabet, left out, or put before it.
  @Test(arguments: texts) func `a changed address is read as the system reads it`(
    _ text: String
  ) {
    let bytes = Array(text.utf8)
    for position in bytes.indices {
      for byte in "0129aFg:.%/ ".utf8 {
        for kept in 0...1 {
          let changed = bytes[..<position] + [byte] + bytes[(position + kept)...]
          let text = String(decoding: changed, as: UTF8.self)
          let isSame = IPAddress(text)?.octets == Self.octets(text)
          #expect(isSame, "\(text)")
        }
      }
    }
  }

  @Test(arguments: texts) func `an address is read from its own text and octets`(_ text: String) {
    guard let address = IPAddress(text) else { return }
    #expect(IPAddress(address.description) == address)
    #expect(IPAddress(octets: address.octets) == address)
  }

  /// RFC 5952 section 4 and 5.
  @Test(arguments: [
    ("192.0.2.55", "192.0.2.55"), ("0:0:0:0:0:0:0:0", "::"), ("0:0:0:0:0:0:0:1", "::1"),
    ("2001:0DB8::0001", "2001:db8::1"), ("1:0:0:0:0:0:0:0", "1::"),
    ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::FFFF:1.2.3.4", "::ffff:1.2.3.4"),
    ("::ffff:102:304", "::ffff:1.2.3.4"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
  ]) func `an address is written in its canonical form`(text: String, usual: String) {
    #expect(IPAddress(text)?.description == usual)
  }

  @Test func `other numbers of octets are not an address`() {
    for count in [0, 3, 5, 15, 17] {
      #expect(IPAddress(octets: Array(repeating: 1, count: count)) == nil)
    }
  }

  @Test(arguments: [
    ("192.0.2.1", true, false, "192.0.2.1", "192.0.2.0"),
    ("127.9.9.9", true, true, "127.9.9.9", "127.9.9.0"),
    ("::1", false, true, "::", "::"),
    ("2001:db8:1:2::3", false, false, "2001:db8:1:2::", "2001:db8:1::"),
    // IPv4-mapped, and IPv4-compatible, which is another form.
    ("::ffff:127.0.0.1", true, true, "127.0.0.1", "127.0.0.0"),
    ("::7f00:1", false, false, "::", "::"),
  ])
  func `an address has an owner and a network`(
    text: String, isIPv4: Bool, isLoopback: Bool, client: String, network: String
  ) throws {
    let address = try #require(IPAddress(text)).unmapped
    #expect(address.isIPv4 == isIPv4 && address.isLoopback == isLoopback)
    #expect(address.client == IPAddress(client))
    #expect(address.network == IPAddress(network))
  }
}
