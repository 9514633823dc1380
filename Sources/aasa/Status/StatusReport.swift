internal import Diagnostics
internal import JSON
internal import Posix

/// Formats a server's report from `/status`.
struct StatusReport {
  private let root: Value
  private let address: SocketAddress
  private let times: Times
  private let domains: [DomainReport]

  /// Nil if the bytes are not an answer of `/status`.
  init?(_ bytes: [UInt8], at address: SocketAddress) {
    guard
      let root = try? Document(
        parsing: SourceText(path: "", bytes: bytes), limits: Limits(bytes: AdminClient.answerBytes)
      ).root,
      let now = root.member("now")?.integer, root.member("domains") != nil,
      let list = root.member("list")?.elements
    else { return nil }
    self.root = root
    self.address = address
    times = Times(now: Int64(now))
    domains = list.map { DomainReport($0, Times(now: Int64(now))) }
  }

  private var isReady: Bool { root.member("ready")?.bool == true }

  /// Whether nothing needs to be fixed in the requested part.
  func isGood(areNamed: Bool) -> Bool {
    let areDomainsGood = domains.allSatisfy { !$0.isBad }
    if !isReady || !areDomainsGood { return false }
    return areNamed
      || settingsFault == nil && faulty == 0 && faults.isEmpty && holds.isEmpty
        && root.member("outside")?.member("originFailing")?.integer ?? 0 == 0
        && root.member("certificates")?.member("faulty")?.integer ?? 0 == 0
  }

  /// Why the next start would fail.
  private var settingsFault: String? { root.member("settingsFault")?.string }

  /// Losses that take effect only once they are confirmed.
  private var holds: [(id: String, fault: String)] {
    elements(root.member("holds")).compactMap { hold in
      guard let id = hold.member("id")?.string, let fault = hold.member("fault")?.string else {
        return nil
      }
      return (id, fault)
    }
  }

  /// The number of domains whose current files are not served.
  private var faulty: Int { count("refused") + count("last-good") + count("flawed") }

  /// Why changes in a folder are held back; empty if they are not.
  private var faults: [String] {
    let domains = root.member("folderFault")?.string
    let certificates = root.member("certificates")?.member("folderFault")?.string
    return [domains, certificates].compactMap(\.self)
  }

  private func count(_ state: String) -> Int {
    root.member("domains")?.member(state)?.integer ?? 0
  }

  /// - Parameter areNamed: Whether the domains were named, so that they are reported in full.
  func text(areNamed: Bool) -> String {
    var lines: [String] = areNamed ? readiness.filter { _ in !isReady } : summary
    let shown = areNamed ? domains : domains.filter(\.isShownInFull)
    for domain in shown { lines += (lines.isEmpty ? [] : [""]) + domain.lines }
    if !areNamed { lines += others }
    return lines.map(escapingControls).joined(separator: "\n") + "\n"
  }

  // MARK: The server

  private var readiness: [String] {
    let program = root.member("program")?.string ?? "aasa"
    let started = root.member("started")?.integer.map(Int64.init) ?? times.now
    let since = "up for \(Times.length(times.now - started))"
    if isReady { return ["\(program) at \(address) is ready, \(since)"] }
    var lines = ["\(program) at \(address) is not ready, \(since)"]
    for reason in elements(root.member("notReady")) {
      lines.append("  " + (reason.string ?? ""))
    }
    return lines
  }

  private var summary: [String] {
    var lines = readiness
    lines.append(domainsLine)
    let held = holds
    lines += faults.filter { fault in !held.contains { $0.fault == fault } }.map { "  " + $0 }
    lines += held.map { "  held \($0.id): \($0.fault)" }
    if let certificates = root.member("certificates") { lines += certificateLines(certificates) }
    if let settingsFault { lines.append("the next start would fail: \(settingsFault)") }
    if let count = root.member("unkept")?.integer, count > 0 {
      lines.append("a restart would lose \(count) \(count == 1 ? "version" : "versions")")
    }
    if let count = root.member("keptCertificates")?.integer, count > 0 {
      lines.append(
        count == 1
          ? "1 certificate is in the state folder with its key, for the next start"
          : "\(count) certificates are in the state folder with their keys, for the next start")
    }
    lines.append(reloadLine)
    let fetches = [("apple-cdn", "Apple's CDN"), ("apple-device", "devices")].map { key, name in
      name + " "
        + (root.member("lastFetches")?.member(key)?.integer.map { times.ago(Int64($0)) } ?? "never")
    }
    lines.append("last fetched by \(fetches.joined(separator: ", by "))")
    if let outside = root.member("outside") { lines.append(OutsideReport.summary(outside)) }
    if let issuance = root.member("issuance") { lines.append(issuanceLine(issuance)) }
    return lines
  }

  private var domainsLine: String {
    let parts = [
      ("served", "served"), ("flawed", "served with errors"),
      ("last-good", "served with the last good version"),
      ("refused", "refused"), ("empty", "empty"),
    ]
    let total = parts.reduce(0) { $0 + count($1.0) }
    let folder = root.member("folder")?.string ?? ""
    let shown = parts.filter { count($0.0) > 0 }.map { "\(count($0.0)) \($0.1)" }
    let hosts = root.member("hosts")?.integer ?? 0
    return "\(total) \(total == 1 ? "domain" : "domains") in \(folder)"
      + (hosts > total ? " for \(hosts) hosts" : "")
      + (shown.isEmpty ? "" : ": " + shown.joined(separator: ", "))
  }

  private func certificateLines(_ certificates: Value) -> [String] {
    var lines = [countLine(certificates)]
    for fault in elements(certificates.member("faults")) {
      let isOld = fault.member("isLastGoodServed")?.bool == true
      let isServed = fault.member("isServed")?.bool == true
      lines.append(
        "  \(fault.member("file")?.string ?? ""): faulty, and "
          + (isOld
            ? "its last good version is served"
            : isServed ? "served where there is no better one" : "not served"))
      lines += diagnosticLines(fault.member("diagnostics"), indentation: "    ")
    }
    return lines
  }

  private func countLine(_ certificates: Value) -> String {
    if certificates.member("selfMade")?.bool == true {
      return "HTTPS uses a self-signed certificate, which devices refuse"
    }
    let count = certificates.member("count")?.integer ?? 0
    var line = "\(count) \(count == 1 ? "certificate" : "certificates")"
    if let expiry = certificates.member("firstExpiry")?.integer.map(Int64.init),
      let file = certificates.member("firstToExpire")?.string
    {
      line +=
        expiry < times.now
        ? ": \(file) expired \(times.ago(expiry))"
        : ": the first to expire is \(file), \(times.distance(expiry))"
    }
    return line
  }

  private func issuanceLine(_ issuance: Value) -> String {
    let words = [
      ("issued", "issued"), ("due", "due"), ("waiting", "waiting for their names"),
      ("failing", "failing"), ("paused", "paused by the CA"),
    ]
    let parts = words.compactMap { key, word in
      (issuance.member("hosts")?.member(key)?.integer).flatMap { $0 > 0 ? "\($0) \(word)" : nil }
    }
    let issuer = issuance.member("issuer")?.bool == true ? "" : ", by another process"
    return "automatic certificates\(issuer): "
      + (parts.isEmpty ? "none wanted" : parts.joined(separator: ", "))
  }

  private var reloadLine: String {
    let reloads = root.member("reloads")
    func moment(_ key: String) -> String? {
      reloads?.member(key)?.integer.map { times.moment(Int64($0)) }
    }
    let success = moment("lastSuccess")
    if reloads?.member("lastSuccessful")?.bool == true {
      let areAllGood = faulty == 0 && faults.isEmpty
      return "files last read \(success ?? "never")" + (areAllGood ? ", without a fault" : "")
    }
    return "files last read \(moment("lastFailure") ?? "never"), with faults; "
      + (success.map { "without a fault \($0)" } ?? "never yet without a fault")
  }

  /// One line for each domain without problems, then the number of omitted domains.
  private var others: [String] {
    let good = domains.filter { !$0.isShownInFull }
    let width = min(good.map(\.name.count).max() ?? 0, 40)
    var lines = good.map { $0.line(width) }
    let omitted = root.member("omitted")?.integer ?? 0
    if omitted > 0 {
      lines.append("and \(omitted) more: name one, or say how many with --limit")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}

/// The elements of an array; none for any other value.
func elements(_ value: Value?) -> [Value] { value.map { Array($0.elements) } ?? [] }

/// Lines for the diagnostics in a JSON array of them.
func diagnosticLines(_ list: Value?, indentation: String) -> [String] {
  var lines: [String] = []
  for diagnostic in elements(list) {
    func text(_ key: String) -> String? { diagnostic.member(key)?.string }
    var place = text("path") ?? ""
    if let line = diagnostic.member("line")?.integer {
      place += ":\(line):\(diagnostic.member("column")?.integer ?? 1)"
    }
    lines.append(
      indentation + (place.isEmpty ? "" : place + ": ") + (text("severity") ?? "") + ": "
        + (text("message") ?? "") + " [\(text("code") ?? "")]")
    if let help = text("help") { lines.append(indentation + "  help: " + help) }
  }
  return lines
}
