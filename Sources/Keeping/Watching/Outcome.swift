/// The outcome of scans: the changes in what is served, what to report, and what to scan again.
struct Outcome {
  var changes = CatalogChanges()
  var report = Report()
  /// The number of domains and certificates with a file that cannot be used now.
  var failures = 0
  /// Whether anything was decided.
  var hasRead = false
  /// Whether files were read because they had changed, or on request. Other changes in a folder,
  /// such as an editor's file beside the one that it replaces, are not a reload.
  var isReload = false
  /// Whether missing files were checked once more for withdrawal.
  var hasWithdrawn = false
  /// What to scan again, each with a time in milliseconds of the monotonic clock.
  var again: [(key: ScanKey, time: Int64)] = []

  /// Notes that other certificates are served.
  mutating func noteCertificateChange() {
    changes.materialChanged = true
    report.certificatesChanged = true
  }
}
