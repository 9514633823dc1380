internal import Bytes
internal import LibC

/// An IP address and port (RFC 4291, RFC 791).
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// Sixteen octets; an IPv4 address is stored as IPv4-mapped IPv6 (`::ffff:a.b.c.d`).
  package let octets: [UInt8]
  package var port: UInt16
  /// Whether the address was given as IPv4, which decides the socket's family.
  package let isIPv4: Bool

  /// Parses an address literal without brackets; nil if it is invalid.
  package init?(literal: String, port: UInt16) {
    guard let bytes = IPAddress(literal)?.octets else { return nil }
    self.port = port
    isIPv4 = bytes.count == 4
    octets = isIPv4 ? Self.mappedPrefix + bytes : bytes
  }

  /// Returns the network of the address: its first `count` octets, and zeros for the rest.
  package func keeping(octets count: Int) -> SocketAddress {
    SocketAddress(
      octets: octets.prefix(count) + Array(repeating: 0, count: octets.count - min(count, 16)),
      port: port, isIPv4: isIPv4)
  }

  /// The prefix of an IPv4-mapped IPv6 address.
  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private init(octets: [UInt8], port: UInt16, isIPv4: Bool) {
    self.octets = octets
    self.port = port
    self.isIPv4 = isIPv4
  }

  /// Converts the kernel's form; nil for families other than IPv4 and IPv6.
  init?(_ storage: sockaddr_storage) {
    switch Int32(storage.ss_family) {
    case AF_INET:
      let address = leadingBytes(of: storage, as: sockaddr_in.self)
      let bytes = unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }
      octets = Self.mappedPrefix + bytes
      port = UInt16(bigEndian: address.sin_port)
      isIPv4 = true
    case AF_INET6:
      let address = leadingBytes(of: storage, as: sockaddr_in6.self)
      octets = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
      port = UInt16(bigEndian: address.sin6_port)
      isIPv4 = false
    default:
      return nil
    }
  }

  /// `127.0.0.1:8080` or `[::1]:8080`.
  package var description: String {
    isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
  }

  /// The address without port and brackets.
  package var host: String {
    IPAddress(octets: isIPv4 ? Array(octets.suffix(4)) : octets)?.description ?? ""
  }

  /// Whether the address stands for every address of the machine: `0.0.0.0` or `::`.
  package var isUnspecified: Bool {
    isIPv4 ? octets.suffix(4).allSatisfy { $0 == 0 } : octets.allSatisfy { $0 == 0 }
  }

  /// The same port on `0.0.0.0`, which is what remains of `[::]` on a machine without IPv6.
  package var unspecifiedIPv4: SocketAddress? { SocketAddress(literal: "0.0.0.0", port: port) }

  var family: Int32 { isIPv4 ? AF_INET : AF_INET6 }

  /// Calls `body` with the address in the kernel's form.
  func withKernelForm<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    if isIPv4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &address.sin_addr) {
        unsafe $0.copyBytes(from: octets.suffix(4))
      }
      return unsafe withUnsafeBytes(of: &address) { bytes in
        unsafe body(
          bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: octets) }
    return unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe body(
        bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
  }
}

/// Reads the leading bytes of `value` as another plain C structure with the same beginning.
private func leadingBytes<Whole, Part>(of value: Whole, as part: Part.Type) -> Part {
  unsafe withUnsafeBytes(of: value) { unsafe $0.loadUnaligned(as: part) }
}
