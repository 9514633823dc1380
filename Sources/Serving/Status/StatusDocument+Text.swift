internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Server
internal import Settings

/// The report for people.
extension StatusDocument {
  private var times: Times { Times(now: now) }

  /// - Parameters:
  ///   - areNamed: Whether the domains were named, so that they are reported in full.
  ///   - address: The address of the admin listener.
  func text(_ domains: [Domain], areNamed: Bool, at address: String) -> String {
    var lines: [String] = []
    if !areNamed {
      lines = readiness(at: address) + summary
    } else if !obstacles.isEmpty {
      lines = readiness(at: address)
    }
    let shown = areNamed ? domains : domains.filter { $0.report?.isShownInFull == true }
    for (name, report) in shown {
      lines += lines.isEmpty ? [] : [""]
      lines +=
        report?.lines ?? [
          "\(name): unknown, no entry serves it",
          "  help: add \(name).json to the domains folder; aasa status lists what is served",
        ]
    }
    if !areNamed { lines += others(domains) }
    return lines.map(escapingInvisible).joined(separator: "\n")
  }

  private func readiness(at address: String) -> [String] {
    let state = obstacles.isEmpty ? "ready" : "not ready"
    let program = "aasa \(programVersion) at \(address)"
    return ["\(program) is \(state), up for \(Times.length(now - started))"]
      + obstacles.map { "  " + $0 }
      + [missingCertificate].compactMap(\.self).map { "  not for HTTPS yet: " + $0 }
  }

  private var summary: [String] {
    var lines = [domainsLine]
    let held = status.holds.map { (id: $0.id, fault: $0.fault.line) }
    lines += folderFaults.map(\.line).filter { fault in !held.contains { $0.fault == fault } }
      .map { "  " + $0 }
    lines += held.map { "  held \($0.id): \($0.fault)" }
    if status.hasHTTPS { lines += certificateLines }
    if let settingsFault { lines.append("the next start would fail: \(settingsFault)") }
    let unkept = status.unkept
    if unkept > 0 {
      lines.append("a restart would lose \(unkept) \(unkept == 1 ? "version" : "versions")")
    }
    let kept = status.keptCertificates
    if kept > 0 {
      lines.append(
        kept == 1
          ? "1 certificate is in the state folder with its key, for the next start"
          : "\(kept) certificates are in the state folder with their keys, for the next start")
    }
    lines.append(reloadLine)
    if let room { lines.append(room.sentence) }
    func last(_ fetcher: FetcherClass) -> String {
      lastFetch(fetcher).map(times.ago) ?? "never"
    }
    lines.append(
      "last fetched by Apple's CDN \(last(.appleCDN)), by devices \(last(.appleDevice))")
    if let checks { lines += outsideLines(checks) }
    if let board { lines.append(issuanceLine(board.summary)) }
    return lines
  }

  private var domainsLine: String {
    let counts = Dictionary(uniqueKeysWithValues: status.counts.map { ($0.state, $0.count) })
    let parts = numbers([
      (counts[.served], "served"), (counts[.flawed], "served with errors"),
      (counts[.lastGood], "served with the last good version"), (counts[.refused], "refused"),
      (counts[.empty], "empty"),
    ])
    let total = status.catalog.sites.count
    let hosts = status.catalog.hostCount
    return "\(total) \(total == 1 ? "domain" : "domains") in \(status.folder)"
      + (hosts > total ? " for \(hosts) hosts" : "") + (parts.isEmpty ? "" : ": " + parts)
  }

  private var certificateLines: [String] {
    let count = status.certificates.count { $0.certificate != nil }
    var first = "\(count) \(count == 1 ? "certificate" : "certificates")"
    if status.usesSelfSigned {
      first = "HTTPS uses a self-signed certificate, which devices refuse"
    } else if let (file, time) = firstToExpire {
      first +=
        time < now
        ? ": \(file) expired \(times.ago(time))"
        : ": the first to expire is \(file), \(times.distance(time))"
    }
    return [first]
      + faultyCertificates.prefix(Self.namedDomains).flatMap { entry in
        let served =
          entry.problem?.isLastGood == true
          ? "its last good version is served"
          : entry.certificate != nil ? "served where there is no better one" : "not served"
        return ["  \(entry.file): faulty, and \(served)"]
          + diagnosticLines(entry.problem, indentation: "    ")
      }
  }

  private var reloadLine: String {
    let reloads = status.reloads
    let success = reloads.lastSuccess.map(times.moment)
    if reloads.isLastSuccessful {
      return "files last read \(success ?? "never")" + (areFilesGood ? ", without a fault" : "")
    }
    return "files last read \(reloads.lastFailure.map(times.moment) ?? "never"), with faults; "
      + (success.map { "without a fault \($0)" } ?? "never yet without a fault")
  }

  private func outsideLines(_ checks: OutsideChecks) -> [String] {
    let failing = checks.failingListed(in: status.catalog)
    let more = failing.count - failing.worst.count
    return [outsideLine(checks.counts(of: status.catalog))]
      + failing.worst.map { name, check in
        "  \(name.entryName): not served as Apple asks"
          + (check.failingSince.map { ", first seen \(times.ago($0))" } ?? "")
          + (check.fault.map { ": \($0)" } ?? "")
      } + (more > 0 ? ["  and \(more) more hosts of lists"] : [])
  }

  private func outsideLine(_ counts: OutsideChecks.Counts) -> String {
    let parts = numbers([
      (counts.good, "good"), (counts.failing, "not served as Apple asks"),
      (counts.copyDiffers, "with another version or none at Apple's CDN"),
      (counts.unknown, "that could not be checked"),
    ])
    let round = listedRound.map { "; a round over the listed hosts takes \(Times.length($0))" }
    return "seen from outside: " + (parts.isEmpty ? "nothing yet" : parts) + (round ?? "")
  }

  private func issuanceLine(_ summary: StatusBoard.Summary) -> String {
    let counts = summary.counts
    let parts = numbers([
      (counts[.issued], "issued"), (counts[.due], "due"),
      (counts[.waiting], "waiting for their names"), (counts[.failing], "failing"),
      (counts[.paused], "paused by the CA"),
    ])
    return "automatic certificates\(summary.isIssuer ? "" : ", by another process"): "
      + (parts.isEmpty ? "none wanted" : parts)
  }

  /// One line for each domain without problems, then the number of omitted domains.
  private func others(_ domains: [Domain]) -> [String] {
    let good = domains.compactMap(\.report).filter { !$0.isShownInFull }
    let width = min(good.map(\.name.count).max() ?? 0, 40)
    var lines = good.map { $0.line(width) }
    let omitted = status.catalog.sites.count - domains.count
    if omitted > 0 {
      lines.append("and \(omitted) more: name one, or say how many with --limit")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}

/// `3 served, 1 refused`, without zero counts.
package func numbers(_ parts: [(count: Int?, words: String)]) -> String {
  parts.compactMap { count, words in
    count.flatMap { $0 > 0 ? "\($0) \(words)" : nil }
  }.joined(separator: ", ")
}

/// Returns lines for the diagnostics of a problem.
func diagnosticLines(_ problem: Problem?, indentation: String) -> [String] {
  var lines: [String] = []
  for diagnostic in problem?.diagnostics ?? [] {
    var place = diagnostic.location?.path ?? ""
    if let found = diagnostic.location?.place { place += ":\(found.line):\(found.column)" }
    if !place.isEmpty { place += ": " }
    let text = "\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.code)]"
    lines.append(indentation + place + text)
    if let help = diagnostic.help { lines.append(indentation + "  help: " + help) }
  }
  return lines
}
