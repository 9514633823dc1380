package import Bytes
internal import LibC

/// A client's IP address as two numbers, IPv4 as IPv4-mapped IPv6 (RFC 4291 2.5.5.2): small enough
/// for every connection to store.
package struct PeerAddress: Hashable, Sendable {
  /// The first and the last eight octets, in network order.
  package let high: UInt64
  package let low: UInt64

  private static let mappedPrefix: UInt64 = 0xFFFF

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(_ address: IPAddress) {
    switch address {
    case .v4(let number): self.init(high: 0, low: Self.mappedPrefix << 32 | UInt64(number))
    case .v6(let high, let low): self.init(high: high, low: low)
    }
  }

  /// Reads an address literal without brackets, port or zone; nil if it is invalid.
  package init?(literal bytes: Span<UInt8>) {
    guard let address = IPAddress(bytes) else { return nil }
    self.init(address)
  }

  /// The address, with an IPv4-mapped address as IPv4.
  package var address: IPAddress {
    isIPv4 ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high: high, low: low)
  }

  /// Converts the kernel's form; nil for families other than IPv4 and IPv6.
  init?(_ storage: sockaddr_storage) {
    switch Int32(storage.ss_family) {
    case AF_INET:
      // The port, then the four octets.
      let octets = unsafe withUnsafeBytes(of: storage) {
        unsafe $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      }
      self.init(high: 0, low: Self.mappedPrefix << 32 | UInt64(UInt32(bigEndian: octets)))
    case AF_INET6:
      // The port, the flow, then the sixteen octets.
      let (high, low) = unsafe withUnsafeBytes(of: storage) {
        unsafe (
          $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
          $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        )
      }
      self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    default:
      return nil
    }
  }

  package var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
  }

  /// The addresses that one client controls: a single IPv4 address, or an IPv6 /64, since a client
  /// can use every address in it (RFC 6177).
  package var client: PeerAddress { isIPv4 ? self : PeerAddress(high: high, low: 0) }
}
