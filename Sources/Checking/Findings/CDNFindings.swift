internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
package import HTTP
internal import JSON
internal import Rules

/// Returns findings about the copy of the file in Apple's CDN. Nearly all devices get this copy.
///
/// - Parameter isFaultFound: Whether another finding reports an error in the domain's own answers.
func cdnFindings(
  _ evidence: DomainEvidence, isDirect: Bool, isFaultFound: Bool
) -> [Finding] {
  guard let cdn = evidence.cdn else { return [] }
  guard let (head, body) = cdn.response else {
    return [notAsked(cdn, cdn.fault?.description ?? "no answer")]
  }
  if head.status == 200 {
    return isPage(body)
      ? [notAsked(cdn, "a web page answers in place of the CDN")]
      : copyFindings(evidence, cdn, head, body, isDirect: isDirect)
  }
  let reason = head.value(of: "apple-failure-reason")
  if head.status != 404 && reason == nil {
    return [notAsked(cdn, "the CDN answers with status \(head.status)")]
  }
  return [
    failureFinding(evidence, cdn, head, reason, isDirect: isDirect, isFaultFound: isFaultFound)
  ]
}

private func notAsked(_ cdn: Exchange, _ reason: String) -> Finding {
  Finding(.cdnNotAsked, "Apple's CDN could not be queried: \(reason)", cdn)
}

/// Returns the finding that the CDN has no file because it could not fetch the file.
private func failureFinding(
  _ evidence: DomainEvidence, _ cdn: Exchange, _ head: ReceivedHead, _ reason: String?,
  isDirect: Bool, isFaultFound: Bool
) -> Finding {
  let left = secondsLeft(head).map { $0 > 0 ? "for at most \(duration($0)) more" : nil } ?? nil
  let keeps =
    left.map { "the CDN caches the failure \($0)" } ?? "the CDN caches a failure for about an hour"
  let message = "Apple's CDN has no file" + (reason.map { ", because of \($0)" } ?? "")
  guard isFile(evidence.chosen) else {
    // If this machine and the CDN get the same status, another finding already says how to fix it.
    let status = reason.flatMap(statusInReason)
    let isSame = status != nil && status == (evidence.chosen.head?.status).map(Int.init)
    let help =
      isSame ? "follow the help of the other finding about the same status" : failureHelp(reason)
    return Finding(.cdnHasNoFile, message, cdn, help: help + "; " + keeps)
  }
  let status = reason.flatMap(statusInReason) ?? 0
  if evidence.isAtRootOnly, [404, 410].contains(status) {
    return Finding(
      .cdnHasNoFile,
      "\(message): the CDN requests /.well-known/apple-app-site-association, but only the root "
        + "has the file", cdn, severity: isDirect ? .note : nil,
      help: "serve the file in /.well-known too, then wait: " + keeps)
  }
  // True if the file was not valid JSON when the CDN requested it, but is valid JSON now.
  let wasBroken = reason?.contains("JSON") == true && servedDocument(evidence.chosen) != nil
  let isFixed = wasBroken || [404, 410].contains(status) || (500..<600).contains(status)
  switch status {
  case _ where isFixed:
    // The CDN made its request before the file existed, or before a fault in the file was fixed.
    let cause = wasBroken ? "a file that is not valid JSON" : "\(status)"
    return Finding(
      .cdnHasNoFile,
      "Apple's CDN caches a failure (\(cause)), but this machine gets the file now", cdn,
      severity: isDirect ? .note : .warning, effect: .cdn,
      help: "wait: \(keeps); until then, ?mode=developer bypasses the CDN")
  case 429:
    return Finding(
      .cdnHasNoFile, "\(message): a rate limit refuses the CDN's request", cdn,
      severity: isDirect ? .note : nil,
      help: "exempt both paths of the file from rate limits; " + keeps)
  case 401, 403, 407, 451:
    return Finding(
      .cdnHasNoFile,
      "\(message), but this machine gets the file: a firewall probably blocks some addresses or "
        + "countries",
      cdn, severity: isDirect ? .note : nil,
      help:
        "this machine gets the file even with the user agent of Apple's robot, so the user agent "
        + "is not the reason: exempt both paths of the file from firewall rules by country or "
        + "address; " + keeps)
  default:
    let help =
      failureHelp(reason, isNothingElseWrong: !isFaultFound) + "; " + keeps
    return Finding(.cdnHasNoFile, message, cdn, severity: isDirect ? .note : nil, help: help)
  }
}

/// Returns the status that the server sent to the CDN; nil if the reason contains no status. Some
/// of the CDN's reasons end with this status.
func statusInReason(_ reason: String) -> Int? {
  reason.split(separator: " ").dropFirst().lazy.compactMap { Int($0) }
    .first { (300..<600).contains($0) }
}

/// Returns the help text for a reason that the CDN sends in the field `Apple-Failure-Reason`. The
/// known reasons were collected from real answers, because Apple publishes no list.
///
/// - Parameter isNothingElseWrong: Whether this machine got the file and found no other fault.
package func failureHelp(_ reason: String?, isNothingElseWrong: Bool = false) -> String {
  let otherwise =
    isNothingElseWrong
    ? "this machine found no fault: check the firewalls between Apple and the server, then wait"
    : "fix the faults that the other findings report, then wait"
  let words = (reason ?? "").split(separator: " ").map(String.init)
  guard let code = words.first, failureKind(of: code) != nil else {
    return otherwise
  }
  let help =
    switch code {
    case "SWCERR00101":
      "the server answered the CDN with the status after the code: find out what sends this status"
    case "SWCERR00202": "the domain's name resolves to a private address: use public addresses"
    case "SWCERR00301":
      "the CDN's request timed out: check firewalls that drop connections from its addresses"
    default: otherwise
    }
  return help + " (aasa explain \(code))"
}

/// Returns the age of the CDN's copy and how long the CDN may still keep the copy, in parentheses
/// for the end of a sentence. Empty if both are unknown.
package func age(of head: ReceivedHead) -> String {
  var parts: [String] = []
  if let age = age(head) {
    parts.append("\(duration(age)) old")
  }
  if let left = secondsLeft(head) {
    parts.append(
      left > 0
        ? "kept for at most \(duration(left)) more"
        : "expired, and may be fetched again")
  }
  return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
}

private func copyFindings(
  _ evidence: DomainEvidence, _ cdn: Exchange, _ head: ReceivedHead, _ body: [UInt8],
  isDirect: Bool
) -> [Finding] {
  guard isFile(evidence.chosen),
    let difference = differenceOfAnswers(
      cdn, evidence.chosen, names: ("Apple's CDN", evidence.target.host))
  else {
    return []
  }
  let isBroken = associationDocument(body) == nil && servedDocument(evidence.chosen) != nil
  return [
    Finding(
      .cdnCopyDiffers,
      isBroken
        ? "Apple's CDN has a copy of the file that is cut off, or not valid JSON"
        : "Apple's CDN has a different version of the file than the server", cdn,
      severity: isDirect ? .note : nil,
      help: "wait: " + waiting(head) + "; until then, ?mode=developer bypasses the CDN",
      evidence: difference.lines)
  ]
}

/// Returns the finding that a link opens an app according to the server's file, but not according
/// to the CDN's copy, which devices get. Nil if the copy also lets the link open the app, or if the
/// server's file does not let the link open the app.
func copyLinkFinding(
  _ link: String, of copy: Exchange, _ evidence: DomainEvidence, _ apps: [String],
  _ served: Document
) throws(PatternsTooLarge) -> Finding? {
  guard let head = copy.head, isFile(copy), copy.body != evidence.chosen.body,
    let kept = servedDocument(copy)
  else { return nil }
  let domain = Domain(evidence.target.host)
  let whole = onHost(link, evidence.target.host)
  let server = try AppleLinks(served, domain: domain)
  let cdn = try AppleLinks(kept, domain: domain)
  for app in apps.isEmpty ? [nil] : apps.map(Optional.some) {
    let opens = try LinkReport(server, app: app).answer(whole, explaining: false).opens
    let answer = try LinkReport(cdn, app: app).answer(whole, explaining: true)
    if !opens || answer.opens { continue }
    let left = secondsLeft(head).flatMap { $0 > 0 ? ", in at most \(duration($0))" : nil }
    return Finding(
      .copyLeavesLink,
      "devices that fetch the file now keep \(link) in the browser, until Apple's CDN fetches the "
        + "file again" + (left ?? ""), copy,
      help: "wait: \(waiting(head)); then install the app again; until then, ?mode=developer "
        + "bypasses the CDN",
      evidence: answer.text.split(separator: "\n").prefix(6).map { String($0.drop { $0 == " " }) })
  }
  return nil
}

/// Returns a clause about how long the CDN may still keep its copy (RFC 9111 section 4.2).
private func waiting(_ head: ReceivedHead) -> String {
  guard let left = secondsLeft(head) else {
    return "the CDN does not say how long it keeps its "
      + "copy"
  }
  if left <= 0 { return "the CDN may fetch the file again at any time" }
  return "the CDN keeps its copy for at most \(duration(left)) more"
}

/// Returns how many seconds an answer may still be kept in a cache: max-age minus Age. If Age is
/// missing, it is treated as 0. Nil if max-age is missing or invalid.
package func secondsLeft(_ head: ReceivedHead) -> Int? {
  for directive in (head.value(of: "cache-control") ?? "").lowercased().split(separator: ",") {
    let words = directive.filter { $0 != " " }.split(separator: "=")
    if words.count == 2, words[0] == "max-age", let most = deltaSeconds(words[1]) {
      return most - (age(head) ?? 0)
    }
  }
  return nil
}

/// Returns the value of the field Age in seconds; nil if the field is missing or invalid.
package func age(_ head: ReceivedHead) -> Int? { head.value(of: "age").flatMap(deltaSeconds) }

/// Parses a number of seconds (delta-seconds, RFC 9111 section 1.2.2). The maximum is about three
/// years, and no cache keeps an answer that long.
private func deltaSeconds(_ text: some StringProtocol) -> Int? {
  text.decimal(in: 0...100_000_000).map { Int($0) }
}

func duration(_ seconds: Int) -> String {
  if seconds < 120 { return "\(seconds) s" }
  return seconds < 7200 ? "\(seconds / 60) minutes" : "\(seconds / 3600) hours"
}

extension Kind {
  static let cdnNotAsked = Kind(
    "F060", "cdn-not-asked", "Apple's CDN could not be queried",
    "the CDN's copy of the file, which nearly all devices get, is unknown", nil, severity: .note,
    fix: "check whether this network allows connections to app-site-association.cdn-apple.com, or "
      + "to the host of the --cdn URL")

  static let cdnHasNoFile = Kind(
    "F061", "cdn-has-no-file", "Apple's CDN has no file of the domain",
    "nearly all devices fetch the file from the CDN, so they get no file; the CDN caches a "
      + "failure for about an hour, and fetches a new domain's file within a day",
    "reasons such as SWCERR00301 were seen in the field (grade O); Apple publishes no list of the "
      + "reasons",
    effect: .allDevices,
    fix: "fix the fault that the reason describes, then wait; ?mode=developer bypasses the CDN")

  static let cdnCopyDiffers = Kind(
    "F062", "cdn-copy-differs", "Apple's CDN has a different version of the file than the server",
    "devices get the CDN's version until the CDN fetches the file again",
    "answers of the CDN were seen with max-age=21600 (grade O)", severity: .warning, effect: .cdn,
    fix: "wait; nothing makes the CDN fetch sooner")

  static let copyLeavesLink = Kind(
    "F119", "copy-leaves-link",
    "the copy in Apple's CDN keeps a link in the browser, but the server's file lets an app open "
      + "it",
    "devices get the copy until the CDN fetches the file again", nil, effect: .expectation,
    fix: "wait; nothing makes the CDN fetch sooner")

  static let cdnKinds: [Kind] = [
    .cdnNotAsked, .cdnHasNoFile, .cdnCopyDiffers, .copyLeavesLink,
  ]
}
