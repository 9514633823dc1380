internal import Bytes
internal import Gzip
internal import HTTP
internal import Posix
package import TLS

/// Fetches a URL in these steps: resolve, connect, proxy (if a proxy is used), handshake (for
/// `https`), request, response. Records the result of every step in the exchange. Does not follow
/// redirects.
///
/// Blocks for at most the timeout. The process must ignore SIGPIPE: OpenSSL writes to the socket
/// with write(2), which raises this signal if the server has disconnected.
///
/// - Parameters:
///   - context: The TLS settings for `https`.
///   - kept: The object that keeps the connection open for the next fetch; nil to close the
///     connection after this fetch.
///   - now: The current time in seconds since 1970, to check certificates.
package func fetch(
  _ request: FetchRequest, _ options: FetchOptions = FetchOptions(), context: ClientContext,
  now: Int64 = Clock.wallSeconds(), keeping kept: KeptConnection? = nil
) -> Exchange {
  var fetching = Fetching(request, options, context, now, kept)
  fetching.run()
  return fetching.exchange
}

/// One fetch in progress.
private struct Fetching {
  private(set) var exchange: Exchange
  private let options: FetchOptions
  private let context: ClientContext
  private let now: Int64
  private let start = Clock.monotonicMilliseconds()
  private let deadline: Deadline
  private let kept: KeptConnection?

  private var request: FetchRequest { exchange.request }
  /// The proxy to use; nil for a direct connection.
  private var proxy: ProxyAddress? {
    request.scheme == .https && options.origin == nil ? options.proxy : nil
  }

  init(
    _ request: FetchRequest, _ options: FetchOptions, _ context: ClientContext, _ now: Int64,
    _ kept: KeptConnection?
  ) {
    self.kept = kept
    exchange = Exchange(request: request)
    self.options = options
    self.context = context
    self.now = now
    deadline = Deadline(afterMilliseconds: options.timeout)
  }

  mutating func run() {
    do throws(FetchFault) {
      try steps()
    } catch {
      exchange.fault = error
    }
  }

  private mutating func steps() throws(FetchFault) {
    if let connection = kept?.take(request) { return try converse(connection) }
    try findAddresses()
    finished(.resolve)
    let connection = Connection(try connect())
    finished(.connect)
    if let proxy {
      try openTunnel(connection, proxy)
      finished(.proxy)
    }
    if request.scheme == .https {
      do throws(FetchFault) {
        try connection.startTLS(context, host: request.host, until: deadline)
      } catch {
        if case .timedOut(let step, _, _) = error { throw timedOut(step) }
        if case .handshake(let failure) = error {
          throw Self.demand(failure.description, .handshake) ?? error
        }
        throw error
      }
      let facts = connection.tlsFacts(now: now)
      exchange.tls = facts
      finished(.handshake)
      if let faults = facts?.verification.faults, !faults.isEmpty, !options.goesOnUntrusted {
        throw .untrusted(faults)
      }
    }
    do throws(FetchFault) {
      try converse(connection)
    } catch {
      throw isHungUp(error) && wantsHTTP2 ? .http2Only(.response) : error
    }
  }

  /// Sends the request on a connection, and reads the response.
  private mutating func converse(_ connection: Connection) throws(FetchFault) {
    exchange.sent = requestHead
    try send(Array(requestHead.utf8) + (request.content?.bytes ?? []), on: connection, .request)
    finished(.request)
    let staysOpen = try receive(connection)
    finished(.response)
    if let kept, staysOpen {
      kept.keep(connection, for: request)
    } else {
      connection.close()
    }
  }

  /// Returns whether the server closed or broke the connection before the head of a response
  /// arrived.
  private func isHungUp(_ fault: FetchFault) -> Bool {
    switch fault {
    case .response(.nothing): true
    case .lost(.response, _): exchange.head == nil
    default: false
    }
  }

  /// Whether the server would choose HTTP/2 if the client offered HTTP/2. If the server has already
  /// chosen a protocol by ALPN, returns false without a test.
  private var wantsHTTP2: Bool {
    guard let facts = exchange.tls, facts.agreedProtocol.isEmpty, proxy == nil,
      let address = exchange.address
    else { return false }
    let other = handshake(
      for: request.host, at: address, protocolName: "h2", context: context,
      milliseconds: max(deadline.millisecondsLeft, ClientLimits.leastPerAddress))
    return other?.agreedProtocol == "h2"
  }

  // MARK: The connection

  private mutating func findAddresses() throws(FetchFault) {
    if let origin = options.origin {
      exchange.addresses = [origin]
      return
    }
    exchange.usesProxy = proxy != nil
    if proxy == nil, let known = kept?.addresses(for: request) {
      exchange.addresses = known
      return
    }
    let (host, port) = (proxy?.host ?? request.host, proxy?.port ?? request.port)
    exchange.addresses = try mapping(
      resolve(host, port: port, until: deadline), to: FetchFault.unresolved)
    if options.isPublicOnly, proxy == nil,
      let address = exchange.addresses.first(where: { $0.privateKind != nil })
    {
      throw .privateAddress(address)
    }
    if proxy == nil { kept?.keep(exchange.addresses, for: request) }
  }

  /// Tries the addresses one after another. Each address gets an equal share of the remaining time.
  private mutating func connect() throws(FetchFault) -> FileDescriptor {
    let addresses = exchange.addresses.prefix(ClientLimits.addresses)
    for (index, address) in addresses.enumerated() {
      let began = Clock.monotonicMilliseconds()
      let share = deadline.millisecondsLeft / Int64(addresses.count - index)
      let allowance = max(share, ClientLimits.leastPerAddress)
      do throws(SystemError) {
        let descriptor = try FileDescriptor.connected(
          to: address, until: deadline.capped(toMilliseconds: allowance))
        attempted(address, nil, since: began)
        return descriptor
      } catch {
        attempted(address, error, since: began)
      }
    }
    kept?.forgetAddresses()
    throw .unreachable(exchange.attempts)
  }

  private mutating func attempted(
    _ address: SocketAddress, _ error: SystemError?, since began: Int64
  ) {
    exchange.attempts.append(
      ConnectionAttempt(
        address: address, error: error, milliseconds: Clock.monotonicMilliseconds() - began))
  }

  /// Opens a tunnel through the proxy (RFC 9110 section 9.3.6).
  private func openTunnel(
    _ connection: Connection, _ proxy: ProxyAddress
  ) throws(FetchFault) {
    let host = request.host.contains(":") ? "[\(request.host)]" : request.host
    let target = "\(host):\(request.port)"
    let authorization = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
    let head = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n"
    try send(Array(head.utf8), on: connection, .proxy)
    // A successful response to CONNECT has no content, even if its header fields announce content.
    // The tunnel begins right after the header. The server at the other end of the tunnel sends
    // nothing before this client does.
    var reader = ResponseReader(isHead: true)
    try receive(connection, .proxy, &reader)
    guard let answer = reader.head else { throw .proxy("the proxy did not answer") }
    guard (200..<300).contains(answer.status) else {
      throw .proxy("the proxy answered \"\(answer.statusLine)\"")
    }
  }

  // MARK: The exchange

  private var requestHead: String {
    var lines = [
      "\(request.content == nil ? "GET" : "POST") \(request.path) HTTP/1.1",
      "Host: \(request.authority)",
      "User-Agent: \(options.userAgent)", "Accept: */*", "Accept-Encoding: gzip",
      "Connection: \(kept == nil ? "close" : "keep-alive")",
    ]
    if let content = request.content {
      lines += ["Content-Type: \(content.type)", "Content-Length: \(content.bytes.count)"]
    }
    lines += options.fields.map { "\($0.name): \($0.value)" }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private func send(
    _ bytes: [UInt8], on connection: Connection, _ step: FetchFault.Step
  ) throws(FetchFault) {
    try mapping(connection.send(bytes, until: deadline)) { (error: Connection.Interruption) in
      fault(error, step, received: 0)
    }
  }

  /// Reads the response. Returns whether the connection can carry another request.
  private mutating func receive(_ connection: Connection) throws(FetchFault) -> Bool {
    var reader = ResponseReader()
    defer {
      exchange.head = reader.head
      exchange.rawBody = reader.body
      exchange.flaws = reader.flaws
    }
    try receive(connection, .response, &reader)
    exchange.body = try decoded(reader)
    guard let head = reader.head, reader.flaws.isEmpty,
      head.value(of: "connection")?.lowercased().contains("close") != true
    else { return false }
    return head.value(of: "content-length") != nil || head.value(of: "transfer-encoding") != nil
      || head.status == 204
  }

  private func receive(
    _ connection: Connection, _ step: FetchFault.Step, _ reader: inout ResponseReader
  ) throws(FetchFault) {
    while !reader.isComplete {
      let bytes = try mapping(connection.receive(until: deadline)) {
        (error: Connection.Interruption) in fault(error, step, received: reader.body.count)
      }
      do throws(ResponseFault) {
        if bytes.isEmpty { try reader.end() } else { _ = try reader.take(bytes.span) }
      } catch {
        if reader.head == nil, isHTTP2(bytes) { throw .http2Only(step) }
        throw step == .proxy ? .proxy(error.description) : .response(error)
      }
    }
  }

  /// Returns the content after its content coding is removed (RFC 9110 section 8.4).
  private func decoded(_ reader: ResponseReader) throws(FetchFault) -> [UInt8] {
    let coding = reader.head?.value(of: "content-encoding")?.lowercased() ?? "identity"
    switch coding {
    case "identity", "": return reader.body
    case "gzip", "x-gzip":
      if reader.body.isEmpty { return [] }
      return try mapping(
        gunzip(reader.body, limit: ClientLimits.decodedBytes), to: FetchFault.content)
    default: throw .unknownCoding(coding)
    }
  }

  // MARK: Faults and times

  private func fault(
    _ interruption: Connection.Interruption, _ step: FetchFault.Step, received: Int
  ) -> FetchFault {
    switch interruption {
    case .timedOut: timedOut(step, received: received)
    case .lost(let reason): Self.demand(reason ?? "", step) ?? .lost(step, reason)
    }
  }

  /// Returns the fault if the server's alert (RFC 8446 section 6.2) demands a client certificate or
  /// another protocol; nil if OpenSSL's error text mentions neither.
  private static func demand(_ reason: String, _ step: FetchFault.Step) -> FetchFault? {
    if reason.contains("certificate required") { return .clientCertificate(step) }
    if reason.contains("no application protocol") { return .http2Only(step) }
    return nil
  }

  private func timedOut(_ step: FetchFault.Step, received: Int = 0) -> FetchFault {
    .timedOut(step, milliseconds: options.timeout, received: received)
  }

  private mutating func finished(_ step: FetchFault.Step) {
    exchange.times.append((step, Clock.monotonicMilliseconds() - start))
  }
}

/// Returns whether an answer begins with a frame that an HTTP/2 server sends first: SETTINGS or
/// GOAWAY (RFC 9113 sections 4.1, 6.5 and 6.8).
private func isHTTP2(_ bytes: [UInt8]) -> Bool {
  bytes.count >= 9 && bytes[0] == 0 && (bytes[3] == 4 || bytes[3] == 7)
    && bytes[5...8].allSatisfy { $0 == 0 }
}
