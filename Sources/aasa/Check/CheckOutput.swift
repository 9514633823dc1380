internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import Serving
internal import Synchronization

/// Collects results from several threads, and writes them in the order of the domains. Writes the
/// JSON of a domain as soon as the JSON of all earlier domains is written. Writes text only at the
/// end. For several domains, the text begins with a summary.
final class CheckOutput: Sendable {
  private struct State {
    var subjects: [CheckedSubject?]
    var written = 0
  }

  private let format: OutputFormat
  let failsOn: Diagnostic.Severity
  private let isQuiet: Bool
  /// Results to write before the results of the domains.
  private let others: [CheckedSubject]
  /// A sentence with advice to write after all results.
  private let advice: String?
  private let progress: ProgressLine?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - count: The number of domains.
  ///   - others: Results to write before those of the domains, for example about lists of domains.
  init(
    count: Int, format: OutputFormat, failsOn: Diagnostic.Severity, isQuiet: Bool,
    others: [CheckedSubject], advice: String? = nil
  ) {
    self.advice = advice
    self.format = format
    self.failsOn = failsOn
    self.isQuiet = isQuiet
    self.others = others
    state = Mutex(State(subjects: Array(repeating: nil, count: count)))
    let isSeparate = format != .json || !standardOutputIsTerminal
    progress = count > 1 && isSeparate ? ProgressLine("checking", of: "domains") : nil
    if format == .json { for other in others { writeToStandard(1, other.json + "\n") } }
  }

  func add(_ index: Int, _ subject: CheckedSubject) {
    state.withLock { state in
      progress?.advance(1, of: state.subjects.count)
      state.subjects[index] = subject
      guard format == .json else { return }
      while state.written < state.subjects.count, let next = state.subjects[state.written] {
        if !isQuiet || next.exitCode != 0 { writeToStandard(1, next.json + "\n") }
        state.written += 1
      }
    }
  }

  /// Writes the rest of the output. Returns the exit code.
  func end() -> Int32 {
    progress?.end()
    let all = others + state.withLock { $0.subjects.compactMap(\.self) }
    let shown = isQuiet ? all.filter { $0.exitCode != 0 } : all
    let report = all.map(\.report).rendered(
      as: format, of: "check", failing: failsOn,
      text: text(shown, all) + (advice.map { "\n\(escapingInvisible($0))\n" } ?? ""),
      // Add only the advice, because the JSON objects of the domains have already been written.
      json: advice.map { "\(["advice": $0.json] as JSONTree)\n" } ?? "")
    printReport(report, as: format)
    return all.map(\.exitCode).reduce(0, CheckRun.worse)
  }

  private func text(_ shown: [CheckedSubject], _ all: [CheckedSubject]) -> String {
    if all.count <= 1 { return shown.map(\.text).joined() }
    // Faults come first. A domain that has neither faults nor warnings gets only one line.
    let isWrong = { (subject: CheckedSubject) in
      subject.outcome == .wrong || subject.outcome == .unknown
    }
    let wrong = shown.filter(isWrong) + shown.filter { !isWrong($0) && !$0.isPlain }
    let right = shown.filter(\.isPlain)
    var text = escapingInvisible(summary(all)) + "\n"
    for subject in wrong { text += "\n" + subject.text }
    if !right.isEmpty {
      text += "\n" + right.map(\.summary).joined()
    }
    return text
  }

  /// Returns the number of checked domains and the number with each result, for example
  /// `200 checked: 12 are wrong, 8 could not be checked, 180 are right`.
  private func summary(_ all: [CheckedSubject]) -> String {
    let domains = all.count
    var parts: [String] = []
    func count(
      _ outcome: SubjectReport.Outcome, _ one: String, _ many: String,
      where isCounted: (CheckedSubject) -> Bool = { _ in true }
    ) {
      let number = all.count { $0.outcome == outcome && isCounted($0) }
      if number > 0 { parts.append("\(number) \(number == 1 ? one : many)") }
    }
    count(.wrong, "is wrong", "are wrong")
    count(.unknown, "could not be checked", "could not be checked")
    for (isOld, words) in [
      (true, ", with another version in Apple's CDN"),
      (false, ", and Apple's CDN caches a failure"),
    ] {
      count(.cdn, "is right" + words, "are right" + words) { $0.isCopyOld == isOld }
    }
    count(.good, "is right", "are right")
    return "\(domains) checked: " + parts.joined(separator: ", ")
  }
}
