package import Bytes
internal import LibC

/// An IP address and port (RFC 4291, RFC 791).
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address. Its family is also the family of the socket.
  package let address: IPAddress
  package var port: UInt16

  package init(_ address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Parses an address literal without brackets; nil if it is invalid.
  package init?(literal: String, port: UInt16) {
    guard let address = IPAddress(literal) else { return nil }
    self.init(address, port: port)
  }

  /// Converts the address from the kernel's form; nil for families other than IPv4 and IPv6.
  init?(_ storage: sockaddr_storage) {
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
      unsafe withUnsafeBytes(of: storage) {
        unsafe Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
      }
    }
    switch Int32(storage.ss_family) {
    // After the family, the kernel's form contains the port and then the four octets of the
    // address.
    case AF_INET: address = .v4(number(at: 4))
    // After the family, the kernel's form contains the port, the flow label and then the sixteen
    // octets of the address.
    case AF_INET6: address = .v6(high: number(at: 8), low: number(at: 16))
    default: return nil
    }
    port = number(at: 2)
  }

  /// The address and the port, such as `127.0.0.1:8080` or `[::1]:8080`.
  package var description: String { isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)" }

  /// The address without the port and without brackets.
  package var host: String { address.description }

  package var isIPv4: Bool { address.isIPv4 }

  /// The kind of a private address, such as `a loopback address`; nil if the public internet can
  /// reach the address.
  package var privateKind: String? { address.privateKind }

  /// Whether the address means every address of the machine: `0.0.0.0` or `::`.
  package var isUnspecified: Bool { address == .v4(0) || address == .v6(high: 0, low: 0) }

  var family: Int32 { isIPv4 ? AF_INET : AF_INET6 }

  /// Calls `body` with the address in the kernel's form.
  func withKernelForm<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var storage = sockaddr_storage()
    storage.ss_family = sa_family_t(family)
    let length = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
      unsafe bytes[(isIPv4 ? 4 : 8)...].copyBytes(from: address.octets)
      return unsafe body(
        bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: sockaddr.self),
        socklen_t(length))
    }
  }
}
