internal import HTTP
internal import Posix

/// What is done with one connection: requests in, answers out.
extension PageLoop {
  mutating func receive(_ connection: PageConnection, _ slot: Int) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved(let count):
      if connection.isIdle { connection.deadline = now + limits.request }
      connection.input += scratch[..<count]
      process(connection, slot)
    case .wantsRead, .wantsWrite: return
    case .ended, .failed: close(slot)
    }
  }

  /// Answers what is there, one request after the other.
  private mutating func process(_ connection: PageConnection, _ slot: Int) {
    while connection.phase == .readingContent || !connection.input.isEmpty {
      do throws(RequestFault) {
        guard try readRequest(connection) else { return watch(connection, slot, for: .read) }
      } catch {
        connection.closes = true
        connection.request = nil
        prepare(PageAnswer(error.status, text: error.reason), on: connection)
        send(connection, slot)
        return
      }
      guard let request = connection.request else { return close(slot) }
      guard reply(answer(request), connection, slot) else { return }
    }
    connection.deadline = now + limits.idle
    watch(connection, slot, for: .read)
  }

  /// Whether a whole request is there now.
  private mutating func readRequest(_ connection: PageConnection) throws(RequestFault) -> Bool {
    if connection.phase == .reading {
      // A copy, for lending out a part of an object is accounted for at run time.
      var framer = connection.framer
      let input = connection.input
      let end = try head.read(input.span, from: 0, framer: &framer, limits: limits.head)
      connection.framer = framer
      guard let end else { return false }
      connection.framer = HeadFramer()
      let request = PageRequest(head, input.span, end: end, peer: connection.peer)
      connection.request = request
      connection.closes = request.endsConnection
      connection.input.removeFirst(end)
      if head.body == .none { return true }
      connection.drain = try BodyDrain(head.body, limits: limits.head, keepsContent: true)
      connection.phase = .readingContent
      // RFC 9110 section 10.1.1. So few bytes always have room.
      let isAwaited = head.expectsContinue && connection.input.isEmpty
      if isAwaited { _ = connection.descriptor.send(continuation.span) }
    }
    return try readContent(connection)
  }

  private func readContent(_ connection: PageConnection) throws(RequestFault) -> Bool {
    guard var drain = connection.drain else { return true }
    let input = connection.input
    let (next, isComplete) = try drain.consume(input.span, from: 0)
    connection.input.removeFirst(next)
    connection.drain = isComplete ? nil : drain
    guard isComplete else { return false }
    connection.request?.content = drain.content
    connection.phase = .reading
    return true
  }

  /// True when the answer is sent and the connection goes on.
  private mutating func reply(
    _ reply: PageReply, _ connection: PageConnection, _ slot: Int
  ) -> Bool {
    switch reply {
    case .now(let answer):
      prepare(answer, on: connection)
      return send(connection, slot)
    case .later(let make):
      if control.start(make, for: token(slot), limit: limits.workers) {
        connection.phase = .waiting
        connection.deadline = now + limits.making
        unwatch(connection)
        return false
      }
      prepare(
        PageAnswer(.serviceUnavailable, text: "too much is being looked for; ask again later"),
        on: connection)
      return send(connection, slot)
    case .stream(let answer, let stream):
      connection.closes = true
      if connection.request?.method == .head {
        stream.end()
        prepare(answer, isEndless: true, on: connection)
        return send(connection, slot)
      }
      prepare(answer, isEndless: true, on: connection)
      connection.phase = .streaming
      connection.stream = stream
      stream.attach(control)
      feed(connection, slot)
      return false
    }
  }

  /// Sends an answer that another thread has made.
  mutating func finish(_ answer: PageAnswer, _ connection: PageConnection, _ slot: Int) {
    connection.phase = .reading
    prepare(answer, on: connection)
    if send(connection, slot) { process(connection, slot) }
  }

  private func prepare(
    _ answer: PageAnswer, isEndless: Bool = false, on connection: PageConnection
  ) {
    connection.closes = connection.closes || answer.closes
    let head = answer.head(
      isEndless: isEndless, closes: connection.closes, now: Clock.wallSeconds())
    let hasBody = connection.request?.method != .head && !isEndless
    connection.output = hasBody ? head + answer.body : head
    connection.offset = 0
    connection.request = nil
  }

  /// True when all is sent and the connection goes on.
  @discardableResult
  mutating func send(_ connection: PageConnection, _ slot: Int) -> Bool {
    let wasWaiting = connection.phase == .writing
    switch connection.sendOutput() {
    case nil:
      if connection.closes {
        linger(connection, slot)
        return false
      }
      connection.phase = .reading
      if wasWaiting { process(connection, slot) }
      return !wasWaiting
    case .wantsWrite, .wantsRead:
      if !wasWaiting { connection.deadline = now + limits.write }
      connection.phase = .writing
      watch(connection, slot, for: .write)
    case .moved, .ended, .failed: close(slot)
    }
    return false
  }

  /// Sends what a stream has, as far as its reader takes it.
  mutating func feed(_ connection: PageConnection, _ slot: Int) {
    guard let stream = connection.stream else { return close(slot) }
    let wasBlocked = connection.watched == .write
    while true {
      if connection.output.isEmpty {
        guard let more = stream.take() else { return close(slot) }
        if more.isEmpty { break }
        connection.output = more
      }
      switch connection.sendOutput() {
      case nil: continue
      case .wantsWrite, .wantsRead:
        if !wasBlocked { connection.deadline = now + limits.write }
        return watch(connection, slot, for: .write)
      case .moved, .ended, .failed: return close(slot)
      }
    }
    connection.deadline = now + limits.heartbeat
    watch(connection, slot, for: .read)
  }

  /// A connection has had its time.
  mutating func expire(_ connection: PageConnection, _ slot: Int) {
    guard connection.phase == .streaming, connection.output.isEmpty, let stream = connection.stream
    else { return close(slot) }
    connection.output = stream.heartbeat
    feed(connection, slot)
  }

  /// Our side ends; what still comes is dropped, or the kernel would reset the connection before
  /// the client has read its answer (RFC 9112 section 9.6).
  private mutating func linger(_ connection: PageConnection, _ slot: Int) {
    connection.descriptor.shutdownSending()
    connection.phase = .lingering
    connection.deadline = now + limits.linger
    connection.input = []
    watch(connection, slot, for: .read)
  }

  mutating func discard(_ connection: PageConnection, _ slot: Int) {
    var space = scratch.mutableSpan
    switch connection.descriptor.receive(into: &space) {
    case .moved, .wantsRead, .wantsWrite: return
    case .ended, .failed: close(slot)
    }
  }
}

private let continuation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
