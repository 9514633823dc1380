internal import LibC

extension FileDescriptor {
  /// Opens a TCP connection to an address. The socket is non-blocking, and sends small writes
  /// immediately.
  ///
  /// Throws the error of `socket` or `connect`, whose text contains the address; ETIMEDOUT if the
  /// server does not answer before the deadline.
  package static func connected(
    to address: SocketAddress, until deadline: Deadline
  ) throws(SystemError) -> FileDescriptor {
    let socket = try nonBlockingSocket(for: address)
    let number = socket.rawValue
    let started = unsafe address.withKernelForm { unsafe connect(number, $0, $1) }
    if started == 0 { return socket }
    // If a signal interrupts the call, the system continues to connect in the background
    // (connect(2)).
    guard errno == EINPROGRESS || errno == EINTR else {
      throw SystemError("connect", address.description, code: errno)
    }
    guard socket.waitUntilReady(forWriting: true, until: deadline) else {
      throw SystemError("connect", address.description, code: ETIMEDOUT)
    }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      throw SystemError("getsockopt", address.description, code: errno)
    }
    guard code == 0 else { throw SystemError("connect", address.description, code: code) }
    return socket
  }

  private static func nonBlockingSocket(
    for address: SocketAddress
  ) throws(SystemError) -> FileDescriptor {
    let number = makeStreamSocket(address.family)
    guard number >= 0 else { throw SystemError("socket", address.description, code: errno) }
    let socket = FileDescriptor(owning: number)
    var one: Int32 = 1
    _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
    return socket
  }

  /// Waits until the descriptor is writable or, if `forWriting` is false, readable. At the end of
  /// the stream, the descriptor is readable. Returns false if the deadline passes first.
  package func waitUntilReady(forWriting: Bool, until deadline: Deadline) -> Bool {
    while true {
      var entry = pollfd(
        fd: rawValue, events: Int16(forWriting ? POLLOUT : POLLIN), revents: 0)
      let left = Int32(clamping: deadline.millisecondsLeft)
      let count = unsafe poll(&entry, 1, left)
      if count > 0 { return true }
      if count == 0 && deadline.isOver { return false }
      if count < 0 { precondition(errno == EINTR || errno == EAGAIN, "poll failed") }
    }
  }
}

extension FileDescriptor {
  /// The two ends of a new pipe.
  static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Self.makePipe(&ends) == 0 else { throw SystemError("pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func makePipe(_ ends: inout [Int32]) -> Int32 { unsafe LibC.pipe(&ends) }
}
