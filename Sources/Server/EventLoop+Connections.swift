internal import HTTP
internal import Hosting
internal import Logging
internal import Posix
internal import TLS

/// One step of one connection: the switch over its states.
extension EventLoop {
  mutating func advance(_ connection: Connection, _ slot: Int) {
    switch connection.phase {
    case .handshaking: continueHandshake(connection, slot)
    case .idle, .readingHead, .readingBody: read(connection, slot)
    case .writing: continueWriting(connection, slot)
    case .lingering: discard(connection, slot)
    }
  }

  mutating func continueHandshake(_ connection: Connection, _ slot: Int) {
    if connection.proxyHeader != nil { return readProxyHeader(connection, slot) }
    guard let outcome = connection.tls?.handshake() else { return close(slot) }
    switch outcome {
    case .done:
      countHandshake(of: connection)
      watch(connection, slot, for: .read)
      enter(.idle, connection, slot)
      // The request often comes in the same packet as the end of the handshake.
      if connection.hasPendingBytes { read(connection, slot) }
    case .wantsRead: watch(connection, slot, for: .read)
    case .wantsWrite: watch(connection, slot, for: .write)
    case .plainHTTP:
      counters.handshakeFailures.add(Int(TLSFailure.Reason.plainHTTP.rawValue))
      answerPlainHTTP(connection, slot)
    case .failed(let failure):
      counters.handshakeFailures.add(Int(failure.reason.rawValue))
      if failure.fault == .ours {
        shared.log.warning("a TLS handshake failed: \(failure)")
      } else {
        shared.log.debug("a TLS handshake failed: \(failure)")
      }
      // Closing at once could take the alert away from the client before it has read it.
      linger(connection, slot)
    }
  }

  private func countHandshake(of connection: Connection) {
    guard let (number, wasResumed) = connection.tls?.agreement() else { return }
    let version = MetricsSnapshot.TLSVersion(number: number)
    connection.version = version
    counters.handshakes.add(version.rawValue * 2 + (wasResumed ? 1 : 0))
  }

  /// Somebody speaks HTTP without TLS on the TLS port: tells so in plain text.
  private mutating func answerPlainHTTP(_ connection: Connection, _ slot: Int) {
    processor.refuse(with: FixedAnswers.plainHTTP, on: connection)
    _ = connection.descriptor.send(
      processor.output.gathered.memory.span.extracting(first: processor.output.count))
    processor.output.removeAll()
    linger(connection, slot)
  }

  /// Receives once and processes all that is there.
  mutating func read(_ connection: Connection, _ slot: Int) {
    var buffer: [UInt8] = []
    swap(&buffer, &scratch)
    defer { swap(&buffer, &scratch) }
    var space = buffer.mutableSpan
    switch connection.receive(into: &space) {
    case .moved(let count):
      if isTLSOnPlainPort(connection, buffer[0]) { return linger(connection, slot) }
      if connection.input.isEmpty {
        process(buffer, count, connection, slot)
      } else {
        var joined: [UInt8] = []
        swap(&joined, &connection.input)
        joined += buffer[..<count]
        process(joined, joined.count, connection, slot)
      }
    case .wantsRead: watch(connection, slot, for: .read)
    case .wantsWrite: watch(connection, slot, for: .write)
    case .ended:
      // RFC 8446 6.1: each side says that it ends before it does.
      connection.tls?.closeNotify()
      close(slot)
    case .failed: close(slot)
    }
  }

  /// A TLS record of type handshake (RFC 8446 5.1) where a method should begin.
  private func isTLSOnPlainPort(_ connection: Connection, _ first: UInt8) -> Bool {
    first == 0x16 && !connection.isSecure && connection.phase == .idle
  }

  /// Processes the first `count` bytes of `buffer`, and keeps what is left of them.
  private mutating func process(
    _ buffer: [UInt8], _ count: Int, _ connection: Connection, _ slot: Int
  ) {
    var position = 0
    while true {
      let (next, stop) = processor.process(
        buffer.span.extracting(0..<count), from: position, of: connection, catalog: catalog,
        isDraining: isDraining)
      position = next
      guard flush(connection, slot, isLast: stop == .ends) else {
        if position < count { connection.input = Array(buffer[position..<count]) }
        return
      }
      switch stop {
      case .needsFlush: continue
      case .yields:
        connection.input = Array(buffer[position..<count])
        connection.hasYielded = true
        enter(.idle, connection, slot)
        watch(connection, slot, for: .read)
        readySlots.append(slot)
        return
      case .ends: return finish(connection, slot, hasUnreadInput: position < count)
      case .needsInput:
        if position < count { connection.input = Array(buffer[position..<count]) }
        if connection.phase == .idle || !isQueued(connection) {
          enter(connection.phase, connection, slot)
        }
        watch(connection, slot, for: .read)
        if connection.hasPendingBytes { readySlots.append(slot) }
        return
      }
    }
  }

  /// Goes on with what was received in an earlier turn.
  mutating func resume(_ connection: Connection, _ slot: Int) {
    connection.hasYielded = false
    var input: [UInt8] = []
    swap(&input, &connection.input)
    process(input, input.count, connection, slot)
  }

  /// Whether the connection's time already runs in the state in which it is.
  private func isQueued(_ connection: Connection) -> Bool {
    connection.queuedPhase == connection.phase
  }

  /// Sends the answers that were gathered. True when all is sent; otherwise what is left waits
  /// until the client takes it, or the connection is closed.
  ///
  /// - Parameter isLast: our side ends right after them.
  @inline(__always)
  mutating func flush(_ connection: Connection, _ slot: Int, isLast: Bool) -> Bool {
    if processor.output.isEmpty { return true }
    let gathered = processor.output.count
    let (count, stop) = connection.send(
      processor.output.gathered.memory.span.extracting(first: gathered), processor.tail, from: 0,
      isLast: isLast)
    counters.sentBytes.add(0, UInt64(count))
    guard let stop else {
      processor.output.removeAll()
      processor.tail = nil
      return true
    }
    let ofOutput = min(count, gathered)
    connection.output = Array(processor.output.gathered.memory[ofOutput..<gathered])
    connection.outputOffset = 0
    connection.tail = processor.tail
    connection.tailOffset = count - ofOutput
    processor.output.removeAll()
    processor.tail = nil
    waitForClient(stop, connection, slot)
    return false
  }

  private mutating func waitForClient(
    _ stop: TransferOutcome, _ connection: Connection, _ slot: Int
  ) {
    switch stop {
    case .wantsWrite, .wantsRead:
      watch(connection, slot, for: stop == .wantsWrite ? .write : .read)
      enter(.writing, connection, slot)
    case .moved, .ended, .failed: close(slot)
    }
  }

  /// A client that takes less than this within the time for writing is too slow: one byte now and
  /// then must not hold a connection.
  private static let writeProgress = 16 * 1024

  private mutating func continueWriting(_ connection: Connection, _ slot: Int) {
    let (sent, stop) = connection.sendLeftover()
    counters.sentBytes.add(0, UInt64(sent))
    if let stop {
      connection.progress += sent
      if stop == .wantsWrite || stop == .wantsRead, connection.progress < Self.writeProgress {
        watch(connection, slot, for: stop == .wantsWrite ? .write : .read)
        return
      }
      connection.progress = 0
      return waitForClient(stop, connection, slot)
    }
    watch(connection, slot, for: .read)
    if connection.ending != .none {
      return finish(connection, slot, hasUnreadInput: !connection.input.isEmpty)
    }
    enter(connection.body == nil ? .idle : .readingBody, connection, slot)
    if connection.input.isEmpty {
      if connection.hasPendingBytes { readySlots.append(slot) }
      return
    }
    resume(connection, slot)
  }

  /// All answers are sent, and the last of them was to be the last.
  mutating func finish(_ connection: Connection, _ slot: Int, hasUnreadInput: Bool) {
    connection.tls?.closeNotify()
    if connection.ending == .linger || hasUnreadInput {
      linger(connection, slot)
    } else {
      close(slot)
    }
  }

  mutating func linger(_ connection: Connection, _ slot: Int) {
    connection.descriptor.shutdownSending()
    connection.input = []
    connection.dropOutput()
    watch(connection, slot, for: .read)
    enter(.lingering, connection, slot)
  }

  /// Drops what a client sends that has been answered for good. TLS has ended: the bytes are not
  /// looked at.
  private mutating func discard(_ connection: Connection, _ slot: Int) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved, .wantsRead, .wantsWrite: return
    case .ended, .failed: close(slot)
    }
  }

  /// Puts a connection into a state, whose time starts now.
  mutating func enter(_ phase: Connection.Phase, _ connection: Connection, _ slot: Int) {
    // Watching it may have failed a moment ago, and closed it: a slot without connection must not
    // stand in a queue, for nobody would ever take it out.
    guard connections[slot] === connection else { return }
    connection.phase = phase
    connection.queuedPhase = phase
    let allowance: Int64
    switch phase {
    case .handshaking: allowance = shared.options.handshakeTimeout
    // A connection that was never used gets a moment to send what is already on its way.
    case .idle: allowance = isDraining ? 1_000 : shared.options.idleTimeout
    case .readingHead: allowance = shared.options.headTimeout
    case .readingBody: allowance = shared.options.bodyTimeout
    case .writing: allowance = shared.options.writeTimeout
    case .lingering: allowance = shared.options.lingerTimeout
    }
    deadlines.enter(
      phase.rawValue, slot: slot, deadline: now + allowance, tolerance: allowance >> 6)
  }

  mutating func watch(_ connection: Connection, _ slot: Int, for interest: Interest) {
    // By pattern and not by `==`: that is a call into another module.
    switch (connection.watched, interest) {
    case (.read, .read), (.write, .write): return
    default: break
    }
    let token = Token(slot: UInt32(slot), generation: generations[slot]).rawValue
    do throws(SystemError) {
      if connection.watched == nil {
        try poller.add(connection.descriptor, token: token, interest: interest)
      } else {
        try poller.modify(connection.descriptor, token: token, interest: interest)
      }
      connection.watched = interest
    } catch {
      shared.log.warning("a connection was dropped: \(error)")
      close(slot)
    }
  }

  /// Forgets a connection; its descriptor is closed with the last reference to it.
  mutating func close(_ slot: Int) {
    guard let connection = connections[slot] else { return }
    if let client = connection.client { uncount(client) }
    connections[slot] = nil
    generations[slot] &+= 1
    deadlines.leave(slot: slot)
    freeSlots.append(slot)
    connectionCount -= 1
    noteClosed()
    if reserve == nil { resumeAccepting() }
  }
}
