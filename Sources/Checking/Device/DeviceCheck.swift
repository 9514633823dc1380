internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// Compares the records of a device with the files that the domains serve now.
package struct DeviceCheck: CheckTask {
  private let name: String
  private let text: DeviceText
  package var hosts: [String] { Array(text.hosts) }

  /// - Parameter name: The name of the file from which the records were read.
  package init(_ text: DeviceText, named name: String) {
    self.text = text
    self.name = name
  }

  /// A check of one domain. If several records need the same check, the check is made only once.
  private enum Question {
    case apple(CheckSubject)
    case android(HostTarget, AndroidApp)
  }

  /// Returns the results of the checks, and a result for each record of the device. The result of a
  /// check comes before the first record that needs the check.
  package func results(_ context: CheckContext) -> CheckResults {
    let records = text.records
    let (questions, places) = questions(records)
    let answers = inParallel(questions.count, slice: 1, threads: context.parallel) { range in
      range.map { answer(questions[$0], context) }
    }.flatMap(\.self)
    var subjects: [CheckedSubject] = []
    var shown: Set<Int> = []
    var checked: [Checked] = []
    for (record, place) in zip(records, places) {
      if let place, let now = answers[place], shown.insert(place).inserted { subjects.append(now) }
      subjects.append(recorded(record, context.policy))
      checked.append(Checked(record: record, now: place.flatMap { answers[$0] }))
    }
    if let rest = restOfText(context.policy) { subjects.append(rest) }
    return CheckResults(
      subjects: subjects, advice: DeviceAdvice(checked, incomplete: text.incomplete).sentence)
  }

  /// Returns the checks to make, and for each record the index of its check. The index is nil for a
  /// record that needs no check. All records of an Apple device about the same domain share one
  /// check.
  private func questions(_ records: [DeviceRecord]) -> ([Question], [Int?]) {
    let apple = records.map(subject)
    let merged = apple.compactMap(\.self).merged
    let places = Dictionary(
      merged.enumerated().map { ($1.target, $0) }, uniquingKeysWith: { first, _ in first })
    var questions = merged.map(Question.apple)
    var known: [String: Int] = [:]
    let checks = zip(records, apple).map { record, subject -> Int? in
      if let subject { return places[subject.target] }
      guard record.system == .android, record.state != .invalid,
        let target = try? HostTarget(record.host)
      else { return nil }
      let app = AndroidApp(
        packageName: record.app,
        fingerprints: record.fingerprints.map(normalizedFingerprint).filter { $0.utf8.count == 95 })
      let key = "\(target.host) \(app.packageName) \(app.fingerprints)"
      if let place = known[key] { return place }
      questions.append(.android(target, app))
      known[key] = questions.count - 1
      return known[key]
    }
    return (questions, checks)
  }

  private func subject(_ record: DeviceRecord) -> CheckSubject? {
    guard record.system == .apple,
      var subject = try? CheckSubject("\(record.service):\(record.domain)")
    else { return nil }
    subject.services = [NamedService(name: record.service, apps: [record.app])]
    return subject
  }

  private func answer(_ question: Question, _ context: CheckContext) -> CheckedSubject? {
    switch question {
    case .apple(let subject):
      CheckRun([subject], Requirements(), context).check(0)
    case .android(let target, let app):
      AndroidAppCheck([app], [target], relations: [.openLinks]).results(context).subjects.first
    }
  }

  private func recorded(_ record: DeviceRecord, _ policy: VerdictPolicy) -> CheckedSubject {
    let name = "\(record.domain) on the device, for \(record.app)"
    var finding: Finding
    switch record.state {
    case .verified: return CheckedSubject(good: name, "\(name): verified")
    case .granted(let word):
      let meaning = AndroidState(word)?.kind.what ?? "the device did not verify the domain"
      return CheckedSubject(good: name, "\(name): \"\(word)\": \(meaning)")
    case .failed(let word):
      let choice =
        record.isChosen
        ? "; but the user turned on links of this domain, so these links open "
          + "the app on this device" : ""
      finding = Finding(
        .deviceFailure, "the device recorded \"\(word)\"\(record.since)\(choice)",
        help: record.system == .apple
          ? "fix the faults of the domain, then install the app again; the device then fetches "
            + "the file"
          : AndroidState(word).map { "\($0.kind.what) (aasa explain \(word))" })
    case .refused(let who):
      finding = Finding(
        .deviceRefusal,
        "the device approved the domain, but \(who) turned off links of the domain")
    case .invalid:
      finding = Finding(
        .deviceFailure, "the manifest lists a host that Android cannot verify",
        help:
          "in the manifest, write only a host name of letters, digits, hyphens and dots; the host "
          + "may begin with *.")
    case .unknown(let word):
      finding = Finding(
        .deviceLine,
        word.isEmpty
          ? "the device recorded no state for the domain"
          : "aasa does not know the "
            + "state \"\(word)\"",
        severity: .error, effect: .unknown)
    }
    let line = if case .unknown = record.state { record.stateLine } else { record.line }
    finding.evidence += ["\(self.name):\(line)"] + (record.error.map { [$0] } ?? [])
    return CheckedSubject(name, [finding], policy)
      ?? CheckedSubject(good: name, "\(name): \(finding.message)")
  }

  /// The result about the parts of the text that are not in any record: lines that were not
  /// understood, records that are cut off, and lines beyond the limits. Nil if the text has no such
  /// parts.
  private func restOfText(_ policy: VerdictPolicy) -> CheckedSubject? {
    func words(_ lines: [Int]) -> String {
      let isCut = lines.count == DeviceText.Limits.strangers
      return (lines.count == 1 ? "line " : "lines ")
        + lines.map(String.init).joined(separator: ", ") + (isCut ? " and perhaps more" : "")
    }
    func evidence(_ lines: [Int]) -> [String] { lines.prefix(10).map { "\(name):\($0)" } }
    var findings: [Finding] = []
    if !text.incomplete.isEmpty {
      findings.append(
        Finding(
          .deviceLine,
          "\(words(text.incomplete)): the record does not show its domain and app",
          severity: .error, effect: .unknown,
          help: "give aasa the complete output of the device: a record is cut off",
          evidence: evidence(text.incomplete)))
    }
    if !text.strangers.isEmpty {
      findings.append(
        Finding(
          .deviceLine,
          words(text.strangers) + (text.strangers.count == 1 ? " was" : " were")
            + " not understood", evidence: evidence(text.strangers)))
    }
    if text.isTooLong {
      findings.append(
        Finding(
          .deviceLine,
          "aasa read only the first \(DeviceText.Limits.lines) lines and "
            + "\(DeviceText.Limits.records) records of the device's output", severity: .error,
          effect: .unknown,
          help: "give aasa only the lines about your app"))
    }
    return CheckedSubject(name, findings, policy)
  }
}

extension DeviceRecord {
  /// When the device last requested the file, in parentheses for the end of a sentence; empty if
  /// unknown.
  var since: String { lastChecked.map { " (last checked \($0))" } ?? "" }
}
