internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import DigitalAssetLinks
internal import HTTP
internal import JSON
internal import Rules

/// The names of well-known files that clients request regularly, except the association file and
/// `assetlinks.json`. The list contains the files for which this program has rules, and files that
/// only Apple can check.
let watchedWellKnownFiles =
  JudgedFile.allCases.map(\.rawValue) + [
    "apple-developer-merchantid-domain-association",
    "apple-developer-merchantid-domain-association.txt", "apple-developer-domain-association.txt",
  ]

/// The answer for one of the files in `watchedWellKnownFiles`.
struct WellKnownAnswer {
  let name: String
  let exchange: Exchange
  /// If the file redirects to a target that `target(of:_:)` returns, the answer of this target;
  /// otherwise nil.
  let target: Exchange?

  /// Nil if the host is invalid.
  init?(
    _ name: String, of host: String, _ client: ClientSettings, keeping kept: KeptConnection? = nil
  ) {
    guard let request = FetchRequest(host: host, path: "/.well-known/" + name) else { return nil }
    self.name = name
    exchange = client.fetch(request, isOwn: false, keeping: kept)
    target = Self.target(of: exchange.response?.head, request).map {
      client.fetch($0, isOwn: false)
    }
  }

  /// Returns the request to which an answer redirects. The target must be the same path on another
  /// host, or another path on the same host. Nil for any other answer.
  private static func target(of head: ReceivedHead?, _ request: FetchRequest) -> FetchRequest? {
    guard let head, head.isRedirect, let place = head.value(of: "location") else { return nil }
    let bytes = Array(place.utf8)
    guard let parts = try? URLParts(bytes.span) else { return nil }
    let path = String(decoding: bytes[parts.path], as: UTF8.self)
    let host = parts.host.map { String(decoding: bytes[$0], as: UTF8.self) } ?? request.host
    guard path.hasPrefix("/"), let other = try? HostTarget(host),
      (other.host == request.host) != (path == request.path)
    else { return nil }
    return other.request(path: path)
  }
}

/// Returns findings about a watched file. Many servers answer every path with some page. So the
/// content is checked only if it looks like the watched file.
func wellKnownFindings(_ answer: WellKnownAnswer) -> [Finding] {
  let (name, exchange) = (answer.name, answer.exchange)
  if let (head, body) = answer.target?.response {
    // Ignore a redirect to a target without the file, because many domains redirect all paths to
    // their www domain.
    guard head.status == 200, isMeant(SourceText(path: "", bytes: body), for: name) else {
      return []
    }
    return [redirectFinding(name, exchange)]
  }
  guard let (head, body) = exchange.response else { return [] }
  guard head.status == 200, let file = JudgedFile(rawValue: name) else { return [] }
  let source = SourceText(path: exchange.request.url, bytes: body)
  let reading = JudgedReading(source, as: file)
  guard isMeant(reading, as: file) else { return [] }
  let type = head.value(of: "content-type") ?? "none"
  if type.lowercased().prefix(while: { $0 != ";" && $0 != " " }) != "application/json" {
    return [
      Finding(
        .wellKnownFaulty, "the content type of \(name) is \(type)", exchange,
        help: "send \(name) as application/json")
    ]
  }
  let faults = reading.report().diagnostics.filter { $0.severity > .note }
  guard let worst = faults.max(by: { $0.severity < $1.severity }) else { return [] }
  let what = worst.severity == .error ? "an error" : "a fault"
  return [
    Finding(
      .wellKnownFaulty, "\(name) has \(what): \(worst.message) (\(worst.code))", exchange,
      help: worst.help)
  ]
}

/// Returns the finding that a watched file redirects. Clients follow redirects of `webauthn`, but
/// only if every redirect leads to https. Clients follow no redirect of any other watched file.
private func redirectFinding(_ name: String, _ exchange: Exchange) -> Finding {
  guard let file = JudgedFile(rawValue: name) else {
    var finding = Finding(
      .wellKnownRedirects, "\(name) redirects, and clients of this file follow no redirect",
      exchange)
    finding.ownSource =
      "services for Apple Pay say that the file must be sent with status 200 (grade O)"
    return finding
  }
  guard file == .relatedOrigins else {
    return Finding(
      .wellKnownRedirects, "\(name) redirects, and clients of this file follow no redirect",
      exchange)
  }
  let place = exchange.head?.value(of: "location") ?? ""
  return place.lowercased().hasPrefix("http:")
    ? Finding(
      .wellKnownRedirects,
      "\(name) redirects to a URL without https, but clients refuse such a "
        + "redirect",
      exchange)
    : Finding(
      .relatedOriginsRedirect,
      "\(name) redirects, and clients follow this redirect only over "
        + "https", exchange)
}

private func isMeant(_ reading: JudgedReading, as file: JudgedFile) -> Bool {
  reading.root?.members.contains { member in
    file.beginnings.contains { member.key.lowercased().hasPrefix($0) }
  } ?? false
}

/// Whether the content looks like the file with this name: it contains one of the file's keys, or a
/// similar key. For one of Apple's own files, any content that is not a page is accepted.
private func isMeant(_ source: SourceText, for name: String) -> Bool {
  guard let file = JudgedFile(rawValue: name) else {
    return !source.bytes.isEmpty && !isPage(source.bytes)
  }
  return isMeant(JudgedReading(source, as: file), as: file)
}

private let judgedNames = JudgedFile.allCases.map(\.rawValue).joined(separator: " or ")

extension Kind {
  static let wellKnownRedirects = Kind(
    "F108", "well-known-redirects",
    "a request for a well-known file is redirected, or a request for webauthn to plain HTTP",
    "clients do not follow such a redirect",
    "W3C's draft on passkey-endpoints forbids redirects; the Web Authentication specification "
      + "requires https in each redirect of webauthn; services for Apple Pay say that its file "
      + "must be sent with status 200 (grade O)",
    severity: .warning,
    fix: "serve the file at its own address, without a redirect")

  static let wellKnownFaulty = Kind(
    "F109", "well-known-faulty",
    "clients cannot use the served file (\(judgedNames)), or a part "
      + "of the file",
    "they ignore it: "
      + JudgedFile.allCases.map { "without \($0.rawValue) \($0.loss)" }.joined(separator: ", "),
    JudgedFile.allCases.map { "for \($0.rawValue), see \($0.source)" }
      .joined(separator: ", and "),
    severity: .warning, fix: "save the file as \(judgedNames), and run aasa validate on it")

  static let relatedOriginsRedirect = Kind(
    "F114", "related-origins-redirect", "webauthn redirects",
    "clients follow redirects over https, so they can read the file",
    "the Web Authentication specification, section 5.11.1", severity: .note,
    fix: "nothing needs to be done; without the redirect, clients need one request less")

  static let wellKnownKinds: [Kind] = [
    .wellKnownRedirects, .wellKnownFaulty, .relatedOriginsRedirect,
  ]
}
