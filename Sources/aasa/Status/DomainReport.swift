internal import Diagnostics
internal import JSON

/// Formats a server's report on one domain.
struct DomainReport {
  private let value: Value
  private let times: Times

  init(_ value: Value, _ times: Times) {
    self.value = value
    self.times = times
  }

  var name: String { text("domain") ?? "" }
  private var state: String { text("state") ?? "" }

  private func text(_ key: String) -> String? { value.member(key)?.string }
  private func time(_ key: String) -> Int64? { value.member(key)?.integer.map(Int64.init) }

  private var hasErrors: Bool {
    elements(value.member("diagnostics")).contains {
      $0.member("severity")?.string == "error"
    }
  }

  private var hasDiagnostics: Bool { !elements(value.member("diagnostics")).isEmpty }

  /// Whether HTTPS clients are refused because no certificate is valid now.
  private var isUncovered: Bool {
    guard let certificate = value.member("certificate") else { return false }
    return certificate.member("covered")?.bool != true
      && certificate.member("selfMade")?.bool != true
  }

  private var isExpired: Bool {
    value.member("certificate")?.member("notAfter")?.integer.map { $0 < times.now } ?? false
  }

  /// Whether something must be fixed.
  var isBad: Bool {
    hasErrors || isExpired || isFailingOutside || !["served", "empty"].contains(state)
  }

  /// Whether the summary shows it in full.
  var isShownInFull: Bool {
    isBad || hasDiagnostics || outside?.isFaulty == true || state != "served"
  }

  /// The latest check from outside; nil if there was none.
  private var outside: OutsideReport? { value.member("outside").map { OutsideReport($0, times) } }

  private var isFailingOutside: Bool { outside?.isFailing == true }

  // MARK: A line

  func line(_ width: Int) -> String {
    "\(padded(name, width))  \(text("version") ?? "no file")  CDN \(short("apple-cdn"))"
      + ", devices \(short("apple-device"))" + (isUncovered ? ", no certificate" : "")
  }

  /// `14 min ago`, `3 h ago (an older version)`
  private func short(_ fetcher: String) -> String {
    guard let fetch = value.member("fetches")?.member(fetcher),
      let last = fetch.member("last")?.integer
    else { return "never" }
    return times.ago(Int64(last))
      + (fetch.member("current")?.bool == true ? "" : " (an older version)")
  }

  // MARK: All

  var lines: [String] {
    if state == "unknown" {
      return [
        "\(name): unknown, no entry serves it",
        "  help: add \(name).json to the domains folder; aasa status lists what is served",
      ]
    }
    var lines = [heading]
    lines.append(row("version", versionText))
    lines += diagnosticLines(value.member("diagnostics"), indentation: "  ")
    if let more = value.member("omittedDiagnostics")?.integer {
      lines.append("  and \(more) more: aasa validate shows all")
    }
    if let certificate = certificateText { lines.append(row("certificate", certificate)) }
    if let issuance = issuanceText { lines.append(row("issuance", issuance)) }
    if let outside { lines += outside.lines.map { row($0.name, $0.text) } }
    lines.append(row("Apple's CDN", fetchText("apple-cdn") ?? "never"))
    lines.append(row("devices", fetchText("apple-device") ?? "never"))
    for fetcher in ["google", "browser", "validator", "monitor", "other"] {
      if let fetch = fetchText(fetcher) { lines.append(row(fetcher, fetch)) }
    }
    if let fetches = value.member("assetLinksFetches") {
      for member in fetches.members {
        lines.append(row("asset links", "\(member.key): " + fetchText(member.value)))
      }
    }
    return lines
  }

  private var issuanceText: String? {
    guard let issuance = value.member("issuance"), let authority = issuance.member("ca")?.string
    else { return nil }
    if let trouble = issuance.member("trouble")?.string {
      let next = issuance.member("next")?.integer.map { ", next look \(times.distance(Int64($0)))" }
      return "\(authority): \(trouble)\(next ?? "")"
    }
    guard let renewal = issuance.member("renewal")?.integer.map(Int64.init) else {
      return "\(authority): a certificate is being asked for"
    }
    let profile = issuance.member("profile")?.string.map { ", \($0)" } ?? ""
    return "\(authority)\(profile), renews \(Times.date(renewal))"
  }

  private func row(_ name: String, _ text: String) -> String {
    "  " + padded(name, 11) + "  " + text
  }

  private var heading: String {
    let words =
      switch state {
      case "served": "served"
      case "flawed": "served, although its file has errors"
      case "last-good": "its last good version is served, because its file has become faulty"
      case "refused" where text("version") != nil:
        "served, but another of its files is faulty, and no version of it is served"
      case "refused": "REFUSED: its file is faulty, and requests are answered with 503"
      case "empty": "it has no association file, and requests are answered with 404"
      default: state
      }
    guard let host = text("askedFor") else { return "\(name): \(words)" }
    return "\(host): its entry is \(name)" + (state == "served" ? "" : "; \(words)")
  }

  private var versionText: String {
    guard let version = text("version") else {
      return "none" + (time("since").map { ", since \(times.moment($0))" } ?? "")
    }
    var parts = [version]
    if let since = time("since") { parts.append("since \(times.moment(since))") }
    if let bytes = value.member("bytes")?.integer { parts.append("\(bytes) bytes") }
    return parts.joined(separator: ", ")
  }

  private var certificateText: String? {
    guard let certificate = value.member("certificate") else { return nil }
    guard certificate.member("covered")?.bool == true,
      let expiry = certificate.member("notAfter")?.integer.map(Int64.init)
    else {
      return certificate.member("selfMade")?.bool == true
        ? "a self-signed one, which devices refuse"
        : "none covers it: HTTPS clients are refused"
    }
    let file = certificate.member("file")?.string ?? ""
    return expiry < times.now
      ? "\(file), EXPIRED \(times.ago(expiry)): clients refuse it"
      : "\(file), expires \(times.distance(expiry)) (\(Times.date(expiry)))"
  }

  private func fetchText(_ fetcher: String) -> String? {
    value.member("fetches")?.member(fetcher).map(fetchText)
  }

  /// `2026-11-21 15:58 UTC (14 min ago), the current version (200), 12 times`
  private func fetchText(_ fetch: Value) -> String {
    var parts: [String] = []
    if let last = fetch.member("last")?.integer { parts.append(times.moment(Int64(last))) }
    let status = fetch.member("status")?.integer ?? 0
    if let version = fetch.member("version")?.string {
      let isCurrent = fetch.member("current")?.bool == true
      parts.append((isCurrent ? "the current version" : "an older version, \(version)"))
    } else {
      parts.append("nothing to serve")
    }
    parts.append("status \(status)")
    let count = fetch.member("count")?.integer ?? 0
    parts.append(count == 1 ? "once" : "\(count) times")
    return parts.joined(separator: ", ")
  }
}
