package import Bytes
internal import LibC

/// A listening TCP socket.
package struct Listener: ~Copyable, Sendable {
  package let descriptor: FileDescriptor
  /// The address in use. If port 0 was requested, this address has the actual port.
  package let address: SocketAddress
  /// Whether the service manager passed the socket to this process and keeps the socket open. If
  /// so, other processes may accept connections from the same queue.
  package let isShared: Bool

  /// The maximum number of completed connections that the kernel queues until the server accepts
  /// them. The setting net.core.somaxconn may lower this number.
  package static let backlog: Int32 = 4096

  /// Checks that an address is free. A socket with SO_REUSEPORT would silently share the address
  /// with another process of the same user. Only a socket without that option can detect the other
  /// process.
  ///
  /// If another socket uses the address, throws EADDRINUSE. Also throws the other errors of `bind`.
  package static func checkFree(_ wanted: SocketAddress) throws(SystemError) {
    // Bind but do not listen, so that clients cannot connect during the check.
    _ = try boundSocket(wanted, isShared: false)
  }

  /// Binds the address and listens. Our other sockets can have the same address (SO_REUSEPORT), and
  /// the kernel then distributes connections among the sockets. `[::]` includes IPv4.
  ///
  /// Throws the error of `socket`, `bind` or `listen`, whose text contains the address.
  package init(_ wanted: SocketAddress) throws(SystemError) {
    let socket = try Self.boundSocket(wanted, isShared: true)
    let number = socket.rawValue
    #if os(Linux)
      // With TCP_DEFER_ACCEPT, the kernel reports a connection only when the client has sent its
      // first bytes, so the server can read them immediately. In HTTP and in TLS, the client always
      // sends first. A client that sends nothing for a second is accepted too (tcp(7)).
      try setOption(number, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 1, wanted)
    #endif
    guard listen(number, Self.backlog) == 0 else {
      throw SystemError("listen", wanted.description, code: errno)
    }
    address = Self.boundAddress(number) ?? wanted
    descriptor = socket
    isShared = false
  }

  /// Duplicates the descriptor of a socket that the service manager passed to this process.
  ///
  /// Throws the error of `fcntl` or `setsockopt`, whose text contains the address.
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

  /// Turns off TCP_DEFER_ACCEPT, so that the server can accept connections whose clients have sent
  /// nothing yet. The server does this before it closes the listener.
  ///
  /// - Returns: Whether some earlier connections may still be delayed. `mayHaveUnaccepted` returns
  ///   whether such connections exist. The server can accept a delayed connection when its client
  ///   has sent something, or after about a second.
  package func disableDeferAccept() -> Bool {
    #if os(Linux)
      guard !isShared else { return false }
      do throws(SystemError) {
        try setOption(descriptor.rawValue, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 0, address)
      } catch {
        return false
      }
      return true
    #else
      return false
    #endif
  }

  private static func boundSocket(
    _ wanted: SocketAddress, isShared: Bool
  ) throws(SystemError) -> FileDescriptor {
    let socket = try makeSocket(wanted)
    let number = socket.rawValue
    // A restarted server must not wait until old connections have left the state TIME_WAIT.
    try setOption(number, SOL_SOCKET, SO_REUSEADDR, 1, wanted)
    if isShared { try setOption(number, SOL_SOCKET, SO_REUSEPORT, 1, wanted) }
    if !wanted.isIPv4 { try setOption(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, wanted) }
    // Accepted sockets inherit this option on Linux, so responses are sent without Nagle's delay.
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

  /// The result of an attempt to accept a connection.
  package enum Accepted: ~Copyable {
    case connection(FileDescriptor)
    /// No connection is waiting.
    case none
    /// A connection was reset before it was accepted. Try the next connection.
    case gone
    /// A connection is waiting, but the process or the system has no descriptors (EMFILE, ENFILE)
    /// or no memory left.
    case exhausted(SystemError)
  }

  /// Accepts one waiting connection. Its descriptor is non-blocking.
  ///
  /// - Parameter peer: Set to the client's address if a connection is accepted. If the client uses
  ///   IPv4, the value is an IPv4 address.
  package func accept(peer: inout IPAddress?) -> Accepted {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let listening = descriptor.rawValue
    let number = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe acceptStream(listening, address, &length)
    }
    if number >= 0 {
      peer = SocketAddress(storage)?.address.unmapped
      return .connection(FileDescriptor(owning: number))
    }
    switch errno {
    case EAGAIN, EWOULDBLOCK: return .none
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      let error = SystemError("accept", address.description, code: errno)
      // The system allocates a descriptor before it looks at the queue. So this error does not mean
      // that a connection is waiting.
      let isWaiting = descriptor.waitUntilReady(forWriting: false, until: Deadline(at: 0))
      return isWaiting ? .exhausted(error) : .none
    // Any other error is an error of the new connection, not of the listener. Linux returns such
    // errors here too (accept(2)).
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
