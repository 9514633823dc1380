internal import HTTP
internal import Posix

/// The functions that a page listener calls. `failed` is called on the accepting thread, and the
/// other functions on a connection's thread.
struct PageHandlers: Sendable {
  let answer: @Sendable (PageRequest) -> PageReply
  /// Called for each request that violates HTTP, with the request and the response to it.
  let refused: @Sendable (PageRequest, PageAnswer) -> Void
  /// Called if the system has no descriptor or no thread for a new connection.
  let failed: @Sendable (SystemError) -> Void
}

/// One connection of a page listener. Answers the connection's requests in order. Its thread serves
/// only this connection, so the thread may wait for the client.
struct PageExchange: ~Copyable {
  private let socket: PageSocket
  /// The number that identifies this connection in `connections`.
  private let number: Int
  private let connections: PageConnections
  private let limits: PageLimits
  private let handlers: PageHandlers
  private var head: RequestHead
  /// The request whose content has not arrived completely; nil if there is no such request.
  private var begun: PageRequest?
  /// Received bytes that are not a part of any request that has been read so far.
  private var input: [UInt8] = []
  private var space = [UInt8](repeating: 0, count: 8_192)

  init(
    _ socket: PageSocket, _ number: Int, _ connections: PageConnections,
    _ limits: PageLimits, _ handlers: PageHandlers
  ) {
    self.socket = socket
    self.number = number
    self.connections = connections
    self.limits = limits
    self.handlers = handlers
    head = RequestHead(acceptsBrowserPaths: limits.acceptsBrowserPaths)
  }

  /// Answers requests until the client or the server ends the connection.
  mutating func run() {
    var isFirst = true
    while true {
      let next: PageRequest?
      do throws(RequestFault) {
        next = try nextRequest(isFirst)
      } catch {
        var answer = PageAnswer(error.status, text: error.reason)
        answer.closes = true
        let (request, bytes) = (begun, input)
        if let other = refusalOfMethod(request) { answer = other }
        handlers.refused(request ?? PageRequest(refused: bytes), answer)
        let isHead = request.map { $0.method == .head } ?? isHeadRequest(bytes.span, from: 0)
        send(answer, toHead: isHead, closes: true)
        return
      }
      guard let request = next else { return }
      connections.note(.making, of: number)
      switch handlers.answer(request) {
      case .now(let answer):
        let closes = request.endsConnection || answer.closes
        guard send(answer, toHead: request.method == .head, closes: closes), !closes else {
          return
        }
      case .stream(let answer, let stream):
        feed(stream, answer, to: request)
        return
      }
      isFirst = false
    }
  }

  /// If the listener accepts no content, returns 405 for a request whose method is not allowed.
  /// Without this check, the client would get a misleading status, which says that the content is
  /// too large.
  private func refusalOfMethod(_ request: PageRequest?) -> PageAnswer? {
    guard let request, limits.head.bodyBytes == 0,
      case .now(var answer) = handlers.answer(request), answer.status == .methodNotAllowed
    else { return nil }
    answer.closes = true
    return answer
  }

  // MARK: Requests

  /// Returns the next request with its content; nil if the client has disconnected or timed out.
  private mutating func nextRequest(_ isFirst: Bool) throws(RequestFault) -> PageRequest? {
    var isIdle = input.isEmpty && !isFirst
    var end = Deadline(afterMilliseconds: isIdle ? limits.idle : limits.request)
    while true {
      connections.note(isIdle ? .idle : .reading, of: number)
      // Copy the input, because Swift cannot borrow a part of `self` while another part, `head`, is
      // modified.
      let (bytes, limit) = (input, limits.head)
      if let length = try head.read(bytes.span, from: 0, limits: limit) {
        let request = PageRequest(head, bytes.span, end: length)
        input.removeFirst(length)
        return try withContent(request, until: end)
      }
      guard receive(until: end) else { return nil }
      if isIdle { end = Deadline(afterMilliseconds: limits.request) }
      isIdle = false
    }
  }

  private mutating func withContent(
    _ request: PageRequest, until end: Deadline
  ) throws(RequestFault) -> PageRequest? {
    if head.body == .none { return request }
    begun = request
    var drain = try BodyDrain(head.body, limits: limits.head, keepsContent: true)
    // Send 100 (Continue) if the client waits for it (RFC 9110 section 10.1.1). The line is so
    // short that one call sends it completely.
    let isAwaited = head.expectsContinue && input.isEmpty
    if isAwaited { _ = socket.descriptor.send(continuation.span) }
    while true {
      let (next, isComplete) = try drain.consume(input.span, from: 0)
      input.removeFirst(next)
      if isComplete {
        var request = request
        request.content = drain.content
        begun = nil
        return request
      }
      guard receive(until: end) else { return nil }
    }
  }

  /// Waits until bytes arrive, and appends them to `input`. Returns false at the time limit or if
  /// the connection ends.
  private mutating func receive(until end: Deadline) -> Bool {
    while true {
      switch receiveOnce() {
      case .moved(let count):
        input += space[..<count]
        return true
      case .wantsRead, .wantsWrite:
        guard socket.descriptor.waitUntilReady(forWriting: false, until: end) else { return false }
      case .ended, .failed: return false
      }
    }
  }

  private mutating func receiveOnce() -> TransferOutcome {
    let socket = socket
    var span = space.mutableSpan
    return socket.descriptor.receive(into: &span)
  }

  // MARK: Answers

  /// - Returns: Whether the kernel has accepted the whole response.
  @discardableResult
  private mutating func send(_ answer: PageAnswer, toHead isHead: Bool, closes: Bool) -> Bool {
    let head = answer.head(closes: closes, now: Clock.wallSeconds())
    guard send(isHead ? head : head + answer.body) else { return false }
    if closes { linger() }
    return true
  }

  /// Sends bytes. Returns false if the client does not accept them within the time limit, or the
  /// connection ends.
  private func send(_ bytes: [UInt8]) -> Bool {
    connections.note(.writing, of: number)
    let end = Deadline(afterMilliseconds: limits.write)
    var offset = 0
    while offset < bytes.count {
      switch socket.descriptor.send(bytes.span.extracting(offset...)) {
      case .moved(let count): offset += count
      case .wantsRead, .wantsWrite:
        guard socket.descriptor.waitUntilReady(forWriting: true, until: end) else { return false }
      case .ended, .failed: return false
      }
    }
    return true
  }

  /// Sends the bytes of a stream until the stream ends or the client has disconnected.
  private mutating func feed(_ stream: PageStream, _ answer: PageAnswer, to request: PageRequest) {
    defer { stream.end() }
    guard send(answer.head(isEndless: true, closes: true, now: Clock.wallSeconds())) else { return }
    if request.method == .head { return linger() }
    do throws(SystemError) {
      let news = try Wakeup()
      var poller = try Poller(capacity: 2)
      try poller.add(socket.descriptor, token: 0, interest: .read)
      try poller.add(news.descriptor, token: 1, interest: .read)
      stream.attach(news)
      while let bytes = stream.take() {
        if bytes.isEmpty {
          connections.note(.streaming, of: number)
          let count = poller.wait(milliseconds: Int32(clamping: limits.heartbeat))
          news.acknowledge()
          guard count > 0 ? !hasGone() : send(stream.heartbeat) else { return }
        } else {
          guard send(bytes) else { return }
        }
      }
    } catch {
      // Ignore the error. The stream ends here, and the client connects again.
    }
  }

  /// Drops bytes that the client sends during a stream. Returns whether the client has
  /// disconnected.
  private mutating func hasGone() -> Bool {
    switch receiveOnce() {
    case .moved, .wantsRead, .wantsWrite: false
    case .ended, .failed: true
    }
  }

  /// Closes the server's sending side, and drops incoming bytes until the client closes too. If the
  /// server closed the connection completely, the kernel could reset it before the client reads the
  /// response (RFC 9112 section 9.6).
  private mutating func linger() {
    // Change the activity before the client notices that the server has closed its side: the client
    // may connect again immediately, and this connection must then count as lingering.
    connections.note(.lingering, of: number)
    socket.descriptor.shutdownSending()
    let end = Deadline(afterMilliseconds: limits.linger)
    while receive(until: end), !end.isOver { input = [] }
  }
}

private let continuation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
