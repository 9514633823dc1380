internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Server
internal import Settings
internal import TLS

/// The overview page, with the most important information for an operator.
extension StatusPages {
  private var times: Times { Times(now: document.now) }
  private var status: HostingStatus { document.status }

  /// The maximum number of domains or files in each list on the page.
  private static let named = 8

  var overview: Page {
    let counts = status.counts
    let isGood = document.isGood(counts)
    let reasons =
      document.obstacles
      + [document.missingCertificate.map { "not ready for HTTPS yet: " + $0 }].compactMap(\.self)
    let state = !document.obstacles.isEmpty ? "broken" : isGood ? "current" : "older"
    let headline =
      !document.obstacles.isEmpty ? "not ready" : isGood ? "ready" : "ready, but see below"
    let facts = [
      "aasa \(programVersion), up for \(Times.length(document.now - document.started))", reloadText,
    ]
    return Page(
      title: "Server", state: state, headline: headline,
      more: (reasons + [facts.joined(separator: ", ")]).joined(separator: " · "),
      content: """
        <div class="column">
        \(holds)\(attention)\(pageSection("domains", "Domains", domainsPart(counts)))
        </div>
        <div class="column">
        \(fetchesPart)\(certificatesPart)\(outsidePart)
        </div>
        """)
  }

  private var reloadText: String {
    let reloads = status.reloads
    if reloads.isLastSuccessful {
      return "files last read \(reloads.lastSuccess.map(times.ago) ?? "never"), without a fault"
    }
    return "files last read \(reloads.lastFailure.map(times.ago) ?? "never"), with faults; "
      + (reloads.lastSuccess.map { "last read without a fault \(times.moment($0))" }
        ?? "never read without a fault")
  }

  // MARK: What needs attention

  private var holds: String {
    if status.holds.isEmpty { return "" }
    let items = status.holds.map { hold in
      let since = status.heldSince[hold.id].map { "since \(times.moment($0)). " } ?? ""
      return """
        <li>\(pageMessage(hold.fault))
        <p>Held \(since)If the loss is intended:</p>
        \(pageCommand("aasa confirm \(hold.id)"))</li>
        """
    }
    return pageSection("held", "Held back", "<ul>\(items.joined(separator: "\n"))</ul>")
  }

  private var attention: String {
    let held = status.holds.map(\.fault)
    var parts = document.folderFaults.filter { !held.contains($0) }.map { pageMessage($0) }
    if let fault = document.settingsFault {
      parts.append("<p class=\"problem\">the next start would fail: \(pageText(fault))</p>")
    }
    if status.unkept > 0 {
      parts.append("<p class=\"note\">a restart would lose \(status.unkept) served versions</p>")
    }
    let bad = ProblemsFirst(status, document.checks, now: document.now).choose(Self.named)
      .map { DomainReport($0, document) }.filter { $0.isBad || $0.isUncovered }
    let items = bad.map { report in
      let step = report.state == .served ? report.steps(in: status.folder).first?.what : nil
      return "<li><a href=\"\(pageText(domainPath(report.name)))\">\(pageText(report.name))</a>: "
        + pageText(step ?? report.words) + "</li>"
    }
    if !items.isEmpty { parts.append("<ul class=\"lines\">\(items.joined())</ul>") }
    if bad.count == Self.named {
      parts.append("<p class=\"quiet\">The first \(Self.named); the table below has all.</p>")
    }
    return parts.isEmpty ? "" : pageSection("attention", "To fix", parts.joined(separator: "\n"))
  }

  // MARK: Domains

  private func domainsPart(_ counts: [(state: HostingStatus.State, count: Int)]) -> String {
    let total = status.catalog.sites.count
    let hosts = status.catalog.hostCount
    let items = counts.filter { $0.count > 0 || $0.state == .served }.map { state, count in
      "<li><span class=\"key\" data-domains=\"\(state.rawValue)\"></span>"
        + "<a href=\"/domains?state=\(state.rawValue)\">\(count) \(state.words)</a></li>"
    }
    return """
      <p>\(total.counting("entry", "entries"))\(hosts > total ? " for \(hosts) hosts" : "") in
      <code>\(pageText(status.folder))</code></p>
      \(Charts.bar(counts.map { (name: $0.state.rawValue, words: $0.state.words, count: $0.count) }))
      <ul class="keys">\(items.joined())</ul>
      <form action="/domains"><label for="search">Find a host</label>
      <div class="copy"><input type="text" id="search" name="search" autocomplete="off" \
      autocapitalize="off" spellcheck="false"><button>Find</button></div></form>
      """
  }

  private var outsidePart: String {
    guard let checks = document.checks else { return "" }
    let counts = checks.counts(of: status.catalog)
    let failing = checks.failingListed(in: status.catalog)
    let items = failing.worst.prefix(Self.named).map { name, check in
      let host = name.entryName
      let since = check.failingSince.map { ", since \(times.moment($0))" } ?? ""
      return "<li><a href=\"\(pageText(domainPath(host)))\">\(pageText(host))</a>: not served as "
        + "Apple asks\(since)\(check.fault.map { ": " + pageText($0) } ?? "")</li>"
    }
    let rest = failing.count - items.count
    return pageSection(
      "outside", "Seen from outside",
      pageFacts([
        ("served as Apple asks", "\(counts.good)"),
        ("not served as Apple asks", "\(counts.failing)"),
        ("CDN differs", "\(counts.copyDiffers)"), ("not known", "\(counts.unknown)"),
      ])
        + (items.isEmpty ? "" : "<ul class=\"lines\">\(items.joined())</ul>")
        + (rest > 0 ? "<p class=\"quiet\">and \(rest) more listed hosts</p>" : ""))
  }

  // MARK: Charts

  private var fetchesPart: String {
    guard let fetches else { return "" }
    let age = document.now - document.started
    let note =
      age < 86_400
      ? "Counted since this process started, \(Times.length(age)) ago."
      : "Each point shows one hour, up to now."
    return pageSection(
      "fetches", "Fetches in 24 hours",
      Charts.lines(FetcherGroup.allCases.map { ($0.rawValue, $0.words, $0.hours(of: fetches)) })
        + "<p class=\"quiet\">Files and “not modified”, by User-Agent. \(note)</p>")
  }

  private var certificatesPart: String {
    guard status.hasHTTPS else { return "" }
    let expiries = status.certificates.compactMap { $0.certificate?.notAfter }
    var parts: [String] = []
    if status.usesSelfSigned {
      parts.append(
        "<p class=\"problem\">HTTPS uses a self-signed certificate, which devices refuse</p>")
    }
    let faulty = document.faultyCertificates
    for entry in faulty.prefix(Self.named) {
      parts += (entry.problem?.diagnostics.prefix(1) ?? []).map { pageMessage($0) }
    }
    if faulty.count > Self.named {
      parts.append("<p class=\"quiet\">and \(faulty.count - Self.named) more with faults</p>")
    }
    let urgent = status.certificates.compactMap { entry in
      entry.certificate.map { (file: entry.file, time: $0.notAfter) }
    }.filter { $0.time < document.now + Self.soon }.sorted {
      ($0.time, $0.file) < ($1.time, $1.file)
    }
    let items = urgent.prefix(Self.named).map { file, time in
      "<li><code>\(pageText(file))</code> \(time < document.now ? "EXPIRED" : "expires") "
        + "\(times.distance(time)) (\(Times.date(time)))</li>"
    }
    if !items.isEmpty { parts.append("<ul class=\"lines\">\(items.joined())</ul>") }
    if !expiries.isEmpty { parts.append(Charts.weeks(expiries, now: document.now)) }
    if let board = document.board {
      let counts = board.summary.counts
      let words = HostReport.Kind.allCases.compactMap { kind in
        counts[kind].flatMap { $0 > 0 ? "\($0) \(kind.rawValue)" : nil }
      }
      parts.append(
        "<p>Automatic: \(words.isEmpty ? "none wanted" : words.joined(separator: ", "))</p>")
    }
    if parts.isEmpty { parts = ["<p class=\"empty\">There is no certificate.</p>"] }
    return pageSection("certificates", "Certificates", parts.joined(separator: "\n"))
  }

  /// The page lists certificates that expire within this number of seconds (two weeks).
  private static let soon: Int64 = 14 * 86_400
}

extension HostingStatus.State {
  var words: String {
    switch self {
    case .served: "served"
    case .flawed: "served with errors"
    case .lastGood: "served with the last good version"
    case .refused: "refused"
    case .empty: "without a file"
    }
  }
}

/// The groups of clients. The chart of fetches has one line for each group.
enum FetcherGroup: String, CaseIterable {
  case cdn, device, google, other

  var words: String {
    switch self {
    case .cdn: "Apple's CDN"
    case .device: "devices"
    case .google: "Google"
    case .other: "others"
    }
  }

  private var classes: [FetcherClass] {
    switch self {
    case .cdn: [.appleCDN]
    case .device: [.appleDevice]
    case .google: [.google]
    case .other: [.browser, .validator, .monitor, .other]
    }
  }

  func hours(of history: FetchHistory) -> [UInt64] {
    classes.map { history.fetches(by: $0) }
      .reduce(Array(repeating: 0, count: FetchHistory.hours)) { zip($0, $1).map(&+) }
  }
}
