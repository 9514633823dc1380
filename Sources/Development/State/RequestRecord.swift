internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix
internal import Server
internal import Settings

/// A request to the public site, and the response.
struct RequestRecord: Sendable {
  enum Kind: String, Sendable { case association, page, other, refused }

  /// The number of the request, counted from 1.
  var number = 0
  /// When the request was answered, in milliseconds since 1970.
  let time: Int64
  /// The class of the client. `tunnel` means this program's own request through the tunnel.
  let fetcher: String
  let method: String
  let path: String
  let kind: Kind
  let status: UInt16
  let bytes: Int
  /// The version of the association file in the response; nil for other responses.
  let version: String?
  let agent: String
  /// The network of the client; nil if the tunnel does not report the client. The record does not
  /// contain the client's address.
  let client: String?
  let requestHead: String
  let responseHead: String
  /// Why the request was refused as invalid; nil if the request was valid.
  let fault: String?

  init(
    _ request: PageRequest, _ answer: PageAnswer, kind: Kind, version: String? = nil,
    isOwn: Bool = false, time: Int64
  ) {
    self.time = time
    self.kind = kind
    self.version = version
    fetcher = isOwn ? "tunnel" : request.fetcher.name
    fault =
      kind == .refused
      ? visibleText(answer.body.prefix { $0 != 0x0A }, limit: DevLimits.shownBytes) : nil
    let word = request.head.prefix { $0 > 0x20 }
    method = visibleText(word, limit: 32)
    path = visibleText(request.path.utf8, limit: DevLimits.shownBytes)
    status = answer.status.code
    bytes = request.method == .head ? 0 : answer.body.count
    agent = visibleText((request.field("user-agent") ?? "").utf8, limit: DevLimits.shownBytes)
    client = clientNetwork(request)
    requestHead = visibleLines(request.head)
    responseHead = visibleLines(
      answer.head(closes: answer.closes || request.endsConnection, now: time / 1_000))
  }

  /// Whether this request is a successful fetch of the association file by a device or Apple's CDN.
  var isFetch: Bool {
    kind == .association && status == 200 && method == "GET"
      && (fetcher == FetcherClass.appleDevice.name || fetcher == FetcherClass.appleCDN.name)
  }
}

/// Returns the head of a request or response as text. Truncates a head that is longer than
/// `DevLimits.headBytes`.
private func visibleLines(_ head: [UInt8]) -> String {
  let isCut = head.count > DevLimits.headBytes
  let lines = head.prefix(DevLimits.headBytes).split(separator: 0x0A)
  return lines.map { line in visibleText(line.last == 0x0D ? line.dropLast() : line) }
    .filter { !$0.isEmpty }.joined(separator: "\n") + (isCut ? "…" : "")
}

/// Returns the client's network, which does not identify a person. Returns nil if the tunnel does
/// not report the client.
private func clientNetwork(_ request: PageRequest) -> String? {
  let named =
    request.field("cf-connecting-ip")
    ?? request.field("x-forwarded-for")?.split(separator: ",").last.map(String.init)
  return named.flatMap { IPAddress(String($0.filter { $0 != " " }))?.network.description }
}
