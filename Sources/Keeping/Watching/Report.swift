package import Diagnostics
package import Settings

/// What a scan reports. For each code, the report contains the first few diagnostics and the number
/// of the others.
package struct Report: Sendable {
  package private(set) var diagnostics: [Diagnostic] = []
  /// The number of further diagnostics of each code.
  package private(set) var omitted: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  /// Whether this is the report of the first scan. If so, everything in the report is new.
  package var isFirst = false
  package var added: [DomainName] = []
  /// Domains whose answers have changed.
  package var changed: [DomainName] = []
  /// Domains, hosts, or files of domains that were withdrawn.
  package var removed: [String] = []
  package var certificatesChanged = false
  /// The expiry of each newly served certificate, in seconds since 1970, by the path of its file.
  package var certificates: [String: Int64] = [:]
  /// The folders whose changes take effect again after they were held back, for example `domains`.
  package var released: [String] = []

  package init() {}

  /// Whether there is nothing to report.
  var isEmpty: Bool {
    !isFirst && diagnostics.isEmpty && added.isEmpty && changed.isEmpty && removed.isEmpty
      && !certificatesChanged && released.isEmpty
  }

  /// - Parameter limit: The maximum number of diagnostics per code.
  package mutating func add(
    _ found: [Diagnostic], atMost limit: Int = LoadingLimits.reportedPerCode
  ) {
    for diagnostic in found {
      counts[diagnostic.code, default: 0] += 1
      if counts[diagnostic.code, default: 0] <= limit {
        diagnostics.append(diagnostic)
      } else {
        omitted[diagnostic.code, default: 0] += 1
      }
    }
  }

  /// Adds the findings of another scan.
  mutating func add(_ other: Report) {
    add(other.diagnostics)
    omitted.merge(other.omitted) { $0 + $1 }
    added += other.added
    changed += other.changed
    removed += other.removed
    certificatesChanged = certificatesChanged || other.certificatesChanged
    certificates.merge(other.certificates) { $1 }
    released += other.released
  }
}
