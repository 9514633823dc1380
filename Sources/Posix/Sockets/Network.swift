internal import Bytes
internal import LibC

/// A network: all addresses that begin with the same bits (RFC 4632 section 3.1, RFC 4291 section
/// 2.3).
package struct Network: Hashable, Sendable, CustomStringConvertible {
  private let address: PeerAddress
  private let highMask: UInt64
  private let lowMask: UInt64
  /// The text that `init` parsed.
  package let description: String

  /// Parses `192.0.2.0/24`, `2001:db8::/32`, or one address; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let literal = IPAddress(String(parts[0])) else { return nil }
    let bits = literal.octets.count * 8
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
    let whole = PeerAddress(literal)
    address = PeerAddress(high: whole.high & highMask, low: whole.low & lowMask)
    description = text
  }

  package func contains(_ other: PeerAddress) -> Bool {
    other.high & highMask == address.high && other.low & lowMask == address.low
  }

  /// Whether the network contains every IPv4 address: true of `0.0.0.0/0`, and of `::/0` as well.
  package var containsAllOfIPv4: Bool {
    contains(PeerAddress(high: 0, low: 0xFFFF_0000_0000))
      && contains(PeerAddress(high: 0, low: 0xFFFF_FFFF_FFFF))
  }
}

/// Whether this machine has a route to an address. Nothing is sent: connecting a datagram socket
/// only looks up the route.
package func hasRoute(to address: SocketAddress) -> Bool {
  #if os(Linux)
    let number = socket(address.family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  #else
    let number = socket(address.family, SOCK_DGRAM, 0)
  #endif
  guard number >= 0 else { return errno != EAFNOSUPPORT }
  let descriptor = FileDescriptor(owning: number)
  let (_, code) = retrying {
    unsafe address.withKernelForm { unsafe connect(descriptor.rawValue, $0, $1) }
  }
  return ![ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code)
}
