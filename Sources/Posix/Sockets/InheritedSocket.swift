internal import LibC

/// A listening TCP socket that the service manager opened and passed to this process
/// (sd_listen_fds(3)).
///
/// `Listener(sharing:)` duplicates the descriptor. The manager also keeps the socket open, so
/// connections wait in the socket's queue while no process accepts them.
package struct InheritedSocket: Sendable, Equatable {
  /// The descriptor's number.
  package let number: Int32
  /// The name that the service manager gave to the socket (`FileDescriptorName=`); empty if the
  /// socket has no name.
  package let name: String
  package let address: SocketAddress

  /// The number of the first descriptor that a manager passes.
  static let firstNumber: Int32 = 3
  /// The maximum number of sockets to accept from the manager.
  static let limit = 64

  /// Throws if the descriptor is not a listening TCP socket.
  init(_ number: Int32, name: String) throws(SystemError) {
    let subject = "socket \(number) of the service manager"
    guard
      try Self.option(SO_ACCEPTCONN, of: number, subject) != 0,
      try Self.option(SO_TYPE, of: number, subject) == streamType
    else { throw SystemError("listen", subject, code: EINVAL) }
    guard let address = Listener.boundAddress(number) else {
      throw SystemError("getsockname", subject, code: EAFNOSUPPORT)
    }
    self.number = number
    self.name = name
    self.address = address
    // Child programs must not inherit the socket.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  private static func option(
    _ option: Int32, of number: Int32, _ subject: String
  ) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(number, SOL_SOCKET, option, &value, &length) == 0 else {
      throw SystemError("getsockopt", subject, code: errno)
    }
    return value
  }
}

extension ServiceManager {
  /// Returns the sockets that the service manager passed to this process; none if the environment
  /// variables are for another process.
  ///
  /// Throws if one of the descriptors is not a listening TCP socket.
  package static func sockets(
    _ environment: [String: String]
  ) throws(SystemError) -> [InheritedSocket] {
    guard let process = environment["LISTEN_PID"], Int32(process) == getpid(),
      let text = environment["LISTEN_FDS"]
    else { return [] }
    guard let count = Int(text), (0...InheritedSocket.limit).contains(count) else {
      throw SystemError("LISTEN_FDS", text, code: EINVAL)
    }
    let names = (environment["LISTEN_FDNAMES"] ?? "")
      .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var result: [InheritedSocket] = []
    for index in 0..<count {
      // For a socket without a name, systemd passes the name of the unit.
      let name = index < names.count ? names[index] : ""
      result.append(
        try InheritedSocket(InheritedSocket.firstNumber + Int32(index), name: name))
    }
    return result
  }
}
