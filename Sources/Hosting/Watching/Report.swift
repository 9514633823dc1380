package import Diagnostics

/// What there is to report of a look at files: of each kind of diagnostic the first few, and how many
/// more there were.
package struct Report: Sendable {
  package private(set) var diagnostics: [Diagnostic] = []
  /// How many more diagnostics there are of each code.
  package private(set) var omitted: [String: Int] = [:]
  private var counts: [String: Int] = [:]
  /// It is the first look: everything in it is new.
  package var isFirst = false
  package var added: [DomainName] = []
  /// Domains that are served otherwise than before.
  package var changed: [DomainName] = []
  /// Domains, or files of domains, whose answers were withdrawn.
  package var removed: [String] = []
  package var certificatesChanged = false

  package init() {}

  /// Whether there is nothing to report.
  var isEmpty: Bool {
    diagnostics.isEmpty && added.isEmpty && changed.isEmpty && removed.isEmpty
      && !certificatesChanged
  }

  package mutating func add(_ found: [Diagnostic]) {
    for diagnostic in found {
      counts[diagnostic.code, default: 0] += 1
      if counts[diagnostic.code, default: 0] <= LoadingLimits.reportedPerCode {
        diagnostics.append(diagnostic)
      } else {
        omitted[diagnostic.code, default: 0] += 1
      }
    }
  }

  /// Adds what another look found.
  mutating func add(_ other: Report) {
    add(other.diagnostics)
    omitted.merge(other.omitted) { $0 + $1 }
    added += other.added
    changed += other.changed
    removed += other.removed
    certificatesChanged = certificatesChanged || other.certificatesChanged
  }
}
