import Posix
import Testing

@Suite struct PeerAddressTests {
  struct Row: CustomTestStringConvertible {
    let address: PeerAddress
    let isIPv4: Bool
    let isLoopback: Bool
    let client: PeerAddress
    let testDescription: String

    init(
      _ testDescription: String, _ high: UInt64, _ low: UInt64, isIPv4: Bool, isLoopback: Bool,
      client: (UInt64, UInt64)
    ) {
      self.testDescription = testDescription
      address = PeerAddress(high: high, low: low)
      self.isIPv4 = isIPv4
      self.isLoopback = isLoopback
      self.client = PeerAddress(high: client.0, low: client.1)
    }
  }

  static let rows = [
    Row(
      "192.0.2.1", 0, 0xFFFF_C000_0201, isIPv4: true, isLoopback: false,
      client: (0, 0xFFFF_C000_0201)),
    Row(
      "127.9.9.9", 0, 0xFFFF_7F09_0909, isIPv4: true, isLoopback: true,
      client: (0, 0xFFFF_7F09_0909)),
    Row("::1", 0, 1, isIPv4: false, isLoopback: true, client: (0, 0)),
    // of an IPv6 address the network counts
    Row(
      "2001:db8:1:2::3", 0x2001_0DB8_0001_0002, 3, isIPv4: false, isLoopback: false,
      client: (0x2001_0DB8_0001_0002, 0)),
    // IPv4-compatible, not IPv4-mapped
    Row("::7f00:1", 0, 0x7F00_0001, isIPv4: false, isLoopback: false, client: (0, 0)),
  ]

  @Test(arguments: rows) func `an address has an owner`(_ row: Row) {
    #expect(row.address.isIPv4 == row.isIPv4)
    #expect(row.address.isLoopback == row.isLoopback)
    #expect(row.address.client == row.client)
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `a listener reports the address of its client`(_ literal: String) throws {
    let address = try #require(SocketAddress(literal: literal, port: 0))
    let listener: Listener
    do throws(SystemError) {
      listener = try Listener(address)
    } catch {
      // A machine without IPv6 cannot show it.
      #expect(error.isNoSuchAddress)
      return
    }
    let client = try connect(to: listener.address)
    var peer: PeerAddress?
    var isAccepted = false
    for _ in 0..<1_000_000 where !isAccepted {
      if case .connection = listener.accept(peer: &peer) { isAccepted = true }
    }
    #expect(peer?.isLoopback == true)
    #expect(peer?.isIPv4 == !literal.contains(":"))
    withExtendedLifetime(client) {}
  }
}
