internal import LibC

#if os(Linux)
  let streamType = Int32(SOCK_STREAM.rawValue)
#else
  let streamType = SOCK_STREAM
#endif

/// Makes a TCP socket that is non-blocking and closed on exec. Returns the result of socket(2).
func makeStreamSocket(_ family: Int32) -> Int32 {
  #if os(Linux) && !PORTABLE
    socket(family, streamType | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  #else
    prepared(socket(family, streamType, 0))
  #endif
}

/// Accepts a connection as a socket that is non-blocking and closed on exec. Returns the result of
/// accept(2).
func acceptStream(
  _ listening: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: inout socklen_t
) -> Int32 {
  #if os(Linux) && !PORTABLE
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return unsafe accept4(listening, address, &length, flags)
  #else
    return prepared(unsafe accept(listening, address, &length))
  #endif
}

#if !os(Linux) || PORTABLE
  /// Sets the options that Linux sets when it creates a socket.
  private func prepared(_ number: Int32) -> Int32 {
    guard number >= 0 else { return number }
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      // Do not raise SIGPIPE. On Linux, calls that send use MSG_NOSIGNAL instead.
      var one: Int32 = 1
      _ = unsafe setsockopt(
        number, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return number
  }
#endif
