import Bytes
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
    for text in row.within { try #expect(network.contains(#require(IPAddress(text))), "\(text)") }
    for text in row.beyond { try #expect(!network.contains(#require(IPAddress(text))), "\(text)") }
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
    "example.com", "10.0.0/8", "10.0.0.0/8 ", "[::1]", "10.0.0.0-10.0.0.9", "::1/0008",
  ])
  func `anything else is not a network`(_ text: String) {
    #expect(Network(text) == nil)
  }
}
