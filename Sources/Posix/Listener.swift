#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A listening TCP socket.
package struct Listener: ~Copyable, Sendable {
  package let descriptor: FileDescriptor
  /// The address really bound: port 0 has become a number.
  package let address: SocketAddress
  /// Others accept from the same queue: whoever handed the socket over holds it open.
  package let isShared: Bool

  /// Connections that the kernel completes and holds for us before we accept them; the kernel
  /// lowers it to net.core.somaxconn.
  package static let backlog: Int32 = 4096

  /// Tells whether an address is free: sockets that share it (SO_REUSEPORT) would also share it
  /// with another process of the same user, and only one that does not share notices.
  ///
  /// Throws EADDRINUSE when somebody listens there, or whatever else `bind` refuses.
  package static func checkFree(_ wanted: SocketAddress) throws(SystemError) {
    // Bound but not listening: nobody can connect to it.
    _ = try boundSocket(wanted, isShared: false)
  }

  /// Binds and listens, as one of several that share the address (SO_REUSEPORT), over which the
  /// kernel spreads connections. On `[::]` IPv4 is included.
  ///
  /// Throws what `socket`, `bind` or `listen` refuse, with the address as subject.
  package init(_ wanted: SocketAddress) throws(SystemError) {
    let socket = try Self.boundSocket(wanted, isShared: true)
    let number = socket.rawValue
    #if os(Linux)
      // A client speaks first, in HTTP as in TLS. Woken by its first bytes rather than by its
      // coming, we read at once; who sends none for a second comes through all the same (tcp(7)).
      try setOption(number, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 1, wanted)
    #endif
    guard listen(number, Self.backlog) == 0 else {
      throw SystemError("listen", wanted.description, code: errno)
    }
    address = Self.boundAddress(number) ?? wanted
    descriptor = socket
    isShared = false
  }

  /// A descriptor of our own for a socket that was handed over.
  ///
  /// Throws what `fcntl` or `setsockopt` refuse, with the address as subject.
  package init(sharing socket: InheritedSocket) throws(SystemError) {
    let subject = socket.address.description
    let number = fcntl(socket.number, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw SystemError("fcntl", subject, code: errno) }
    let own = FileDescriptor(owning: number)
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw SystemError("fcntl", subject, code: errno)
    }
    try setOption(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1, socket.address)
    descriptor = own
    address = socket.address
    isShared = true
  }

  private static func boundSocket(
    _ wanted: SocketAddress, isShared: Bool
  ) throws(SystemError) -> FileDescriptor {
    let socket = try makeSocket(wanted)
    let number = socket.rawValue
    // A restart must not wait for old connections in TIME_WAIT.
    try setOption(number, SOL_SOCKET, SO_REUSEADDR, 1, wanted)
    if isShared { try setOption(number, SOL_SOCKET, SO_REUSEPORT, 1, wanted) }
    if !wanted.isIPv4 { try setOption(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, wanted) }
    // Accepted sockets inherit it on Linux: answers leave at once, not after Nagle's wait.
    try setOption(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1, wanted)

    let bound = unsafe wanted.withKernelForm { unsafe bind(number, $0, $1) }
    guard bound == 0 else { throw SystemError("bind", wanted.description, code: errno) }
    return socket
  }

  private static func makeSocket(_ wanted: SocketAddress) throws(SystemError) -> FileDescriptor {
    let number = makeStreamSocket(wanted.family)
    guard number >= 0 else { throw SystemError("socket", wanted.description, code: errno) }
    return FileDescriptor(owning: number)
  }

  static func boundAddress(_ number: Int32) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isFound = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe getsockname(
        number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
    }
    return isFound ? SocketAddress(storage) : nil
  }

  /// What became of an attempt to accept.
  package enum Accepted: ~Copyable {
    case connection(FileDescriptor)
    /// None waits now.
    case none
    /// One was there and went before we took it: try the next.
    case gone
    /// The process or the system has no descriptor left (EMFILE, ENFILE), or no memory.
    case exhausted(SystemError)
  }

  /// Takes one waiting connection; its descriptor is non-blocking.
  ///
  /// - Parameter peer: becomes the address of the client, when there is one.
  package func accept(peer: inout PeerAddress?) -> Accepted {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let listening = descriptor.rawValue
    let number = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe acceptStream(listening, address, &length)
    }
    if number >= 0 {
      peer = PeerAddress(storage)
      return .connection(FileDescriptor(owning: number))
    }
    switch errno {
    case EAGAIN, EWOULDBLOCK: return .none
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      return .exhausted(SystemError("accept", address.description, code: errno))
    // Linux hands over errors that the new connection already has (accept(2)): not ours.
    default: return .gone
    }
  }
}

private func setOption(
  _ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32, _ address: SocketAddress
) throws(SystemError) {
  var value = value
  let result = unsafe setsockopt(
    number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  guard result == 0 else { throw SystemError("setsockopt", address.description, code: errno) }
}

extension FileDescriptor {
  /// The peer's address of a connected socket; nil when it has gone.
  package var peerAddress: SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let number = rawValue
    let isFound = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe getpeername(
        number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
    }
    return isFound ? SocketAddress(storage) : nil
  }
}
