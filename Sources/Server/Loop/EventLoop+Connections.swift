internal import Catalog
internal import HTTP
internal import Logging
internal import Posix
internal import Settings
internal import Synchronization
internal import TLS

/// Handles the events of connections, and changes their states.
extension EventLoop {
  /// Continues with a connection that the poller reports as ready, or whose slot was in
  /// `readySlots`.
  mutating func advance(_ connection: Connection) {
    switch connection.state {
    case .proxyHeader: readProxyHeader(connection)
    case .handshaking: continueHandshake(connection)
    case .idle, .head: read(connection, body: nil)
    case .body(let body): read(connection, body: body)
    case .yielded: resume(connection, body: nil)
    case .writing(let output): continueWriting(output, connection)
    case .lingering: discard(connection)
    }
  }

  /// Changes the state of a connection, and starts the state's time limit.
  ///
  /// - Parameter interest: The events that the poller will watch for; nil to keep the current
  ///   events.
  mutating func enter(
    _ state: Connection.State, _ connection: Connection, watchingFor interest: Interest? = .read
  ) {
    // If an idle connection stays idle, which is the most common case, skip the assignment.
    if case .idle = state, case .idle = connection.state {} else { connection.state = state }
    let kind = state.kind
    var queue = kind.rawValue
    if case .idle = state, connection.hasServed { queue = Connection.keptQueue }
    var allowance = settings.allowance(in: kind)
    if isDraining {
      switch kind {
      case .readingBody, .writing: break
      default: allowance = min(allowance, settings.options.drainAllowance)
      }
    }
    deadlines.enter(
      queue, slot: connection.slot, deadline: now + allowance,
      tolerance: allowance >> 6)
    if let interest { watch(connection, for: interest) }
  }

  mutating func watch(_ connection: Connection, for interest: Interest) {
    // Match a pattern, because the operator `==` would be a call into another module.
    switch (connection.watched, interest) {
    case (.read, .read), (.write, .write): return
    default: break
    }
    let slot = connection.slot
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
      close(connection)
    }
  }

  func isOpen(_ connection: Connection) -> Bool { connections[connection.slot] === connection }

  // MARK: Receiving

  /// Receives the bytes that have arrived, with one call, and processes them.
  ///
  /// - Parameter body: The request whose body is being received; nil if the bytes belong to a head.
  mutating func read(_ connection: Connection, body: PendingBody?) {
    var buffer: [UInt8] = []
    swap(&buffer, &scratch)
    defer { swap(&buffer, &scratch) }
    var space = buffer.mutableSpan
    switch connection.receive(into: &space) {
    case .moved(let count):
      // The byte 0x16 begins a TLS handshake record (RFC 8446 section 5.1), but this connection is
      // for plain HTTP.
      if buffer[0] == 0x16, !connection.isSecure, case .idle = connection.state {
        shared.log.debug("a client spoke TLS on a port for plain HTTP")
        return linger(connection)
      }
      if connection.input.isEmpty {
        process(buffer, count, connection, body: body)
      } else {
        take(buffer, count, connection)
      }
    case .wantsRead: watch(connection, for: .read)
    case .wantsWrite: watch(connection, for: .write)
    case .ended:
      // RFC 8446 section 6.1: each side sends a close_notify before it closes.
      connection.closeNotify()
      close(connection)
    case .failed: close(connection)
    }
  }

  private mutating func take(_ buffer: [UInt8], _ count: Int, _ connection: Connection) {
    // The received bytes may complete a head whose beginning arrived earlier.
    var joined: [UInt8] = []
    swap(&joined, &connection.input)
    joined += buffer[..<count]
    if joined.count >= settings.options.request.headBytes
      || buffer[..<count].contains(UInt8(ascii: "\n"))
    {
      return process(joined, joined.count, connection, body: nil)
    }
    connection.input = joined
    if connection.hasPendingBytes { readySlots.append(connection.slot) }
  }

  /// Processes input of the connection that was received earlier.
  private mutating func resume(_ connection: Connection, body: PendingBody?) {
    var input: [UInt8] = []
    swap(&input, &connection.input)
    process(input, input.count, connection, body: body)
  }

  /// Processes the first `count` bytes of `buffer`, and stores the unprocessed bytes in the
  /// connection.
  private mutating func process(
    _ buffer: [UInt8], _ count: Int, _ connection: Connection, body: PendingBody?
  ) {
    var progress = RequestProcessor.Progress(
      body: body, requestStart: connection.requestStart)
    while true {
      let action = processor.answerAll(
        buffer.span.extracting(0..<count), &progress, of: connection, catalog: catalog,
        isDraining: isDraining || shared.isLeaving.load(ordering: .relaxed))
      let hasRest = progress.position < count
      connection.requestStart = progress.requestStart
      if progress.hasAnswered { connection.hasServed = true }
      if case .end(let ending) = action {
        return send(then: .ends(hasRest ? .linger : ending), connection)
      }
      if !processor.output.isEmpty, let rest = flush(connection, isLast: false) {
        if hasRest { connection.input = Array(buffer[progress.position..<count]) }
        return wait(rest, then: .goesOn(progress.body), connection)
      }
      switch action {
      case .send, .end: continue
      case .yield:
        connection.input = Array(buffer[progress.position..<count])
        readySlots.append(connection.slot)
        return enter(.yielded, connection)
      case .needsInput:
        if hasRest { connection.input = Array(buffer[progress.position..<count]) }
        awaitInput(connection, progress)
        if connection.hasPendingBytes { readySlots.append(connection.slot) }
        return
      }
    }
  }

  /// Waits for more bytes of a head or a body, or for the next request. The time limit for a head
  /// or a body starts at its first byte.
  private mutating func awaitInput(
    _ connection: Connection, _ progress: borrowing RequestProcessor.Progress
  ) {
    if let body = progress.body {
      if case .body(let current) = connection.state, current === body { return }
      return enter(.body(body), connection)
    }
    if connection.input.isEmpty { return enter(.idle, connection) }
    if progress.position == 0, case .head = connection.state { return }
    enter(.head, connection)
  }

  // MARK: Sending

  /// Sends the collected responses, and then does the next step. If the socket does not accept all
  /// bytes immediately, stores the remaining bytes in the connection and waits.
  mutating func send(then next: PendingOutput.Next, _ connection: Connection) {
    var isLast = false
    if case .ends = next { isLast = true }
    if !processor.output.isEmpty, let rest = flush(connection, isLast: isLast) {
      return wait(rest, then: next, connection)
    }
    proceed(to: next, connection)
  }

  /// Sends the collected responses. If the socket does not accept all bytes, returns the bytes that
  /// remain to be sent.
  ///
  /// - Parameter isLast: Whether the server closes its sending side immediately after the
  ///   responses.
  @inline(__always)
  private mutating func flush(_ connection: Connection, isLast: Bool) -> Rest? {
    let gathered = processor.output.count
    let (count, stop) = connection.send(
      processor.output.gathered.memory.span.extracting(first: gathered), processor.tail, from: 0,
      isLast: isLast)
    counters.sentBytes.add(0, UInt64(count))
    defer {
      processor.output.removeAll()
      processor.tail = nil
    }
    guard let stop else { return nil }
    let ofBytes = min(count, gathered)
    return Rest(
      bytes: Array(processor.output.gathered.memory[ofBytes..<gathered]), tail: processor.tail,
      tailOffset: count - ofBytes, stop: stop)
  }

  /// The bytes that the socket did not accept, and the reason.
  private struct Rest {
    let bytes: [UInt8]
    let tail: Representation?
    let tailOffset: Int
    let stop: TransferOutcome
  }

  private mutating func wait(
    _ rest: Rest, then next: PendingOutput.Next, _ connection: Connection
  ) {
    let output = PendingOutput(
      rest.bytes, tail: rest.tail, tailOffset: rest.tailOffset, next: next)
    wait(for: rest.stop, output, connection)
  }

  private mutating func wait(
    for stop: TransferOutcome, _ output: PendingOutput, _ connection: Connection
  ) {
    switch stop {
    case .wantsWrite: enter(.writing(output), connection, watchingFor: .write)
    case .wantsRead: enter(.writing(output), connection)
    case .moved, .ended, .failed: close(connection)
    }
  }

  /// The minimum number of bytes that a client must accept within each write timeout. Without a
  /// minimum, a client could keep a connection open by accepting a few bytes at a time.
  private static let writeProgress = 16 * 1024

  private mutating func continueWriting(_ output: PendingOutput, _ connection: Connection) {
    let (sent, stop) = connection.send(output)
    counters.sentBytes.add(0, UInt64(sent))
    guard let stop else { return proceed(to: output.next, connection) }
    output.progress += sent
    if output.progress < Self.writeProgress {
      switch stop {
      case .wantsWrite: return watch(connection, for: .write)
      case .wantsRead: return watch(connection, for: .read)
      case .moved, .ended, .failed: return close(connection)
      }
    }
    output.progress = 0
    wait(for: stop, output, connection)
  }

  private mutating func proceed(to next: PendingOutput.Next, _ connection: Connection) {
    switch next {
    case .ends(let ending): finish(connection, ending)
    case .goesOn(let body):
      enter(body.map { .body($0) } ?? .idle, connection)
      if !connection.input.isEmpty { return resume(connection, body: body) }
      if connection.hasPendingBytes { readySlots.append(connection.slot) }
    }
  }

  // MARK: Ending

  /// Ends a connection after its last response has been sent.
  private mutating func finish(_ connection: Connection, _ ending: Ending) {
    connection.closeNotify()
    switch ending {
    case .linger: linger(connection)
    case .close: close(connection)
    }
  }

  mutating func linger(_ connection: Connection) {
    connection.descriptor.shutdownSending()
    connection.input = []
    // The TLS session has ended. Free its memory, which is 90 KB after a refused ClientHello.
    connection.tls = nil
    enter(.lingering, connection)
  }

  /// Drops bytes that arrive after the last response. The bytes are not decrypted, because the TLS
  /// session has ended.
  private mutating func discard(_ connection: Connection) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved, .wantsRead, .wantsWrite: return
    case .ended, .failed: close(connection)
    }
  }

  /// Removes a connection from the loop. The connection's descriptor is closed when the last
  /// reference to the connection is released.
  mutating func close(_ connection: Connection) {
    guard isOpen(connection) else { return }
    let slot = connection.slot
    if let client = connection.client { shared.clients.release(client) }
    if connection.watched != nil { poller.forget(connection.descriptor) }
    connections[slot] = nil
    generations[slot] &+= 1
    deadlines.leave(slot: slot)
    freeSlots.append(slot)
    connectionCount -= 1
    noteClosed()
    if reserve == nil { resumeAccepting() }
  }
}
