package import Diagnostics

/// The findings of rules in one file, before places are looked up and the worst are chosen.
package struct Findings {
  private struct Finding {
    let kind: Kind
    let severity: Diagnostic.Severity
    /// The byte range; nil for the whole file.
    let range: Range<Int>?
    let message: String
    let help: String?
    let note: String?

    var start: (Int, Int) { (range?.lowerBound ?? -1, range?.upperBound ?? -1) }
  }

  private var all: [Finding] = []
  package var hasErrors: Bool { all.contains { $0.severity == .error } }
  /// The number of findings dropped because a rule exceeded `limit`.
  private var omitted = 0
  /// The maximum number of findings kept per rule.
  private let limit: Int
  /// The kind of the running rule; `countOfRule` counts its findings.
  private var kind: Kind?
  private var countOfRule = 0

  package init(limit: Int) { self.limit = limit }

  /// The first finding, in the order of the text, of any of the kinds.
  package func first(of kinds: Set<Kind>) -> (kind: Kind, range: Range<Int>?)? {
    all.filter { kinds.contains($0.kind) }.min { $0.start < $1.start }.map { ($0.kind, $0.range) }
  }

  /// Runs all rules on a file, except those whose codes are ignored.
  package mutating func run<Content>(
    _ rules: [FileRule<Content>], on content: Content, ignoring ignored: Set<String>
  ) {
    for rule in rules where ignored.isEmpty || !ignored.contains(rule.kind.code) {
      kind = rule.kind
      countOfRule = 0
      rule.check(content, &self)
    }
  }

  /// Reports a finding at the smallest span that shows the fault.
  ///
  /// - Parameters:
  ///   - message: One sentence in lower case without a full stop.
  ///   - help: How to fix the fault, with a correct example.
  ///   - note: The note; by default the kind's own, which gives the consequence and the source.
  ///   - severity: The severity; the kind's own if nil.
  package mutating func report(
    _ range: @autoclosure () -> Range<Int>?, _ message: @autoclosure () -> String,
    help: @autoclosure () -> String?, note: @autoclosure () -> String? = nil,
    severity: Diagnostic.Severity? = nil
  ) {
    countOfRule += 1
    guard countOfRule <= limit else {
      omitted += 1
      return
    }
    guard let kind else { return }
    all.append(
      Finding(
        kind: kind, severity: severity ?? kind.severity, range: range(), message: message(),
        help: help(), note: note()))
  }

  /// Returns the `limit` worst findings, with their places, in the order of the text, and the
  /// number of findings left out.
  package func diagnostics(
    in source: SourceText, limit: Int = .max
  ) -> (kept: [Diagnostic], omitted: Int) {
    if all.isEmpty { return ([], omitted) }
    var kept = all
    if kept.count > limit {
      kept.sort { left, right in
        let severities = (left.severity, right.severity)
        return severities.0 != severities.1
          ? severities.0 > severities.1 : left.start < right.start
      }
      kept.removeSubrange(limit...)
    }
    kept.sort { $0.start != $1.start ? $0.start < $1.start : $0.kind.code < $1.kind.code }
    let lines = LineIndex(source.bytes)
    let diagnostics = kept.map { finding in
      Diagnostic(
        finding.kind, severity: finding.severity, finding.message,
        at: .init(path: source.path, place: finding.range.map { lines.place(of: $0, in: source) }),
        help: finding.help, note: finding.note ?? finding.kind.note)
    }
    return (diagnostics, omitted + all.count - kept.count)
  }
}
