internal import Catalog
internal import Logging
internal import Posix
internal import TLS

/// Performs the TLS handshakes of new connections.
extension EventLoop {
  mutating func continueHandshake(_ connection: Connection) {
    if connection.tls == nil && !beginTLS(connection) { return }
    guard let outcome = connection.tls?.handshake() else { return close(connection) }
    switch outcome {
    case .done:
      if connection.tls?.isChallenge == true { return close(connection) }
      countHandshake(of: connection)
      enter(.idle, connection)
      // The request often arrives in the same packet as the end of the handshake.
      if connection.hasPendingBytes { read(connection, body: nil) }
    case .wantsRead: watch(connection, for: .read)
    case .wantsWrite: watch(connection, for: .write)
    case .plainHTTP:
      counters.handshakeFailures.add(Int(TLSFailure.Reason.plainHTTP.rawValue))
      answerPlainHTTP(connection)
    case .failed(let failure):
      counters.handshakeFailures.add(Int(failure.reason.rawValue))
      if failure.fault == .ours {
        shared.log.warning("a TLS handshake failed: \(failure)")
      } else {
        shared.log.debug("a TLS handshake failed: \(failure)")
      }
      // Wait until the client has closed its side. If the server closed first, the kernel could
      // reset the connection before the client reads the TLS alert.
      linger(connection)
    }
  }

  /// Makes the TLS session once the client's first record is complete. Until then the connection
  /// uses almost no memory, because the kernel keeps the received bytes.
  ///
  /// - Returns: Whether the session was made. False if the record is incomplete or the connection
  ///   was closed.
  private mutating func beginTLS(_ connection: Connection) -> Bool {
    var space = scratch.mutableSpan
    switch connection.descriptor.peek(into: &space) {
    case .moved(let count):
      let wanted: Int
      switch FirstRecord(scratch.span.extracting(first: count)) {
      case .incomplete: wanted = FirstRecord.headerBytes
      case .handshake(let length): wanted = length
      // Pass the record to OpenSSL anyway, so that OpenSSL reports what is wrong with it.
      case .plainHTTP, .garbage: wanted = 0
      }
      // Bytes can still be missing after the poller has waited for them. There are two possible
      // reasons: no more bytes will arrive, or the kernel's buffer is full. In both cases, pass the
      // available bytes to OpenSSL.
      if count < wanted && connection.lowWatermark < wanted {
        connection.descriptor.setLowWatermark(wanted)
        connection.lowWatermark = wanted
        watch(connection, for: .read)
        return false
      }
    case .wantsRead, .wantsWrite:
      watch(connection, for: .read)
      return false
    case .ended, .failed:
      close(connection)
      return false
    }
    if connection.lowWatermark > 1 { connection.descriptor.setLowWatermark(1) }
    guard let context = shared.context, let material = catalog.material else {
      close(connection)
      return false
    }
    do throws(TLSError) {
      connection.tls = try Session(
        context: context, material: material, descriptor: connection.descriptor)
    } catch {
      shared.log.warning("a connection was dropped: \(error)")
      close(connection)
      return false
    }
    return true
  }

  private func countHandshake(of connection: Connection) {
    guard let (number, wasResumed) = connection.tls?.agreement() else { return }
    let version = TLSVersion(number: number)
    connection.version = version
    counters.handshakes.add(version.rawValue * 2 + (wasResumed ? 1 : 0))
  }

  /// Answers plain HTTP on the TLS port with a response in plain HTTP.
  private mutating func answerPlainHTTP(_ connection: Connection) {
    processor.refuse(with: FixedAnswers.plainHTTP, on: connection)
    _ = connection.descriptor.send(
      processor.output.gathered.memory.span.extracting(first: processor.output.count))
    processor.output.removeAll()
    linger(connection)
  }
}
