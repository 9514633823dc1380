package import Bytes
internal import LibC

/// A network: all addresses with the same leading bits (RFC 4632 section 3.1, RFC 4291 section
/// 2.3).
package struct Network: Hashable, Sendable, CustomStringConvertible {
  /// The first and the last eight octets of the network's address, and the masks that select its
  /// leading bits. An IPv4 address is in the mapped form.
  private let high: UInt64
  private let low: UInt64
  private let highMask: UInt64
  private let lowMask: UInt64
  /// The text from which `init` made the network.
  package let description: String

  /// Parses `192.0.2.0/24`, `2001:db8::/32`, or a single address; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let literal = IPAddress(String(parts[0])) else { return nil }
    let bits = literal.octets.count * 8
    var length = bits
    if parts.count == 2 {
      guard parts[1].isDecimal, parts[1].utf8.count <= 3, let number = Int(parts[1]), number <= bits
      else { return nil }
      length = number
    }
    // An IPv4 address fills the last 32 of 128 bits, so add 96 to the length of its prefix.
    let total = UInt64(length + 128 - bits)
    highMask = total >= 64 ? .max : total == 0 ? 0 : UInt64.max << (64 - total)
    lowMask = total <= 64 ? 0 : UInt64.max << (128 - total)
    let whole = literal.halves
    high = whole.high & highMask
    low = whole.low & lowMask
    description = text
  }

  package func contains(_ other: IPAddress) -> Bool {
    let halves = other.halves
    return halves.high & highMask == high && halves.low & lowMask == low
  }

  /// Whether the network contains every IPv4 address, as `0.0.0.0/0` and `::/0` do.
  package var containsAllOfIPv4: Bool {
    contains(.v4(0)) && contains(.v4(.max))
  }
}

extension IPAddress {
  /// The first and the last eight octets of the address. An IPv4 address is in the mapped form (RFC
  /// 4291 section 2.5.5.2).
  fileprivate var halves: (high: UInt64, low: UInt64) {
    switch self {
    case .v4(let number): (0, 0xFFFF << 32 | UInt64(number))
    case .v6(let high, let low): (high, low)
    }
  }
}

/// Whether this machine has a route to an address. Sends nothing: the system looks up the route
/// when a datagram socket is connected.
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
