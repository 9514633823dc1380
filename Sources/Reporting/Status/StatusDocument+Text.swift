internal import Bytes
internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Server
internal import Settings

/// The status as text for people.
extension StatusDocument {
  private var times: Times { Times(now: now) }

  /// - Parameters:
  ///   - areNamed: Whether the user listed the domains; listed domains are reported in full.
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
          "\(name): unknown, because no file in the domains folder serves this name",
          "  help: add \(name).json to the domains folder; aasa status lists the served domains",
        ]
    }
    if !areNamed { lines += others(domains) }
    return lines.map(escapingInvisible).joined(separator: "\n")
  }

  /// The reports on the server and on each domain. The output formats for build servers are made
  /// from these reports. Omits the server if the user listed domains and the server is ready.
  func subjects(_ domains: [Domain], areNamed: Bool, at address: String) -> [SubjectReport] {
    let found = domains.map { name, report in
      report?.subject
        ?? .needing(
          ["no file in the domains folder serves this name"], name, "\(name): unknown")
    }
    if areNamed && obstacles.isEmpty { return found }
    var faults = areNamed ? [] : folderFaults + status.holds.map(\.fault)
    // Report these faults as errors, because each of them causes the exit code 1.
    for index in faults.indices { faults[index].severity = .error }
    if !areNamed { faults += faultyCertificates.flatMap { $0.problem?.diagnostics ?? [] } }
    let sentence = readiness(at: address)[0]
    return [.needing(areNamed ? obstacles : needs, address, sentence, faults)] + found
  }

  /// One line for each domain without problems, and then the number of omitted domains.
  private func others(_ domains: [Domain]) -> [String] {
    let good = domains.compactMap(\.report).filter { !$0.isShownInFull }
    let width = min(good.map(\.name.count).max() ?? 0, 40)
    var lines = good.map { $0.line(width) }
    let omitted = status.catalog.sites.count - domains.count
    if omitted > 0 {
      lines.append("and \(omitted.counting("more domain")): give a domain, or raise --limit")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}

/// Returns the counts that are not zero as text, for example `3 served, 1 refused`.
package func numbers(_ parts: [(count: Int?, words: String)]) -> String {
  parts.compactMap { count, words in
    count.flatMap { $0 > 0 ? "\($0) \(words)" : nil }
  }.joined(separator: ", ")
}

/// Returns the lines that describe the diagnostics of a problem.
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
