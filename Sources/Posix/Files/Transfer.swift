internal import LibC

/// Transfer of bytes through a non-blocking stream socket.
extension FileDescriptor {
  /// Receives bytes into the buffer with one call.
  package func receive(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    receive(into: &buffer, flags: 0)
  }

  /// Copies received bytes into the buffer with one call, but leaves the bytes in the socket.
  package func peek(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    receive(into: &buffer, flags: Int32(MSG_PEEK))
  }

  private func receive(into buffer: inout MutableSpan<UInt8>, flags: Int32) -> TransferOutcome {
    let number = rawValue
    let (count, code) = unsafe buffer.withUnsafeMutableBytes { bytes in
      retrying { unsafe recv(number, bytes.baseAddress, bytes.count, flags) }
    }
    if code == 0 { return count == 0 ? .ended : .moved(count) }
    return code == EAGAIN || code == EWOULDBLOCK ? .wantsRead : .failed
  }

  /// Sends the bytes of the span with one call. The kernel may accept only some of the bytes.
  ///
  /// - Parameter isFollowed: Whether more bytes, or the end of our side of the stream, follow
  ///   immediately. If so, the kernel waits for them in order to fill a packet. Systems without
  ///   such an option ignore the parameter.
  package func send(_ bytes: Span<UInt8>, isFollowed: Bool = false) -> TransferOutcome {
    let number = rawValue
    let flags = isFollowed ? sendFlags | moreFlag : sendFlags
    let (count, code) = unsafe bytes.withUnsafeBytes { bytes in
      retrying { unsafe Posix.sendBytes(number, bytes.baseAddress, bytes.count, flags) }
    }
    if code == 0 { return .moved(count) }
    return code == EAGAIN || code == EWOULDBLOCK ? .wantsWrite : .failed
  }

  /// Sends two spans with one call, without joining them. The kernel may accept only some of the
  /// bytes.
  package func send(
    _ first: Span<UInt8>, _ second: Span<UInt8>, isFollowed: Bool = false
  ) -> TransferOutcome {
    let number = rawValue
    let flags = isFollowed ? sendFlags | moreFlag : sendFlags
    let (count, code) = unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { second in
        retrying { unsafe sendPair(number, first, second, flags) }
      }
    }
    if code == 0 { return .moved(count) }
    return code == EAGAIN || code == EWOULDBLOCK ? .wantsWrite : .failed
  }

  /// Makes the poller report the socket as readable only after this many bytes have arrived, or
  /// after the stream has ended. If the kernel refuses this setting, the poller may report the
  /// socket after fewer bytes.
  package func setLowWatermark(_ bytes: Int) { set(SO_RCVLOWAT, bytes) }

  /// Limits the bytes that the kernel buffers for a peer that does not read.
  package func setSendBuffer(_ bytes: Int) { set(SO_SNDBUF, bytes) }

  private func set(_ option: Int32, _ bytes: Int) {
    var value = Int32(clamping: bytes)
    _ = unsafe setsockopt(
      rawValue, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends our side of the stream. The peer sees the end, but can still send.
  package func shutdownSending() {
    _ = shutdown(rawValue, Int32(SHUT_WR))
  }

  /// Ends both sides of the stream. A thread that waits for the peer sees the end immediately.
  package func shutdownBothWays() {
    _ = shutdown(rawValue, Int32(SHUT_RDWR))
  }
}

/// Writing to a disconnected peer must return an error, not raise a signal. macOS sets SO_NOSIGPIPE
/// instead.
#if os(Linux)
  private let sendFlags = Int32(MSG_NOSIGNAL)
  private let moreFlag = Int32(MSG_MORE)
#else
  private let sendFlags: Int32 = 0
  private let moreFlag: Int32 = 0
#endif

private func sendBytes(
  _ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(number, bytes, count, flags)
}

private func sendPair(
  _ number: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
  _ flags: Int32
) -> Int {
  // sendmsg only reads through these pointers. They are mutable only because recvmsg uses the same
  // type.
  var parts = unsafe InlineArray<2, iovec> { index in
    let part = unsafe index == 0 ? first : second
    return unsafe iovec(
      iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
  }
  var message = unsafe msghdr()
  var span = unsafe parts.mutableSpan
  return unsafe span.withUnsafeMutableBufferPointer { parts in
    unsafe message.msg_iov = parts.baseAddress
    unsafe message.msg_iovlen = 2
    return unsafe sendmsg(number, &message, flags)
  }
}

/// Writes a text to standard output (1) or standard error (2), and blocks until all bytes are
/// written. Ignores errors, because they cannot be reported anywhere.
package func writeToStandard(_ number: Int32, _ text: String) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while unsafe !rest.isEmpty {
      let (count, code) = retrying { unsafe write(number, rest.baseAddress, rest.count) }
      if code != 0 { return }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
