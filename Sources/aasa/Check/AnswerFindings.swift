internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import Hosting
internal import Posix
internal import TLS

/// What is wrong with the answers themselves.
func answerFindings(_ evidence: DomainEvidence) -> [Finding] {
  let chosen = evidence.chosen
  guard let (head, body) = chosen.response else { return [] }
  guard head.status == 200 else { return [statusFinding(chosen, head)] }
  let took = chosen.times.last { $0.step == .response }?.milliseconds ?? 0
  return typeFindings(chosen, head, body) + pathFindings(evidence)
    + contentFindings(chosen, head, body) + flawFindings(chosen)
    + (patienceFinding(took).map { [$0] } ?? [])
}

private func statusFinding(_ exchange: Exchange, _ head: ReceivedHead) -> Finding {
  let url = exchange.request.url
  switch head.status {
  case _ where head.isRedirect:
    let place = head.value(of: "location") ?? "nowhere"
    let kind = redirectKind(from: exchange.request, to: place).map { " (\($0))" } ?? ""
    return Finding(
      .error, "F030", "the file redirects to \(place)\(kind)", exchange,
      help: "serve the file at \(url) itself: Apple follows no redirect; exempt this path from the "
        + "rule that makes it")
  case 404, 410:
    return Finding(
      .error, "F031", "there is no file, neither in /.well-known nor at the root (\(head.status))",
      exchange, help: "serve it at \(url)")
  case 401, 403, 407, 429, 451: return refused(exchange, head)
  case 503 where isChallenge(exchange, head):
    return refused(exchange, head)
  case 500...:
    return Finding(
      .error, "F033", "the server fails (\(head.status))", exchange,
      help: "look at the server's log")
  default:
    return Finding(
      .error, "F034", "the answer has status \(head.status) instead of 200", exchange,
      help: "serve the file with status 200")
  }
}

private func isChallenge(_ exchange: Exchange, _ head: ReceivedHead) -> Bool {
  PageKind(head, exchange.body ?? []) == .challenge
}

private func refused(_ exchange: Exchange, _ head: ReceivedHead) -> Finding {
  if isChallenge(exchange, head) {
    return Finding(
      .error, "F032", "a bot protection refuses access to the file (\(head.status))", exchange,
      help: PageKind.challenge.help)
  }
  return Finding(
    .error, "F032", "access to the file is refused (\(head.status))", exchange,
    help: head.status == 401
      ? "let everybody read this path: Apple has no password for it"
      : "let everybody read this path: no login, no bot protection, no firewall by country")
}

/// An answer that comes, but late. Apple does not say how long it waits.
func patienceFinding(_ milliseconds: Int64) -> Finding? {
  guard milliseconds >= 3_000 else { return nil }
  return Finding(
    .warning, "F024", "the answer took \(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s",
    help: "let it come at once: a file needs no computing; look at what wakes up first, and at the "
      + "way to this machine")
}

/// What kind of redirect it is, for who looks for the rule that makes it; nil when none is known.
func redirectKind(from request: FetchRequest, to location: String) -> String? {
  let bytes = Array(location.utf8)
  guard let parts = try? URLParts(bytes.span) else { return nil }
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  let host = parts.host.map { text($0).lowercased() } ?? request.host
  let path = text(parts.path)
  let words = path.lowercased().split(whereSeparator: { "/-_.".contains($0) }).map(String.init)
  if words.contains(where: { ["login", "signin", "auth", "sso", "oauth", "account"].contains($0) })
  {
    return "to a login page"
  }
  if host == "www." + request.host { return "from the bare domain to www" }
  if "www." + host == request.host { return "from www to the bare domain" }
  if host != request.host { return "to another host" }
  if request.scheme == .https, location.lowercased().hasPrefix("http://") {
    return "from HTTPS to HTTP"
  }
  if request.scheme == .http, location.lowercased().hasPrefix("https://") {
    return "from HTTP to HTTPS"
  }
  if path == request.path + "/" { return "to the same path with a slash" }
  if path.hasSuffix(request.path), path.count <= request.path.count + 6 { return "to a locale" }
  return nil
}

private func typeFindings(
  _ exchange: Exchange, _ head: ReceivedHead, _ body: [UInt8]
) -> [Finding] {
  if isPage(body) {
    let kind = PageKind(head, body)
    return [
      Finding(
        .error, "F041",
        (kind?.words ?? "a web page") + " is served instead of the file: it begins with "
          + "\"\(visibleText(body.drop(while: { $0 <= 0x20 }), limit: 40))\"", exchange,
        help: kind?.help
          ?? "let the server answer this path with the file, before its fallback to the start page, "
          + "its login or its bot protection")
    ]
  }
  if body.isEmpty {
    return [
      Finding(.error, "F042", "the answer is empty", exchange, help: "serve the file's content")
    ]
  }
  return doubt(aboutTypeOf: head).map {
    [
      Finding(
        .warning, "F040", $0, exchange,
        help: "set the type of this path; a file without extension often has the server's default")
    ]
  } ?? []
}

func isPage(_ body: [UInt8]) -> Bool {
  body.first { $0 > 0x20 } == UInt8(ascii: "<")
}

/// The same file at both paths.
private func pathFindings(_ evidence: DomainEvidence) -> [Finding] {
  let (first, second) = (evidence.wellKnown, evidence.root)
  if evidence.chosen.request == second?.request {
    return [
      Finding(
        .warning, "F035", "the file is at the root only, not in /.well-known", first,
        help: "serve it at \(first.request.url) too: devices in developer mode look nowhere else")
    ]
  }
  guard let second else { return [] }
  guard let other = second.response, other.head.status == 200 else {
    return [
      Finding(
        .note, "F036", "the file is not served at the root",
        help: "nothing needs to be done: \(second.request.path) is what was asked before iOS 9.3")
    ]
  }
  if other.body == first.response?.body { return [] }
  return [
    Finding(
      .warning, "F037", "the root serves something else than /.well-known", second,
      help: "serve the same bytes at both paths: some devices see the one, some the other")
  ]
}

/// The file itself, by all rules.
private func contentFindings(
  _ exchange: Exchange, _ head: ReceivedHead, _ body: [UInt8]
) -> [Finding] {
  if isPage(body) || body.isEmpty { return [] }
  var options = ValidationOptions()
  let now = Clock.wallSeconds()
  let trust = try? TrustStore.system()
  options.signedContent = { signedContent(of: $0, trust: trust, now: now) }
  options.gzipSize = { gzipSize(of: $0) }
  options.includesNotes = false
  let report = validate(SourceText(path: exchange.request.url, bytes: body), options: options)
  return report.diagnostics.filter { $0.severity >= .warning }.map(Finding.init)
}

private func flawFindings(_ exchange: Exchange) -> [Finding] {
  exchange.flaws.map { flaw in
    Finding(
      .warning, "F023", "the answer is sloppy HTTP: \(flaw)",
      help: "mend the program that makes it; stricter clients refuse such answers")
  }
}
