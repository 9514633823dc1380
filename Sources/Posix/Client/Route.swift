#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
