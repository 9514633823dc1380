package import Diagnostics
package import Settings
internal import TLS

/// The outcome of scans: changed answers, diagnostics to report, and keys to scan again.
struct Outcome {
  var changes = CatalogChanges()
  var report = Report()
  /// The number of domains and certificates with a file that cannot be used now.
  var failures = 0
  /// Whether an entry was read, and the keeper decided what is served from it.
  var hasRead = false
  /// Whether files were read because they had changed, or because somebody requested a reload.
  /// Other changes in a folder do not cause a reload, for example an editor's temporary file.
  var isReload = false
  /// Whether the status must be published again even if nothing else has changed.
  var isStatusDue = false
  /// The keys to scan again, each with a time in milliseconds of the monotonic clock.
  var again: [(key: ScanKey, time: Int64)] = []

  /// The IDs of the holds that were confirmed.
  var confirmed: Set<String> = []

  /// Stores that changes do not take effect, because the folder cannot be trusted or too many names
  /// are missing.
  mutating func hold(for faults: [Diagnostic]) {
    failures += 1
    report.add(faults)
  }

  static func += (outcome: inout Outcome, next: Outcome?) {
    guard let next else { return }
    outcome.changes.sites += next.changes.sites
    outcome.changes.namesChanged = outcome.changes.namesChanged || next.changes.namesChanged
    outcome.changes.materialChanged =
      outcome.changes.materialChanged || next.changes.materialChanged
    outcome.report.add(next.report)
    outcome.failures += next.failures
    outcome.hasRead = outcome.hasRead || next.hasRead
    outcome.isReload = outcome.isReload || next.isReload
    outcome.isStatusDue = outcome.isStatusDue || next.isStatusDue
    outcome.again += next.again
    outcome.confirmed.formUnion(next.confirmed)
  }

  /// Stores that the set of served certificates has changed.
  ///
  /// - Parameter new: The certificate that was not served before; nil if a certificate was
  ///   withdrawn.
  mutating func noteCertificateChange(to new: Certificate?) {
    changes.materialChanged = true
    report.certificatesChanged = true
    if let new { report.certificates[new.path] = new.notAfter }
  }
}

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
