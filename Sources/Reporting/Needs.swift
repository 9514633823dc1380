package import Diagnostics

extension Kind {
  /// The kind of a diagnostic about something that a person must fix. The report that adds such a
  /// diagnostic provides its message.
  package static let needsAttention = Kind(
    "H059", "needs-attention",
    "the server, a domain or a certificate needs attention",
    "until somebody acts, clients may get an old file, a certificate that they refuse, or nothing",
    nil, fix: "aasa status, aasa acme status and aasa onboard say what to do")
}

extension SubjectReport {
  /// Returns the report on a subject: its faults, and one diagnostic for each thing that a person
  /// must fix.
  package static func needing(
    _ needs: [String], _ name: String, _ sentence: String, _ faults: [Diagnostic] = []
  ) -> SubjectReport {
    let all = faults + needs.map { Diagnostic(.needsAttention, $0, at: .init(path: name)) }
    return SubjectReport(
      name, all.contains { $0.severity == .error } ? .wrong : .good, sentence, all)
  }
}
