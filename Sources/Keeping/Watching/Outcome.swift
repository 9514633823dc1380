internal import Diagnostics
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
