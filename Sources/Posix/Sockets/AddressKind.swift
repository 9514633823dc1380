extension SocketAddress {
  /// The kind of an address that the public internet cannot reach; nil if it can.
  ///
  /// Apple's CDN refuses to connect to such addresses.
  package var privateKind: String? {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    if octets.starts(with: mapped) {
      return privateIPv4Kind(octets[12], octets[13], octets[14])
    }
    return privateIPv6Kind
  }

  /// The special-purpose registry of IPv4 (RFC 6890).
  private func privateIPv4Kind(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> String? {
    switch (a, b, c) {
    case (10, _, _), (172, 16...31, _), (192, 168, _): "a private address (RFC 1918)"
    case (127, _, _): "a loopback address"
    case (169, 254, _): "a link-local address"
    case (100, 64...127, _): "an address of a provider's own network (RFC 6598)"
    case (0, _, _): "an unspecified address"
    case (192, 0, 2), (198, 51, 100), (203, 0, 113): "an address for documentation (RFC 5737)"
    case (198, 18...19, _): "an address for benchmarks (RFC 2544)"
    case (192, 0, 0): "a reserved address"
    case (224...239, _, _): "a multicast address"
    case (240..., _, _): "a reserved address"
    default: nil
    }
  }

  private var privateIPv6Kind: String? {
    let first = UInt16(octets[0]) << 8 | UInt16(octets[1])
    let second = UInt16(octets[2]) << 8 | UInt16(octets[3])
    if octets.dropLast().allSatisfy({ $0 == 0 }) {
      switch octets[15] {
      case 0: return "an unspecified address"
      case 1: return "a loopback address"
      default: break
      }
    }
    if first & 0xFE00 == 0xFC00 { return "a unique local address (RFC 4193)" }
    if first & 0xFFC0 == 0xFE80 { return "a link-local address" }
    if first & 0xFF00 == 0xFF00 { return "a multicast address" }
    if first == 0x2001 && second == 0x0DB8 { return "an address for documentation (RFC 3849)" }
    return nil
  }
}
