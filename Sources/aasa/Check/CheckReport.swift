internal import Client
internal import Diagnostics
internal import HTTP
internal import Posix
internal import TLS

/// The verdict on a domain, for a person and for programs.
struct CheckReport {
  let evidence: DomainEvidence
  /// What else was seen, a few words each.
  private let remarks: [String]
  /// In the order in which to mend them.
  let findings: [Finding]

  init(_ evidence: DomainEvidence, _ wishes: Wishes, _ subject: CheckSubject) {
    self.evidence = evidence
    let wished = WishFindings(evidence, wishes, services: subject.services)
    let all =
      connectionFindings(evidence) + identityFindings(evidence) + answerFindings(evidence)
      + wished.findings + cdnFindings(evidence) + surroundingFindings(evidence)
    remarks =
      wished.remarks + (evidence.surroundings?.remarks(evidence) ?? [])
      + (subject.isDirect ? ["the app's devices ask the domain itself, not Apple's CDN"] : [])
    // What stands in the way of everything else comes first; of equals the order stays.
    findings =
      all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
      + all.filter { $0.severity == .note }
  }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  var exitCode: Int32 { isGood ? (isCopyOld ? 3 : 0) : 1 }

  var isGood: Bool { count(.error) == 0 }

  /// Whether Apple's CDN has another version of the file.
  var isCopyOld: Bool { findings.contains { $0.code == "F062" } }

  /// One line.
  var verdict: String {
    let host = evidence.target.host
    let errors = count(.error)
    if errors > 0, let first = findings.first {
      let more = errors > 1 ? ", and \(errors - 1) more" : ""
      if first.code.hasPrefix("F07") {
        return "\(host): the file is served, and is not what it is to be: \(first.message)\(more)"
      }
      if first.code == "F007" {
        return "\(host): nothing could be found out: \(first.message)\(more)"
      }
      return first.code.hasPrefix("F")
        ? "\(host): universal links will not work: \(first.message)\(more)"
        : "\(host): the file is served, and has errors: \(first.message)\(more)"
    }
    let warnings = count(.warning)
    let rest =
      warnings == 0 ? "" : warnings == 1 ? ", with 1 warning" : ", with \(warnings) warnings"
    return "\(host): the association file is served as Apple asks\(rest)"
  }

  var text: String {
    var lines = [verdict]
    for finding in findings {
      lines.append("")
      lines.append("\(finding.severity.rawValue): \(finding.message) [\(finding.code)]")
      lines += finding.evidence.map { "  \($0)" }
      if let help = finding.help { lines.append("  help: \(help)") }
      if let source = finding.source { lines.append("  source: \(source)") }
    }
    let fine = fine
    if !fine.isEmpty || !remarks.isEmpty { lines.append("") }
    if !fine.isEmpty { lines.append("fine: " + fine.joined(separator: ", ")) }
    if !remarks.isEmpty { lines.append("also: " + remarks.joined(separator: ", ")) }
    return lines.map(escapingControls).joined(separator: "\n") + "\n"
  }

  /// What is right, each in a few words.
  private var fine: [String] {
    let exchange = evidence.wellKnown
    var parts: [String] = []
    if let address = exchange.address, !exchange.usesProxy || exchange.tls != nil {
      parts.append(
        exchange.usesProxy ? "through the proxy at \(address)" : "connected to \(address)")
    }
    if let tls = exchange.tls, tls.verification.isTrusted, let leaf = tls.verification.chain.first {
      let days = leaf.daysLeft(at: evidence.now)
      parts.append("\(tls.version) with a certificate by \"\(leaf.issuer)\" for \(days) more days")
    }
    if let (head, body) = evidence.chosen.response, isFile(evidence.chosen), !body.isEmpty {
      let type = head.value(of: "content-type").map { " of \($0)" } ?? ""
      parts.append("status 200 with \(body.count) bytes\(type)")
      if let coding = head.value(of: "content-encoding") {
        parts.append("\(coding): \(evidence.chosen.rawBody.count) bytes sent")
      }
      if evidence.root?.response?.body == body && evidence.wellKnown.response?.body == body {
        parts.append("the same at both paths")
      }
      if evidence.identities.allSatisfy({ $0.exchange.response?.body == body }),
        evidence.wellKnown.response?.body == body
      {
        parts.append("the same for Apple's robot, devices and browsers")
      }
      if let copy = evidence.cdn?.response, copy.head.status == 200, !isCopyOld {
        parts.append("Apple's CDN has the same" + age(of: copy.head))
      }
      if let cache = head.value(of: "cache-control") { parts.append("cache-control \(cache)") }
    }
    return parts
  }

  var json: String {
    let exchange = evidence.wellKnown
    let chain = exchange.tls?.verification.chain ?? []
    return jsonObject([
      ("domain", jsonString(evidence.target.host)), ("good", isGood ? "true" : "false"),
      ("verdict", jsonString(verdict)),
      ("addresses", jsonArray(exchange.addresses.map { jsonString($0.host) })),
      ("tls", exchange.tls.map { jsonString($0.version) }),
      (
        "certificates",
        jsonArray(
          chain.map {
            jsonObject([
              ("subject", jsonString($0.subject)), ("issuer", jsonString($0.issuer)),
              ("notAfter", String($0.notAfter)),
            ])
          })
      ),
      ("exchanges", jsonArray(evidence.exchanges.map(json))),
      (
        "findings",
        jsonArray(
          findings.map {
            jsonObject([
              ("severity", jsonString($0.severity.rawValue)), ("code", jsonString($0.code)),
              ("message", jsonString($0.message)),
              ("evidence", jsonArray($0.evidence.map(jsonString))),
              ("help", $0.help.map(jsonString)), ("source", $0.source.map(jsonString)),
            ])
          })
      ),
      ("remarks", jsonArray(remarks.map(jsonString))),
    ])
  }

  private func json(_ exchange: Exchange) -> String {
    jsonObject([
      ("url", jsonString(exchange.request.url)),
      ("address", exchange.address.map { jsonString($0.description) }),
      ("status", exchange.head.map { String($0.status) }),
      ("contentType", exchange.head?.value(of: "content-type").map(jsonString)),
      ("bytes", exchange.body.map { String($0.count) }),
      ("fault", exchange.fault.map { jsonString($0.description) }),
    ])
  }
}
