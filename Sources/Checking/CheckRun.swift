internal import Bytes
internal import Client
package import Diagnostics
internal import Posix
package import Rules

/// Checks a list of domains, several of them in parallel.
package struct CheckRun: Sendable {
  let subjects: [CheckSubject]
  let requirements: Requirements
  package let context: CheckContext

  package init(
    _ subjects: [CheckSubject], _ requirements: Requirements, _ context: CheckContext
  ) {
    self.subjects = subjects
    self.requirements = requirements
    self.context = context
  }

  /// - Parameter report: Called with the index and the result of each subject, in any order and on
  ///   any thread.
  package func run(_ report: @escaping @Sendable (Int, CheckedSubject) -> Void) {
    _ = inParallel(subjects.count, slice: 1, threads: context.parallel) { range in
      for index in range { report(index, check(index)) }
    }
  }

  func check(_ index: Int) -> CheckedSubject {
    let subject = subjects[index]
    let start = Clock.monotonicMilliseconds()
    guard let evidence = evidence(of: subject) else {
      return CheckedSubject(name: subject.target.host)
    }
    let report = CheckReport(evidence, requirements, subject, context.policy)
    return CheckedSubject(
      report, context.form, isAlone: subjects.count == 1,
      milliseconds: Clock.monotonicMilliseconds() - start)
  }

  /// Returns all answers about a subject's host; nil if this host is invalid.
  func evidence(of subject: CheckSubject) -> DomainEvidence? {
    DomainEvidence(
      subject.target, context.settings, cdn: cdnAddress(subject), link: subject.link)
  }

  /// Returns the CDN to ask about a domain: the CDN that the user specified, or else Apple's CDN.
  /// Nil if the user specified no CDN, and Apple's CDN cannot reach the domain or devices fetch the
  /// file directly from the domain.
  private func cdnAddress(_ subject: CheckSubject) -> CDNAddress? {
    if let cdn = context.cdn { return cdn }
    let target = subject.target
    let isKnown = target.isPublicName && target.scheme == .https && target.port == nil
    let isAsked = isKnown && !subject.isDirect && !context.settings.isResolved(target)
    return isAsked ? context.apple : nil
  }
}

/// The result for one checked subject: a domain or another input, such as a file. Does not contain
/// the answers of servers.
package struct CheckedSubject: Sendable {
  package let name: String
  package private(set) var verdict = ""
  package private(set) var outcome = SubjectReport.Outcome.good
  package private(set) var exitCode: Int32 = 0
  package private(set) var findings: [Finding] = []
  /// The index of the finding that the verdict states; nil if the verdict states no finding.
  private var cause: Int?
  /// The number of findings that the verdict does not state, as words.
  private var more = ""
  package private(set) var milliseconds: Int64 = 0
  /// The key of the JSON member that contains the subject's name.
  private var key = "domain"
  /// Observations that are not faults.
  private var remarks: [String] = []
  /// The report on a domain as text in the output format. The report is rendered early, so that the
  /// answers of servers need not stay in memory. Nil for any subject that is not a domain.
  private var printed: String?

  /// Whether the copy in Apple's CDN differs from the file that the server serves.
  package var isCopyOld: Bool { findings.contains { $0.isOf(.cdnCopyDiffers) } }

  /// Makes a result that contains only a name. Its report is empty.
  init(name: String) {
    self.name = name
    printed = ""
  }

  /// - Parameter isAlone: Whether this is the only subject. If so, the whole report is printed even
  ///   if nothing is wrong. If not, only the verdict is printed if nothing is wrong.
  init(_ report: CheckReport, _ form: OutputFormat?, isAlone: Bool = true, milliseconds: Int64) {
    name = report.evidence.target.host
    verdict = report.verdict
    outcome = report.outcome
    exitCode = report.exitCode
    findings = report.findings
    self.milliseconds = milliseconds
    switch form {
    case .text: printed = isAlone || !isPlain ? report.text : verdict
    case .json: printed = report.json.description
    default: printed = ""
    }
  }

  /// The result as a `SubjectReport`, which can be rendered in every output format.
  package var report: SubjectReport {
    let diagnostics = findings.map { finding in
      var diagnostic = finding.diagnostic
      diagnostic.location = .init(path: name)
      return diagnostic
    }
    var report = SubjectReport(name, outcome, verdict, diagnostics)
    report.seconds = Double(milliseconds) / 1_000
    return report
  }

  /// Whether the verdict is enough as output, because there is neither a fault nor a warning.
  package var isPlain: Bool {
    outcome != .wrong && outcome != .unknown && findings.allSatisfy { $0.severity < .warning }
  }

  /// Makes a result without faults.
  init(good name: String, _ verdict: String, remarks: [String] = []) {
    self.name = name
    self.verdict = verdict
    self.remarks = remarks
  }

  /// Makes the result for findings about something that is not a domain's association file, such as
  /// a line of a list or an app's entitlements. Nil if there are no findings, or if the user
  /// ignores all of them.
  ///
  /// - Parameters:
  ///   - key: The key of the JSON member that contains the subject's name.
  ///   - good: The verdict if no finding makes the check fail.
  ///   - remarks: Observations that are not faults.
  package init?(
    _ name: String, _ findings: [Finding], _ policy: VerdictPolicy, key: String = "file",
    good: String? = nil, remarks: [String] = []
  ) {
    let counted = findings.filter { !policy.ignored.contains($0.code) }
    let isFailing = { (finding: Finding) in finding.severity >= policy.threshold }
    let isWrong = counted.contains { isFailing($0) && $0.effect != .unknown }
    let isUnknown = !isWrong && counted.contains { $0.effect == .unknown }
    // If there is a fault, the verdict must state a fault, and not a finding that only says that
    // something is unknown.
    let isShown = { (finding: Finding) in !isWrong || finding.effect != .unknown }
    let worst = counted.filter(isShown).map(\.severity).max()
    guard let place = counted.firstIndex(where: { isShown($0) && $0.severity == worst }) else {
      return nil
    }
    self.name = name
    self.key = key
    self.findings = counted
    self.remarks = remarks
    outcome = isWrong ? .wrong : isUnknown ? .unknown : .good
    exitCode = isWrong ? 1 : isUnknown ? 4 : 0
    more = counted.count > 1 ? ", and \(counted.count - 1) more" : ""
    let line = "\(name): \(counted[place].message)\(more)"
    let warnings = counted.count { $0.severity == .warning }
    let remark =
      warnings == 0 ? "" : ", with " + warnings.counting("warning")
    if let good, !isWrong, !isUnknown {
      verdict = good + remark
      return
    }
    cause = place
    // The verdict is the only output for a subject without faults, so it also says how many
    // warnings there are.
    verdict = isWrong || isUnknown ? line : "\(line) [\(counted[place].code)]"
  }

  package var text: String {
    if let printed { return printed }
    var lines = [verdict]
    if let cause {
      // This line replaces the verdict, because both state the same finding.
      let severity = findings[cause].severity
      let word = severity == .warning ? "warning: " : ""
      lines = ["\(name): \(word)\(findings[cause].coded)\(more)"] + findings[cause].details
    }
    for (index, finding) in findings.enumerated() where index != cause {
      lines += [""] + finding.lines
    }
    if !remarks.isEmpty { lines += ["", "also:"] + remarks.map { "  " + $0 } }
    return lines.map(escapingInvisible).joined(separator: "\n") + "\n"
  }

  /// The verdict on one line, followed by a line for each of the `remarks`.
  package var summary: String {
    ([verdict] + remarks.map { "  also: " + $0 }).map { escapingInvisible($0) + "\n" }.joined()
  }

  package var json: String {
    if let printed { return printed }
    let json: JSONTree = [
      key: name.json, "good": (outcome == .good).json, "outcome": outcome.rawValue.json,
      "exitCode": exitCode.json, "verdict": verdict.json,
      "findings": .array(findings.map(\.json)), "remarks": remarks.isEmpty ? nil : remarks.json,
    ]
    return json.description
  }
}

extension CheckRun {
  /// Returns the worse of two exit codes. The order from worst to best is: a fault (1), nothing
  /// checked (2), an unknown result (4), an old copy in the CDN (3), success (0).
  package static func worse(_ one: Int32, _ other: Int32) -> Int32 {
    let order: [Int32] = [0, 3, 4, 2, 1]
    let places = [one, other].map { order.firstIndex(of: $0) ?? order.count }
    return places[0] >= places[1] ? one : other
  }
}

/// The limits for checking a list of domains.
package enum CheckLimits {
  package static let listBytes = 1_048_576
  package static let domains = 10_000
  /// The number of domains that are checked in parallel by default. This number is large enough to
  /// hide waiting times, but too small to burden Apple's CDN.
  package static let parallel = 4
  package static let mostParallel = 32
  /// The time in milliseconds for which requests to one server are made one after another. After
  /// this time, the remaining requests are made in parallel.
  static let succession: Int64 = 1_000
  /// The maximum number of findings about the expectations of one file, or about the dynamic rules
  /// of one host. If more expectations are not met, one additional finding states how many more.
  static let requirementFindings = 10
  /// The maximum work for comparing the patterns of dynamic rules with the patterns of a manifest.
  /// The unit is a pair of positions, one in each pattern.
  static let overlaps = Budget(operations: 20_000_000)
}
