internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import HTTP
internal import Rules

/// Returns findings about the answer to the request for the file, such as a finding about a status
/// other than 200.
func answerFindings(_ evidence: DomainEvidence) -> [Finding] {
  let chosen = evidence.chosen
  guard let (head, body) = chosen.response else { return [] }
  guard head.status == 200 else {
    return [statusFinding(evidence, chosen, head).showing(answererLines(chosen))]
  }
  let took = chosen.times.last { $0.step == .response }?.milliseconds ?? 0
  return typeFindings(chosen, head, body) + pathFindings(evidence)
    + contentFindings(chosen, head, body, now: evidence.now) + flawFindings(chosen)
    + (slowResponseFinding(took).map { [$0] } ?? [])
}

private func statusFinding(
  _ evidence: DomainEvidence, _ exchange: Exchange, _ head: ReceivedHead
) -> Finding {
  let url = exchange.request.url
  switch head.status {
  case _ where head.isRedirect:
    let place = head.value(of: "location") ?? "nowhere"
    let kind = redirectKind(from: exchange.request, to: place).map { " (\($0))" } ?? ""
    return Finding(
      .redirect, "the file redirects to \(place)\(kind)", exchange,
      help: exchange.service?.helpForRedirect)
  case 404, 410:
    return Finding(
      .noFile, "there is no file, neither in /.well-known nor at the root (\(head.status))",
      exchange,
      help: siblingHelp(evidence) ?? otherNameHelp(evidence) ?? exchange.service?.helpForMissing
        ?? "serve the file at \(url); many tools do not deploy folders whose names begin with a "
        + "dot, or files without an extension")
  case 400 where asksForCertificate(exchange), 496 where asksForCertificate(exchange):
    return Finding(
      .clientCertificate, "the server demands a client certificate (\(head.status))",
      exchange)
  case 401, 403, 407, 429, 451: return refused(evidence, exchange, head)
  // The bot protection AWS WAF answers with the status 202 and a script, or with 405 and a puzzle.
  case 202 where isChallenge(exchange, head), 405 where isChallenge(exchange, head),
    503 where isChallenge(exchange, head):
    return refused(evidence, exchange, head)
  case 520...527 where head.value(of: "server")?.lowercased() == "cloudflare":
    return Finding(
      .serverFails, "Cloudflare gets no valid response from the origin server (\(head.status))",
      exchange, help: "check the origin server, its certificate and its firewall")
  case 500...:
    let help = openingWords(of: exchange).map { _ in
      "read the text of the answer below the answer's fields, and check the server's log"
    }
    return Finding(.serverFails, "the server fails (\(head.status))", exchange, help: help)
  default:
    return Finding(.otherStatus, "the answer has status \(head.status) instead of 200", exchange)
  }
}

/// Returns the help text for the case that only a related host has the file; otherwise nil. For
/// `example.com`, the related host is `www.example.com`, and the reverse.
private func siblingHelp(_ evidence: DomainEvidence) -> String? {
  guard let sibling = evidence.relatedHosts?.sibling, isFile(sibling), sibling.trustFault == nil
  else { return nil }
  let (host, other) = (evidence.target.host, sibling.request.host)
  return
    "\(other) has the file, but each host needs its own file: serve the file at \(host) too, or "
    + "share links to \(other) and add applinks:\(other) to the app"
}

/// Returns the help text for the case that the server has the file at a path ending in `.json`,
/// which Apple does not request. Otherwise nil.
private func otherNameHelp(_ evidence: DomainEvidence) -> String? {
  guard let other = evidence.otherName, isFile(other) else { return nil }
  return "the file is at \(other.request.url): serve the file without .json at the end of its "
    + "name, because Apple does not request names with .json"
}

/// Whether the body is nginx's page that says that a client certificate is missing.
private func asksForCertificate(_ exchange: Exchange) -> Bool {
  (exchange.body ?? []).contains("required SSL certificate")
}

private func isChallenge(_ exchange: Exchange, _ head: ReceivedHead) -> Bool {
  PageKind(head, exchange.body ?? []) == .challenge
}

private func refused(
  _ evidence: DomainEvidence, _ exchange: Exchange, _ head: ReceivedHead
) -> Finding {
  if isChallenge(exchange, head) {
    return Finding(
      .accessRefused, "bot protection refuses access to the file (\(head.status))", exchange,
      help: PageKind.challenge.help)
  }
  if let root = evidence.root, isFile(root) {
    return Finding(
      .accessRefused,
      "the server refuses access to /.well-known (\(head.status)), although the root has the file",
      exchange,
      help: "look for a rule against names that begin with a dot (nginx: location ~ /\\.; Apache: "
        + "RedirectMatch or FilesMatch), and exempt /.well-known")
  }
  if head.status == 429 {
    return Finding(
      .accessRefused, "a rate limit refuses access to the file (429)", exchange,
      help: "exempt both paths of the file from rate limits")
  }
  return Finding(.accessRefused, "access to the file is refused (\(head.status))", exchange)
}

/// Returns the finding that the answer was slow; nil if the answer took less than three seconds.
/// Apple does not document how long its clients wait.
func slowResponseFinding(_ milliseconds: Int64) -> Finding? {
  guard milliseconds >= 3_000 else { return nil }
  return Finding(
    .slowAnswer, "the answer took \(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s")
}

/// Returns words for the kind of a redirect. The kind helps the user to find the rule that causes
/// the redirect. Nil if the kind is not recognized.
func redirectKind(from request: FetchRequest, to location: String) -> String? {
  let bytes = Array(location.utf8)
  guard let parts = try? URLParts(bytes.span) else { return nil }
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  let host = parts.host.map { text($0).lowercased() } ?? request.host
  let path = text(parts.path)
  let words = path.lowercased().split(whereSeparator: { "/-_.".contains($0) }).map(String.init)
  let isToPlain = request.scheme == .https && location.lowercased().hasPrefix("http://")
  let isToSecure = request.scheme == .http && location.lowercased().hasPrefix("https://")
  if host == request.host, path == request.path, !isToPlain, !isToSecure { return "to itself" }
  if words.contains(where: { ["login", "signin", "auth", "sso", "oauth", "account"].contains($0) })
  {
    return "to a login page"
  }
  if host == "www." + request.host { return "from the bare domain to www" }
  if "www." + host == request.host { return "from www to the bare domain" }
  if host != request.host { return "to another host" }
  if isToPlain { return "from HTTPS to HTTP" }
  if isToSecure { return "from HTTP to HTTPS" }
  if path == request.path + "/" { return "to the same path with a slash at the end" }
  if path.hasSuffix(request.path), path.count <= request.path.count + 6 { return "to a locale" }
  return nil
}

private func typeFindings(
  _ exchange: Exchange, _ head: ReceivedHead, _ body: [UInt8]
) -> [Finding] {
  if isText(body) {
    return [
      Finding(
        .pageInstead,
        "text is served instead of the file: \"\(visibleText(body.prefix(60), limit: 40))\"",
        exchange,
        help: "serve the file at this path, and answer requests for missing files with status 404")
    ]
  }
  if isPage(body) {
    let kind = PageKind(head, body)
    return [
      Finding(
        .pageInstead,
        (kind?.words ?? (isXML(body) ? "XML" : "a web page"))
          + " is served instead of the file: it begins with "
          + "\"\(visibleText(body.drop(while: { $0 <= 0x20 }), limit: 40))\"", exchange,
        help: exchange.service?.helpForPage ?? kind?.help, evidence: layerLines(exchange))
    ]
  }
  if body.isEmpty {
    return [Finding(.emptyAnswer, "the answer is empty", exchange)]
  }
  return contentTypeProblem(of: head).map {
    [Finding(.contentType, $0, exchange)]
  } ?? []
}

/// How an answer differs from another answer.
struct AnswerDifference {
  /// What the other answer is, as words for the end of a sentence, such as `another version of the
  /// file`.
  let words: String
  /// The first lines of the report on how the two files differ in meaning; empty if the files were
  /// not compared.
  var lines: [String] = []
}

/// Returns how the second answer differs from the first. Nil if both answers mean the same, or if a
/// fetch failed. For error pages and redirects, compares only the status, because their texts often
/// contain a time or a number.
///
/// - Parameter names: The names of the two files in the report `lines`.
func differenceOfAnswers(
  _ first: Exchange, _ second: Exchange, names: (String, String) = (servedName, servedName)
) -> AnswerDifference? {
  guard first.fault == nil, second.fault == nil else { return nil }
  if isFile(first), isFile(second) {
    if first.body == second.body { return nil }
    guard let old = first.body.flatMap({ associationDocument($0, named: names.0) }),
      let new = second.body.flatMap({ associationDocument($0, named: names.1) })
    else {
      return AnswerDifference(words: "another file")
    }
    let report = DifferenceReport(old, new, host: nil)
    if report.isSame { return nil }
    return AnswerDifference(
      words: "another version of the file",
      lines: report.text.split(separator: "\n").prefix(6).map(String.init))
  }
  if first.head?.status == second.head?.status, !isFile(first), !isFile(second) { return nil }
  return AnswerDifference(words: responseSummary(second, "the file"))
}

/// Whether the body is a web page, XML or plain text. Such a body is not a JSON file.
package func isPage(_ body: [UInt8]) -> Bool {
  body.first { $0 > 0x20 } == UInt8(ascii: "<") || isText(body)
}

/// Whether the body begins with an XML declaration and is not a web page.
private func isXML(_ body: [UInt8]) -> Bool {
  let start = Array(body.drop { $0 <= 0x20 }.prefix(500))
  return start.starts(with: "<?xml".utf8) && !start.contains("<html")
}

/// Whether the body is plain text such as `Not Found`, and not JSON.
func isText(_ body: [UInt8]) -> Bool {
  guard let first = body.first(where: { $0 > 0x20 }), first | 0x20 >= UInt8(ascii: "a"),
    first | 0x20 <= UInt8(ascii: "z")
  else { return false }
  return !["null", "true", "false"].contains { word in
    body.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }.elementsEqual(word.utf8)
  }
}

/// Returns findings if only one of the file's two paths has the file, or if the two paths have
/// different files.
private func pathFindings(_ evidence: DomainEvidence) -> [Finding] {
  let (first, second) = (evidence.wellKnown, evidence.root)
  if evidence.isAtRootOnly {
    return [Finding(.rootOnly, "the file is at the root only, not in /.well-known", first)]
  }
  guard let second else { return [] }
  guard let other = second.response, other.head.status == 200 else {
    return [Finding(.wellKnownOnly, "the file is not served at the root")]
  }
  if differenceOfAnswers(first, second) == nil { return [] }
  if isPage(other.body) {
    return [
      Finding(
        .pathsDiffer, "the root serves a web page, but /.well-known serves the file", second,
        severity: .note, help: Kind.wellKnownOnly.fix)
    ]
  }
  return [Finding(.pathsDiffer, "the root and /.well-known serve different content", second)]
}

private func flawFindings(_ exchange: Exchange) -> [Finding] {
  exchange.flaws.map { flaw in
    Finding(.lenientHTTP, "the answer is not strictly valid HTTP: \(flaw)")
  }
}

extension Kind {
  static let noAnswer = Kind(
    "F020", "no-answer",
    "the connection broke, or timed out before the whole answer arrived",
    "Apple's CDN gets no answer either, and reports SWCERR00301", "seen in the field (grade O)",
    effect: .allDevices,
    fix: "check the server's log, and firewalls that drop connections")

  static let brokenAnswer = Kind(
    "F021", "broken-answer", "the answer is not valid HTTP",
    "devices get no file",
    "RFC 9112", effect: .allDevices,
    fix: "find out what sent this answer: perhaps a proxy or firewall in front of the server")

  static let brokenCoding = Kind(
    "F022", "broken-coding", "the answer cannot be decompressed",
    "devices get no file", "RFC 9110 section 8.4", effect: .allDevices,
    fix: "send the file uncompressed, or send gzip only to clients that accept gzip")

  static let lenientHTTP = Kind(
    "F023", "lenient-http", "the answer is not strictly valid HTTP",
    "clients may interpret the answer differently, or reject the answer", "RFC 9112",
    severity: .warning,
    fix: "fix the program that sends the answer")

  static let slowAnswer = Kind(
    "F024", "slow-answer", "the answer takes more than three seconds",
    "Apple's CDN times out: SWCERR00301",
    "Apple does not say how long its CDN waits; observed failures suggest about ten seconds "
      + "(grade O)", severity: .warning,
    fix: "serve the file from memory or disk, not from a program with a cold start")

  static let redirect = Kind(
    "F030", "redirect", "the server redirects to another URL",
    "Apple follows no redirect of any kind: devices get no file",
    "Apple asks for the file without redirects (grade D)", effect: .allDevices,
    fix: "serve the file itself at both paths, and exempt them from the redirect rule: Apple "
      + "follows no redirect")

  static let noFile = Kind(
    "F031", "no-file", "the file is at neither of the two paths that Apple requests",
    "no app opens links of the domain", nil, effect: .allDevices,
    wrong: "https://example.com/apple-app-site-association.json",
    right: "https://example.com/.well-known/apple-app-site-association")

  static let accessRefused = Kind(
    "F032", "access-refused", "the server refuses access to the file",
    "Apple's CDN cannot log in, and sends its requests from unknown addresses and countries",
    "Apple publishes no list of its CDN's addresses (grade D)", effect: .allDevices,
    fix: "exempt both paths of the file from login, bot protection, rate limits and firewalls")

  static let serverFails = Kind(
    "F033", "server-error", "the server fails", "devices get no file", nil, effect: .allDevices,
    fix: "check the server's log")

  static let otherStatus = Kind(
    "F034", "other-status", "the status of the answer is not 200",
    "devices and Apple's CDN accept the file only with status 200", nil, effect: .allDevices,
    fix: "answer requests for both paths of the file with status 200")

  static let rootOnly = Kind(
    "F035", "root-only", "the file is at the root and not in /.well-known",
    "devices in developer mode fetch only from /.well-known", "seen in the field (grade O)",
    severity: .warning,
    fix: "serve the file at both paths; many tools do not deploy folders such as .well-known, "
      + "whose names begin with a dot")

  static let wellKnownOnly = Kind(
    "F036", "well-known-only", "the file is in /.well-known and not at the root",
    "nothing is wrong; only very old systems requested the file at the root first", nil,
    severity: .note,
    fix: "nothing needs to be done: only systems before iOS 9.3 requested the file at the root "
      + "first")

  static let pathsDiffer = Kind(
    "F037", "paths-differ", "the two paths of the file serve different content",
    "some devices get the content of one path, and some the content of the other path", nil,
    severity: .warning,
    fix: "serve the same bytes at both paths")

  static let contentType = Kind(
    "F040", "content-type", "the content type is not application/json",
    "Apple requires application/json, but accepts other types from some large sites",
    "Apple's documentation (grade D); other types also worked in the field (grade O)",
    severity: .warning,
    fix: "set the content type for the two paths of the file: servers cannot derive it from a "
      + "file name without an extension")

  static let pageInstead = Kind(
    "F041", "page-instead-of-file", "a web page is served where the file should be",
    "a page is not JSON, so devices get no file", nil, effect: .allDevices,
    fix: "make the server answer both paths with the file before the login, the bot protection or "
      + "the fallback of a single-page application can answer")

  static let emptyAnswer = Kind(
    "F042", "empty-answer", "the answer has no content", "devices get no file", nil,
    effect: .allDevices,
    fix: "serve the file's content")

  static let answerKinds: [Kind] = [
    .noAnswer, .brokenAnswer, .brokenCoding, .lenientHTTP, .slowAnswer, .redirect, .noFile,
    .accessRefused, .serverFails, .otherStatus, .rootOnly, .wellKnownOnly, .pathsDiffer,
    .contentType, .pageInstead, .emptyAnswer,
  ]
}
