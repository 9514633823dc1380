internal import Bytes
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix
internal import TLS

/// A successful answer of a CA.
struct CallAnswer {
  let head: ReceivedHead
  let body: [UInt8]

  /// The URL of the resource that the request created; nil if the answer contains none.
  var location: String? { head.value(of: "location") }

  func json() throws(IssuanceFailure) -> Value {
    do throws(SyntaxError) {
      return try Document(parsing: SourceText(path: "", bytes: body)).root
    } catch {
      throw .noAnswer("the CA's answer is not JSON")
    }
  }

  /// The URLs of alternate chains for the same certificate (RFC 8555 section 7.4.2).
  var alternates: [String] {
    head.fields.filter { $0.name == "link" }.compactMap { field in
      let text = field.text
      guard text.contains("alternate"), let open = text.firstIndex(of: "<"),
        let close = text.firstIndex(of: ">"), open < close
      else { return nil }
      return String(text[text.index(after: open)..<close])
    }
  }
}

extension ReceivedHead {
  /// Returns the value of Retry-After in seconds (RFC 9110 section 10.2.3), but at least one second
  /// and at most one week. Returns nil if the CA sends no such field.
  func retryAfter(now: Int64 = Clock.wallSeconds()) -> Int64? {
    guard let text = value(of: "retry-after") else { return nil }
    let seconds =
      text.decimal(in: 0...(.max))
      ?? HTTPDate.parse(text.utf8.span, from: 0, to: text.utf8.count, now: now).map { $0 - now }
    return seconds.map { min(max($0, 1), IssuanceLimits.longestRetryAfter) }
  }
}

/// Sends requests to one CA. Stores the CA's directory, nonces and account. Not thread-safe.
final class AuthorityClient {
  let authority: Authority
  var key: SigningKey
  private let context: ClientContext
  /// The environment variables. Only HTTPS_PROXY, ALL_PROXY and NO_PROXY are used, in upper or
  /// lower case.
  private let variables: [String: String]
  private var nonces: [String] = []
  /// The number of nonces that the CA has rejected in a row.
  private var rejections = 0
  /// When the next signed request may be sent, in milliseconds of the monotonic clock.
  private var nextPost = Int64.min
  private var known: (directory: ACMEDirectory, until: Int64)?
  /// The account's URL; nil until the CA has sent it.
  var account: String?
  private(set) var clock: AuthorityClock?
  private let kept = KeptConnection()
  var deadline = Deadline(afterMilliseconds: IssuanceLimits.step)

  init(
    _ authority: Authority, key: SigningKey, context: ClientContext,
    variables: [String: String] = [:]
  ) {
    (self.authority, self.key, self.context) = (authority, key, context)
    self.variables = variables
  }

  func directory() throws(IssuanceFailure) -> ACMEDirectory {
    let now = Clock.monotonicMilliseconds() / 1000
    if let known, now < known.until { return known.directory }
    let value = try get(authority.url).json()
    guard let directory = ACMEDirectory(value) else {
      throw .noAnswer("\(authority.url) is not the directory of a CA")
    }
    known = (directory, now + IssuanceLimits.directorySeconds)
    return directory
  }

  func get(_ url: String) throws(IssuanceFailure) -> CallAnswer { try call(url, nil) }

  var knownDirectory: ACMEDirectory? { known?.directory }

  /// Fetches the directory again, because the response shows the CA's time.
  func refresh() throws(IssuanceFailure) -> ACMEDirectory {
    known = nil
    return try directory()
  }

  func read(_ url: String) throws(IssuanceFailure) -> CallAnswer { try post(nil, to: url) }

  /// - Parameter own: A key that signs the request, for example to create the account. The request
  ///   then contains this key instead of the account's URL.
  func post(
    _ payload: JSONTree?, to url: String, by own: SigningKey? = nil
  ) throws(IssuanceFailure) -> CallAnswer {
    while Clock.monotonicMilliseconds() >= nextPost {
      let nonce = try takeNonce()
      let request = try signed(
        try signedRequest(
          payload, to: url, nonce: nonce, account: own == nil ? account : nil, key: own ?? key))
      do throws(IssuanceFailure) {
        let answer = try call(
          url, FetchRequest.Content(type: "application/jose+json", request.minified))
        rejections = 0
        return answer
      } catch {
        // The refusal contains a new nonce, so the request can be repeated.
        guard error.problem?.type == "badNonce" else { throw error }
        rejections += 1
        guard rejections >= IssuanceLimits.nonceRejections else { continue }
        nextPost = Clock.monotonicMilliseconds() + IssuanceLimits.noncePause
      }
    }
    throw .noAnswer("the CA rejects its own nonces")
  }

  private func takeNonce() throws(IssuanceFailure) -> String {
    if let nonce = nonces.popLast() { return nonce }
    _ = try get(try directory().newNonce)
    guard let nonce = nonces.popLast() else { throw .noAnswer("the CA sends no nonce") }
    return nonce
  }

  private func call(
    _ url: String, _ content: FetchRequest.Content?
  ) throws(IssuanceFailure) -> CallAnswer {
    guard var request = request(url), request.scheme == .https else {
      throw .noAnswer("the CA's answer contains an invalid HTTPS URL")
    }
    request.content = content
    var options = FetchOptions()
    options.timeout = min(IssuanceLimits.requestTimeout, deadline.millisecondsLeft)
    if options.timeout <= 0 {
      throw .noAnswer(
        "the CA is too slow: one step took longer than \(IssuanceLimits.step / 1_000) s")
    }
    options.proxy = ProxyAddress(for: request.host, in: variables)
    let exchange = fetch(request, options, context: context, keeping: kept)
    if let head = exchange.head { note(head) }
    guard let (head, body) = exchange.response else {
      throw .noAnswer(Self.reason(exchange.fault))
    }
    let answer = CallAnswer(head: head, body: body)
    guard head.status >= 300 else { return answer }
    throw .refused(Self.problem(in: answer))
  }

  /// Returns the reason why the CA gave no answer. If this machine's clock is wrong by months,
  /// every certificate looks invalid, so the reason then mentions the clock.
  private static func reason(_ fault: FetchFault?) -> String {
    guard let fault else { return "the CA did not answer" }
    guard case .untrusted(let faults) = fault else { return fault.description }
    let isOfDates = faults.contains { fault in
      switch fault {
      case .expired, .notYetValid: true
      default: false
      }
    }
    let hint =
      isOfDates
      ? "this machine's clock says \(day(Clock.wallSeconds()))"
      : "pass a private CA's roots with --acme-ca"
    return "\(fault.description); \(hint)"
  }

  /// Returns the problem document of a refusal. If the answer contains none, for example because a
  /// firewall sent it, makes a document from the HTTP status.
  private static func problem(in answer: CallAnswer) -> ProblemDocument {
    let status = Int(answer.head.status)
    let type = status == 429 ? "rateLimited" : status >= 500 ? "serverInternal" : "unknown"
    var problem =
      (try? answer.json()).flatMap(ProblemDocument.init)
      ?? ProblemDocument(type: type, detail: answer.head.statusLine)
    (problem.status, problem.retryAfter) = (status, answer.head.retryAfter())
    return problem
  }

  private func note(_ head: ReceivedHead) {
    if let nonce = head.value(of: "replay-nonce"), nonces.count < IssuanceLimits.nonces {
      nonces.append(nonce)
    }
    guard let date = head.value(of: "date"),
      let time = HTTPDate.parse(
        date.utf8.span, from: 0, to: date.utf8.count, now: Clock.wallSeconds())
    else { return }
    clock = AuthorityClock(time: time, uptime: Clock.monotonicMilliseconds())
  }
}
