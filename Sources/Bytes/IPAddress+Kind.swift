/// Properties of an address: the client and the network to which the address belongs, and the kind
/// of the address.
extension IPAddress {
  package static let loopbackIPv4 = IPAddress.v4(0x7F00_0001)
  package static let loopbackIPv6 = IPAddress.v6(high: 0, low: 1)

  /// The IPv4 form of an IPv4-mapped address (RFC 4291 section 2.5.5.2); any other address
  /// unchanged. A socket for both families reports IPv4 clients in the mapped form.
  package var unmapped: IPAddress {
    guard case .v6(high: 0, let low) = self, low >> 32 == 0xFFFF else { return self }
    return .v4(UInt32(truncatingIfNeeded: low))
  }

  package var isIPv4: Bool { if case .v4 = self { true } else { false } }

  /// Whether the address is in 127.0.0.0/8 or is ::1.
  package var isLoopback: Bool {
    switch self {
    case .v4(let number): number >> 24 == 127
    case .v6: self == .loopbackIPv6
    }
  }

  /// The address that stands for the client, for example to limit the client's connections. For
  /// IPv4, this is the address itself. For IPv6, this is the first address of the /64 network,
  /// because a client can use every address in its /64 network (RFC 6177).
  package var client: IPAddress {
    switch self {
    case .v4: self
    case .v6(let high, _): .v6(high: high, low: 0)
    }
  }

  /// The /24 network of an IPv4 address, or the /48 network of an IPv6 address. These networks are
  /// too large to identify a person.
  package var network: IPAddress {
    switch self {
    case .v4(let number): .v4(number & ~0xFF)
    case .v6(let high, _): .v6(high: high & ~0xFFFF, low: 0)
    }
  }

  /// The kind of an address that is unreachable from the public internet; nil for other addresses.
  ///
  /// Apple's CDN refuses to connect to addresses of these kinds.
  package var privateKind: String? {
    switch unmapped {
    case .v4(let number): Self.privateKind(number >> 24, number >> 16 & 0xFF, number >> 8 & 0xFF)
    case .v6(let high, let low):
      Self.privateKind(high, low) ?? Self.embedded(high, low).flatMap(\.privateKind)
    }
  }

  /// If a translator or a tunnel would convert the IPv6 address to an IPv4 address, returns this
  /// IPv4 address. This concerns NAT64 (RFC 6052), 6to4 (RFC 3056), and the old IPv4-compatible
  /// form (RFC 4291 section 2.5.5.1). Nil for other IPv6 addresses.
  private static func embedded(_ high: UInt64, _ low: UInt64) -> IPAddress? {
    switch high {
    case 0x0064_FF9B_0000_0000, 0: .v4(UInt32(truncatingIfNeeded: low))
    case _ where high >> 48 == 0x2002: .v4(UInt32(truncatingIfNeeded: high >> 16))
    default: nil
    }
  }

  /// Returns the kind of an IPv4 address in the special-purpose registry (RFC 6890).
  private static func privateKind(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> String? {
    switch (a, b, c) {
    case (10, _, _), (172, 16...31, _), (192, 168, _): "a private address (RFC 1918)"
    case (127, _, _): "a loopback address"
    case (169, 254, _): "a link-local address"
    case (100, 64...127, _): "an address behind carrier-grade NAT (RFC 6598)"
    case (0, _, _): "an unspecified address"
    case (192, 0, 2), (198, 51, 100), (203, 0, 113): "an address for documentation (RFC 5737)"
    case (198, 18...19, _): "an address for benchmarks (RFC 2544)"
    case (192, 0, 0): "a reserved address"
    case (224...239, _, _): "a multicast address"
    case (240..., _, _): "a reserved address"
    default: nil
    }
  }

  private static func privateKind(_ high: UInt64, _ low: UInt64) -> String? {
    switch (high, low) {
    case (0, 0): "an unspecified address"
    case (0, 1): "a loopback address"
    case _ where high >> 57 == 0xFC >> 1: "a unique local address (RFC 4193)"
    case _ where high >> 54 == 0xFE80 >> 6: "a link-local address"
    case _ where high >> 56 == 0xFF: "a multicast address"
    case _ where high >> 32 == 0x2001_0DB8: "an address for documentation (RFC 3849)"
    default: nil
    }
  }
}
