internal import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import TLS

/// Turns received bytes into responses: parses requests, selects the responses, and appends them to
/// a buffer in order.
///
/// The processor does no I/O and does not modify connections; the event loop does. Each loop has
/// one processor for all its connections, so that they share buffers.
struct RequestProcessor: ~Copyable {
  /// Responses that have not been passed to the kernel yet.
  var output: OutputBuffer
  /// A representation whose large body follows `output`. The body is sent without copying it to
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
  /// The maximum number of requests on one connection to answer in one turn. The maximum keeps a
  /// client that sends many requests at once from delaying other clients.
  private static let requestsPerTurn = 32
  /// The number of collected bytes at which the responses are sent.
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

  /// Begins a turn: reads the clock.
  ///
  /// - Parameter isBusy: Whether this turn may answer requests. If so, updates the date for the
  ///   responses.
  mutating func beginTurn(isBusy: Bool) {
    observer.beginTurn()
    guard isBusy else { return }
    now = observer.clock.wallSeconds
    output.refreshDate(now: now)
  }

  /// The next step of the event loop.
  enum Action {
    /// Receive more bytes: the remaining input is empty or an incomplete head or body.
    case needsInput
    /// Send the collected responses, then continue.
    case send
    /// Continue in the next turn, because the connection has used up its share of this turn.
    case yield
    /// Send the collected responses, then end the connection.
    case end(Ending)
  }

  /// How much of a connection's input has been processed.
  struct Progress {
    /// The index of the first unused byte.
    var position = 0
    /// The request whose body is being read and dropped.
    var body: PendingBody?
    /// When the current request began; 0 if it began in this turn.
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
  /// - Parameter isDraining: Whether the server is stopping. If so, the next response is the last
  ///   response on the connection.
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
    // Only pages accept unencoded paths, because browsers send such paths. For other targets RFC
    // 9112 section 3.2 recommends 400.
    if answer.subject.path < 0 { try head.requireEncodedPath(bytes) }
    if isDraining { answer = answer.closing }
    let request = AnsweredRequest(
      answer: consume answer,
      fetcher: FetcherClass(
        userAgent: head.userAgent, method: head.method, path: head.target.path, in: bytes),
      client: client, isHTTP10: head.minorVersion == 0)
    let host = bytes.extracting(hostRange)
    // Match a pattern, because `==` would call another module.
    if case .none = head.body {
      progress.position = end
      return write(request, host: host, from: catalog, &progress, on: connection)
    }
    let drain = try BodyDrain(head.body, limits: limits)
    progress.position = end
    if drain.isComplete {
      return write(request, host: host, from: catalog, &progress, on: connection)
    }
    // Count the fetch now, because the server may have a newer catalog when the body is complete. A
    // request with an unknown path needs no catalog and is counted later.
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

  /// Stores the start time of a request that will be answered in a later turn.
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
      // Proxies that terminate TLS send the target without a scheme, so this scheme is the
      // client's.
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

  /// Rarely called, because nearly all clients send the host in lower case.
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
  ///   - catalog: The catalog of the response; nil if the fetch was already recorded or the path is
  ///     unknown.
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

  /// Refuses a request that took too long.
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

  /// Refuses an invalid request. The bytes after the request are not parsed as another request.
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
