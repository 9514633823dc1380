import Posix
import Testing

@testable import Posix

@Suite struct NetworkTests {
  static let rows: [(network: String, within: [String], beyond: [String])] = [
    ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255", "::a00:1"]),
    // bits after the prefix do not count
    ("192.0.2.129/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127"]),
    ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2"]),
    ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]),
    ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "10.0.0.1"]),
    ("2001:db8:0:1::/64", ["2001:db8:0:1::5"], ["2001:db8:0:2::5"]),
    ("2001:db8::/65", ["2001:db8::7fff:0:0:0"], ["2001:db8::8000:0:0:0"]),
    ("::1", ["::1"], ["::2", "127.0.0.1"]),
    // every address is also an IPv6 one
    ("::/0", ["::1", "192.0.2.1"], []),
    ("::ffff:0:0/96", ["192.0.2.1"], ["::1"]),
  ]

  @Test(arguments: rows)
  func `a network has the addresses that begin like it`(
    _ row: (network: String, within: [String], beyond: [String])
  ) throws {
    let network = try #require(Network(row.network))
    for text in row.within { #expect(network.contains(address(text)), "\(text)") }
    for text in row.beyond { #expect(!network.contains(address(text)), "\(text)") }
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
    "example.com", "10.0.0/8", "10.0.0.0/8 ", "[::1]", "10.0.0.0-10.0.0.9", "::1/0008",
  ])
  func `anything else is not a network`(_ text: String) {
    #expect(Network(text) == nil)
  }

  @Test(arguments: [
    "0.0.0.0", "255.255.255.255", "192.0.2.1", "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8",
    "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1::8", "::ffff:192.0.2.1", "64:ff9b::192.0.2.33",
    "1:2:3:4:5:6:192.0.2.1", "ABCD:EF01:2345:6789:abcd:ef01:2345:6789", "1:0:0:2::3",
    // invalid networks
    "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", ":", ":::", "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1:", ":1::", "g::", "1:2:3:4:5:6:7:192.0.2.1",
    "1.2.3.4::", "[::1]", "::1%eth0", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1..2.3", "1.2.3.",
  ])
  func `literals are read as the system reads them`(_ text: String) {
    let expected = SocketAddress(literal: text, port: 0).map { PeerAddress(octets: $0.octets) }
    let bytes = Array(text.utf8)
    let found = PeerAddress(literal: bytes.span)
    #expect(found == expected)
  }

  private func address(_ text: String) -> PeerAddress {
    PeerAddress(octets: SocketAddress(literal: text, port: 0)?.octets ?? [])
  }
}
