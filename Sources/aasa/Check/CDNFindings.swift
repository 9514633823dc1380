internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import HTTP
internal import JSON

/// What Apple's CDN has of the domain's file, which is what nearly all devices get.
func cdnFindings(_ evidence: DomainEvidence) -> [Finding] {
  guard let cdn = evidence.cdn else { return [] }
  guard let (head, body) = cdn.response else {
    let reason = cdn.fault?.description ?? "no answer"
    return [
      Finding(
        .note, "F060", "Apple's CDN could not be asked: \(reason)", cdn,
        help: "nothing is known of its copy; look whether this network lets connections out")
    ]
  }
  if head.status == 200 { return copyFindings(evidence, cdn, head, body) }
  let reason = head.value(of: "apple-failure-reason")
  if head.status != 404 && reason == nil {
    return [
      Finding(
        .note, "F060", "Apple's CDN could not be asked: it answers with status \(head.status)", cdn,
        help: "try again later")
    ]
  }
  return [
    Finding(
      .error, "F061",
      "Apple's CDN has no file" + (reason.map { ", because of \($0)" } ?? ""), cdn,
      help: failureHelp(reason) + "; it keeps such a failure for about an hour")
  ]
}

/// What is known of the reasons, by observation only: Apple publishes no list.
func failureHelp(_ reason: String?) -> String {
  let words = (reason ?? "").split(separator: " ").map(String.init)
  guard let code = words.first, Pages.page(of: code) != nil else {
    return "mend what stands above, and wait"
  }
  let help =
    switch code {
    case "SWCERR00101": "the CDN got the status that stands there: mend what gives it"
    case "SWCERR00202": "the name leads to a private address: use public ones"
    case "SWCERR00301":
      "the CDN waited in vain: look at firewalls that drop connections of its addresses"
    default: "mend what stands above, and wait"
    }
  return help + " (aasa explain \(code))"
}

/// How old the CDN's copy is, and when it may change, for the end of a sentence.
func age(of head: ReceivedHead) -> String {
  var parts: [String] = []
  if let age = head.value(of: "age").flatMap({ Int($0) }), (0..<100_000_000).contains(age) {
    parts.append("\(duration(age)) old")
  }
  if let left = secondsLeft(head) {
    parts.append(
      left > 0 ? "kept for at most \(duration(left)) more" : "which it may ask for again")
  }
  return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
}

private func copyFindings(
  _ evidence: DomainEvidence, _ cdn: Exchange, _ head: ReceivedHead, _ body: [UInt8]
) -> [Finding] {
  guard let (origin, own) = evidence.chosen.response, origin.status == 200, !isPage(own) else {
    return []
  }
  guard own != body, let difference = difference(cdn, body, evidence.chosen, own) else { return [] }
  var finding = Finding(
    .warning, "F062", "Apple's CDN has another version of the file than the server", cdn,
    help: "wait: " + waiting(head) + "; ?mode=developer asks the server itself until then")
  finding.evidence += difference
  return [finding]
}

/// The first lines of what changes for users from the CDN's copy to the server's; nil when the two
/// mean the same.
private func difference(
  _ cdn: Exchange, _ copy: [UInt8], _ origin: Exchange, _ own: [UInt8]
) -> [String]? {
  guard let old = try? Document(parsing: SourceText(path: cdn.request.url, bytes: copy)),
    let new = try? Document(parsing: SourceText(path: origin.request.url, bytes: own))
  else { return [] }
  let report = DifferenceReport(old, new, host: nil)
  if report.isSame { return nil }
  return report.text.split(separator: "\n").prefix(6).map(String.init)
}

/// How long the copy may stay (RFC 9111 section 4.2).
private func waiting(_ head: ReceivedHead) -> String {
  guard let left = secondsLeft(head) else { return "it says nothing about how long it keeps it" }
  if left <= 0 { return "it may ask again at any time" }
  return "it keeps it for at most \(duration(left)) more"
}

/// max-age less Age; nil when that is not told.
func secondsLeft(_ head: ReceivedHead) -> Int? {
  for directive in (head.value(of: "cache-control") ?? "").lowercased().split(separator: ",") {
    let words = directive.filter { $0 != " " }.split(separator: "=")
    if words.count == 2, words[0] == "max-age", let most = Int(words[1]), most < 100_000_000 {
      return most - (head.value(of: "age").flatMap { Int($0) } ?? 0)
    }
  }
  return nil
}

func duration(_ seconds: Int) -> String {
  if seconds < 120 { return "\(seconds) s" }
  return seconds < 7200 ? "\(seconds / 60) minutes" : "\(seconds / 3600) hours"
}
