package import Diagnostics

/// A rule that finds and reports one kind of fault in files of one kind.
///
/// The severity of a fault depends on what devices do. A fault is an error if a file, a service or
/// a statement can never work. A fault is a warning if a part of the file can never have its
/// effect. All other faults are notes. A part that works on devices is never an error.
package struct FileRule<Content>: Sendable {
  /// The kind of finding that the rule reports and that `aasa explain` describes. The wrong example
  /// of the kind breaks this rule; the right example breaks no rule.
  package let kind: Kind
  /// Reports every place where the file breaks the rule.
  let check: @Sendable (Content, inout Findings) -> Void

  package init(_ kind: Kind, check: @escaping @Sendable (Content, inout Findings) -> Void) {
    self.kind = kind
    self.check = check
  }

  /// A rule that checks each part of the content separately.
  package init<Part>(
    _ kind: Kind, each parts: @escaping @Sendable (Content) -> [Part],
    check: @escaping @Sendable (Part, Content, inout Findings) -> Void
  ) {
    self.init(kind) { content, findings in
      for part in parts(content) { check(part, content, &findings) }
    }
  }
}

/// The findings of rules in one file. Their lines are not yet known, and findings beyond the total
/// limit are not yet removed.
package struct Findings {
  fileprivate struct Finding {
    let kind: Kind
    let severity: Diagnostic.Severity
    /// The byte range of the finding; nil if the finding is about the whole file.
    let range: Range<Int>?
    let message: String
    let help: String?
    let note: String?

    var start: (Int, Int) { (range?.lowerBound ?? -1, range?.upperBound ?? -1) }
  }

  fileprivate var all: [Finding] = []
  /// The codes of findings that are not in the report.
  private let ignored: Set<String>
  /// The byte offsets at which errors and warnings begin, also those that are not in the report.
  package private(set) var faults: [Int] = []
  fileprivate var reported: [Finding] { all.filter { !ignored.contains($0.kind.code) } }
  package var hasErrors: Bool { reported.contains { $0.severity == .error } }
  /// The number of findings that were not stored because their rule had more than `limit` findings.
  fileprivate var omitted = 0
  /// The maximum number of findings to store for each rule.
  private let limit: Int
  /// The kind of finding that the running rule reports. `countOfRule` is the number of findings
  /// that this rule has reported.
  fileprivate var kind: Kind?
  fileprivate var countOfRule = 0

  fileprivate init(limit: Int, ignored: Set<String>) {
    (self.limit, self.ignored) = (limit, ignored)
  }

  /// Returns the finding that comes first in the text, among the reported findings of these kinds.
  package func first(of kinds: Set<Kind>) -> (kind: Kind, range: Range<Int>?)? {
    reported.filter { kinds.contains($0.kind) }.min { $0.start < $1.start }
      .map { ($0.kind, $0.range) }
  }

  /// Reports a finding at the smallest range that shows the fault.
  ///
  /// - Parameters:
  ///   - message: One sentence in lower case without a full stop.
  ///   - help: How to fix the fault, with a correct example.
  ///   - note: The note. If nil, the note of the kind is used, which gives the consequence and the
  ///     source.
  ///   - severity: The severity. If nil, the severity of the kind is used.
  package mutating func report(
    _ range: @autoclosure () -> Range<Int>?, _ message: @autoclosure () -> String,
    help: @autoclosure () -> String?, note: @autoclosure () -> String? = nil,
    severity: Diagnostic.Severity? = nil
  ) {
    guard let kind else { return }
    let severity = severity ?? kind.severity
    let range = range()
    if severity > .note, let range { faults.append(range.lowerBound) }
    countOfRule += 1
    guard countOfRule <= limit else {
      omitted += 1
      return
    }
    all.append(
      Finding(
        kind: kind, severity: severity, range: range, message: message(), help: help(),
        note: note()))
  }
}

/// The findings in one file.
package struct ValidationReport: Sendable {
  /// Whether the form of the file was accepted. If not, no rule ran.
  package let isReadable: Bool
  /// First the diagnostics about the whole file, then the diagnostics about parts of the file, in
  /// the order of the file.
  package var diagnostics: [Diagnostic]
  /// The number of diagnostics that were omitted because of a limit.
  package var omitted: Int
  /// The text that the rules read. For an association file, this is the file without a byte order
  /// mark, or the content of a signed file. If nil, the rules read the whole file.
  package let text: SourceText?
  /// Whether a limit on the work ended the checks early, so that findings may be missing.
  package var isUnfinished = false

  package init(
    isReadable: Bool, diagnostics: [Diagnostic], omitted: Int = 0, text: SourceText? = nil
  ) {
    self.isReadable = isReadable
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.text = text
  }

  package func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  /// The worst severity; nil if there are no diagnostics.
  package var worst: Diagnostic.Severity? { diagnostics.map(\.severity).max() }
}

extension FileRule {
  /// Runs rules on the content of a file. Returns the worst findings with their lines and columns,
  /// in the order of the text.
  ///
  /// - Parameters:
  ///   - ignored: The codes of rules whose findings are not reported.
  ///   - limit: The maximum number of findings for each rule.
  ///   - total: The maximum number of findings of all rules together.
  package static func report(
    of rules: [FileRule], on content: Content, in source: SourceText, ignoring ignored: Set<String>,
    limit: Int, total: Int = .max
  ) -> ValidationReport {
    var findings = Findings(limit: limit, ignored: ignored)
    // Run the ignored rules too: other rules do not report a fault again in other words.
    for rule in rules {
      let omitted = findings.omitted
      findings.kind = rule.kind
      findings.countOfRule = 0
      rule.check(content, &findings)
      if ignored.contains(rule.kind.code) { findings.omitted = omitted }
    }
    let reported = findings.reported
    var kept = reported
    if kept.isEmpty {
      return ValidationReport(isReadable: true, diagnostics: [], omitted: findings.omitted)
    }
    if kept.count > total {
      kept.sort { left, right in
        let severities = (left.severity, right.severity)
        return severities.0 != severities.1
          ? severities.0 > severities.1 : left.start < right.start
      }
      kept.removeSubrange(total...)
    }
    kept.sort { $0.start != $1.start ? $0.start < $1.start : $0.kind.code < $1.kind.code }
    let lines = LineIndex(source.bytes)
    let diagnostics = kept.map { finding in
      Diagnostic(
        finding.kind, severity: finding.severity, finding.message,
        at: .init(path: source.path, place: finding.range.map { lines.place(of: $0, in: source) }),
        help: finding.help, note: finding.note ?? finding.kind.note)
    }
    return ValidationReport(
      isReadable: true, diagnostics: diagnostics,
      omitted: findings.omitted + reported.count - kept.count)
  }
}
