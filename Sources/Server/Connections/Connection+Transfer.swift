internal import Catalog
internal import Posix
internal import TLS

/// Receives and sends bytes, with or without TLS.
extension Connection {
  func receive(into buffer: inout MutableSpan<UInt8>) -> TransferOutcome {
    if !isSecure { return descriptor.receive(into: &buffer) }
    return tls?.read(into: &buffer) ?? .failed
  }

  /// Whether OpenSSL has buffered bytes that the poller does not report.
  var hasPendingBytes: Bool { isSecure && tls?.hasPendingBytes() ?? false }

  /// Sends the `close_notify` alert of TLS.
  func closeNotify() {
    if isSecure { tls?.closeNotify() }
  }

  /// Sends a span and then the body of `tail`, until everything is sent or the socket accepts no
  /// more bytes.
  ///
  /// - Parameters:
  ///   - offset: The position in the body from which to send.
  ///   - isLast: Whether the server closes its sending side immediately afterwards. If so, the
  ///     kernel can send the FIN with the data.
  /// - Returns: The number of bytes sent, and the reason if not everything was sent.
  func send(
    _ first: Span<UInt8>, _ tail: Representation?, from offset: Int, isLast: Bool = false
  ) -> (count: Int, stop: TransferOutcome?) {
    guard let tail else { return send(first, isLast: isLast) }
    let body = tail.body
    let total = first.count + body.count - offset
    var sent = 0
    while sent < total {
      let outcome: TransferOutcome
      let position = max(offset, offset + sent - first.count)
      if isSecure {
        outcome =
          sent < first.count
          ? write(first.extracting(sent...)) : write(body.span.extracting(position...))
      } else if let file = tail.file {
        outcome =
          sent < first.count
          ? descriptor.send(first.extracting(sent...), isFollowed: true)
          : descriptor.send(file, from: position)
      } else if sent < first.count {
        outcome = descriptor.send(
          first.extracting(sent...), body.span.extracting(position...), isFollowed: isLast)
      } else {
        outcome = descriptor.send(body.span.extracting(position...), isFollowed: isLast)
      }
      guard case .moved(let count) = outcome else { return (sent, outcome) }
      sent += count
    }
    return (sent, nil)
  }

  private func send(
    _ bytes: Span<UInt8>, isLast: Bool
  ) -> (count: Int, stop: TransferOutcome?) {
    var sent = 0
    while sent < bytes.count {
      let rest = bytes.extracting(sent...)
      let outcome = isSecure ? write(rest) : descriptor.send(rest, isFollowed: isLast)
      guard case .moved(let count) = outcome else { return (sent, outcome) }
      sent += count
    }
    return (sent, nil)
  }

  private func write(_ bytes: Span<UInt8>) -> TransferOutcome {
    tls?.write(bytes) ?? .failed
  }

  /// Sends the rest of a connection's responses. Returns the number of bytes sent, and the reason
  /// if not everything was sent.
  func send(_ output: PendingOutput) -> (count: Int, stop: TransferOutcome?) {
    let (count, stop) = send(
      output.bytes.span.extracting(output.offset...), output.tail, from: output.tailOffset)
    let ofBytes = min(count, output.bytes.count - output.offset)
    output.offset += ofBytes
    output.tailOffset += count - ofBytes
    return (count, stop)
  }
}
