internal import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import TLS

/// Turns received bytes into responses: parses requests, selects the responses, and appends them to
/// a buffer in order.
///
/// The processor does no I/O and does not modify connections: the event loop does both. Each loop
/// has one processor, and all connections of the loop share the processor's buffers.
struct RequestProcessor: ~Copyable {
  /// Responses that have not been passed to the kernel yet.
  var output: OutputBuffer
  /// A representation whose large body must be sent after `output`. The body is not copied to
  /// `output`.
  var tail: Representation?
  var observer: RequestObserver
  private var now: Int64

  private var head = RequestHead(
    expectedTargets: AnswerSelector.paths, acceptsBrowserPaths: true)
  private var selector: AnswerSelector
  private var limits: RequestLimits
  private var proxies: TrustedProxies

  /// The maximum size of a body that is copied to `output` after its head, so that one system call
  /// sends both.
  private static let copiedBodyBytes = 16 * 1024
  /// The maximum number of requests of one connection that are answered before other connections
  /// continue. Without a maximum, a client that sends many requests at once could delay other
  /// clients.
  private static let requestsPerTurn = 32
  /// The number of bytes in `output` at which the collected responses are sent.
  private static let gatheredBytes = 32 * 1024
  private static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  init(
    selector: AnswerSelector, limits: RequestLimits, counters: LoopCounters = LoopCounters(),
    log: LoopLog? = nil, proxies: TrustedProxies = TrustedProxies()
  ) {
    self.selector = selector
    self.limits = limits
    self.proxies = proxies
    let observer = RequestObserver(counters: counters, log: log)
    now = observer.clock.wallSeconds
    self.observer = observer
    output = OutputBuffer(capacity: Self.gatheredBytes + 2 * Self.copiedBodyBytes, now: now)
  }

  mutating func take(_ settings: LoopSettings) {
    selector = settings.selector
    limits = settings.options.request
    proxies = settings.proxies
  }

  /// Begins a turn of the event loop: reads the clock.
  ///
  /// - Parameter isBusy: Whether this turn may answer requests. If so, also updates the Date field
  ///   of the responses.
  mutating func beginTurn(isBusy: Bool) {
    observer.beginTurn()
    guard isBusy else { return }
    now = observer.clock.wallSeconds
    output.refreshDate(now: now)
  }

  /// What the event loop must do next with a connection.
  enum Action {
    /// Receive more bytes. The input that remains is empty, or is an incomplete head or body.
    case needsInput
    /// Send the collected responses, then continue with the remaining input.
    case send
    /// Continue after other connections, because this connection has reached `requestsPerTurn`.
    case yield
    /// Send the collected responses, then end the connection.
    case end(Ending)
  }

  /// How much of a connection's input has been processed.
  struct Progress {
    /// The index of the first input byte that has not been processed.
    var position = 0
    /// The request whose body is being read and dropped.
    var body: PendingBody?
    /// When the current request began; 0 if the request began in this turn of the event loop.
    var requestStart: Int64 = 0
    var hasAnswered = false
    fileprivate var ending: Ending?

    init(body: PendingBody? = nil, requestStart: Int64 = 0) {
      self.body = body
      self.requestStart = requestStart
    }
  }

  /// Answers the requests in the input, from `progress.position` on.
  ///
  /// - Parameter isDraining: Whether the server is stopping. If so, the connection ends after the
  ///   next response.
  mutating func answerAll(
    _ bytes: Span<UInt8>, _ progress: inout Progress, of connection: Connection, catalog: Catalog,
    isDraining: Bool
  ) -> Action {
    var remaining = Self.requestsPerTurn
    while progress.position < bytes.count {
      do throws(RequestFault) {
        if let body = progress.body {
          try drop(body, bytes, &progress, of: connection, isDraining: isDraining)
        } else {
          guard let end = try head.read(bytes, from: progress.position, limits: limits) else {
            noteStart(&progress)
            return .needsInput
          }
          if remaining == 0 { return .yield }
          remaining -= 1
          try answer(bytes, end, &progress, connection, catalog, isDraining)
        }
      } catch {
        let named = hostOfRefused(bytes, from: progress.position, limits: limits) ?? 0..<0
        let host = progress.body?.host ?? copy(bytes.extracting(named))
        let isHead = progress.body?.isHead ?? isHeadRequest(bytes, from: progress.position)
        let answer = selector.fixed.answer(error.status, omitsBody: isHead, closes: true)
        progress.position = bytes.count
        progress.body = nil
        let request = AnsweredRequest(refusing: connection, with: answer, because: error)
        write(request, host: host.span, &progress, on: connection)
        return .end(.linger)
      }
      if let ending = progress.ending { return .end(ending) }
      if tail != nil || output.count >= Self.gatheredBytes { return .send }
    }
    return .needsInput
  }

  /// Selects the response to a request's head. Appends the response to the output, unless a body
  /// must be dropped first.
  private mutating func answer(
    _ bytes: Span<UInt8>, _ end: Int, _ progress: inout Progress, _ connection: Connection,
    _ catalog: Catalog, _ isDraining: Bool
  ) throws(RequestFault) {
    var hostRange = head.host
    var client = connection.peer
    var isVouchedFor = false
    if connection.isTrustedProxy && head.names.containsForwarding {
      let forwarded = try proxies.forwarded(head, bytes, peer: connection.peer)
      client = forwarded.client
      if let host = forwarded.host, !catalog.names(bytes, in: hostRange) { hostRange = host }
      isVouchedFor = forwarded.isHTTPS
    }
    var answer = selector.answer(
      to: head, for: hostRange, in: bytes, catalog: catalog,
      isMisdirected: !isVouchedFor
        && Self.isMisdirected(head.target.form, head.host, bytes, connection), now: now)
    // Only a page's path may contain bytes that browsers send unencoded. For any other target, RFC
    // 9112 section 3.2 recommends the status 400.
    if answer.subject.path < 0 { try head.requireEncodedPath(bytes) }
    if isDraining { answer = answer.closing }
    let request = AnsweredRequest(
      answer: consume answer,
      fetcher: FetcherClass(
        userAgent: head.userAgent, method: head.method, path: head.target.path, in: bytes),
      client: client, isHTTP10: head.minorVersion == 0)
    let host = bytes.extracting(hostRange)
    // Match a pattern, because the operator `==` would be a call into another module.
    if case .none = head.body {
      progress.position = end
      return write(request, host: host, from: catalog, &progress, on: connection)
    }
    let drain = try BodyDrain(head.body, limits: limits)
    progress.position = end
    if drain.isComplete {
      return write(request, host: host, from: catalog, &progress, on: connection)
    }
    // Record the fetch now, because the server may have a newer catalog when the body is complete.
    // A request with an unknown path is counted later, because counting it needs no catalog.
    if request.answer.subject.path >= 0 { observer.noteFetch(request, from: catalog) }
    progress.body = PendingBody(
      drain, request, isHead: head.method == .head, host: copy(host))
    noteStart(&progress)
    // RFC 9110 section 10.1.1: send no 100 (Continue) if a part of the body has already arrived.
    if head.expectsContinue && end == bytes.count { output.append(Self.continueLine) }
  }

  private mutating func drop(
    _ body: PendingBody, _ bytes: Span<UInt8>, _ progress: inout Progress,
    of connection: Connection, isDraining: Bool
  ) throws(RequestFault) {
    let (next, isComplete) = try body.drain.consume(bytes, from: progress.position)
    progress.position = next
    guard isComplete else { return }
    progress.body = nil
    var request = body.request
    if isDraining { request.answer = request.answer.closing }
    let host = body.host
    write(request, host: host.span, &progress, on: connection)
  }

  /// Stores the current time as the start of the current request, because a later turn of the event
  /// loop will answer the request.
  private func noteStart(_ progress: inout Progress) {
    if progress.requestStart == 0 { progress.requestStart = observer.clock.nanoseconds }
  }

  /// Returns whether a request was misdirected (RFC 9110 section 7.4): this connection's
  /// certificate does not cover the request's host, or the request's scheme differs from the
  /// connection's.
  @inline(__always)
  private static func isMisdirected(
    _ form: RequestTarget.Form, _ hostRange: Range<Int>, _ bytes: Span<UInt8>,
    _ connection: Connection
  ) -> Bool {
    if case .absolute(let scheme) = form {
      // If a proxy terminates TLS, the target that it forwards has no scheme. Therefore, this
      // scheme is from the client itself.
      if (scheme == .https) != connection.isSecure { return true }
    }
    if !connection.isSecure || hostRange.isEmpty { return false }
    return isUncovered(bytes.extracting(hostRange), connection)
  }

  private static func isUncovered(_ host: Span<UInt8>, _ connection: Connection) -> Bool {
    if connection.tls?.isOpenedFor(host: host) ?? true { return false }
    for index in host.indices where (0x41...0x5A).contains(host[index]) {
      return !(connection.tls?.covers(host: lowercased(host).span) ?? true)
    }
    return !(connection.tls?.covers(host: host) ?? true)
  }

  /// Returns the host in lower case. This is rarely needed, because nearly all clients send the
  /// host in lower case.
  private static func lowercased(_ host: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for index in host.indices {
      let byte = host[index]
      result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    return result
  }

  /// - Parameters:
  ///   - host: The host of the request; empty if the request has no valid host.
  ///   - catalog: The catalog that the response is from, to record the fetch of a file. Nil if
  ///     there is no fetch to record, because the fetch was already recorded or the request's path
  ///     is unknown.
  private mutating func write(
    _ request: borrowing AnsweredRequest, host: Span<UInt8>, from catalog: Catalog? = nil,
    _ progress: inout Progress, on connection: Connection
  ) {
    observer.note(
      request, host: host, from: catalog, start: progress.requestStart, on: connection)
    progress.requestStart = 0
    progress.hasAnswered = true
    let hasBody = !request.answer.omitsBody
    let isCopied = request.answer.representation.body.count <= Self.copiedBodyBytes
    output.append(
      request.answer, isHTTP10: request.isHTTP10, includesBody: isCopied && hasBody)
    if !isCopied && hasBody { tail = request.answer.representation }
    if request.answer.closes { progress.ending = .close }
  }

  /// Refuses a request that the client has not completed within the time limit.
  mutating func refuseLate(_ connection: Connection) {
    let isHead: Bool
    if case .body(let body) = connection.state {
      isHead = body.isHead
    } else {
      let input = connection.input
      isHead = isHeadRequest(input.span, from: 0)
    }
    let answer = selector.fixed.answer(.requestTimeout, omitsBody: isHead, closes: true)
    refuse(with: answer, on: connection)
  }

  /// Refuses an invalid request. The bytes after the request are never parsed as another request.
  mutating func refuse(with answer: Answer, on connection: Connection) {
    let noHost: [UInt8] = []
    var progress = Progress(requestStart: connection.requestStart)
    let request = AnsweredRequest(refusing: connection, with: answer)
    write(request, host: noHost.span, &progress, on: connection)
  }
}

private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count)
  for index in bytes.indices { result.append(bytes[index]) }
  return result
}
