internal import AppSiteAssociation
internal import Client
internal import Diagnostics
internal import Posix
internal import Synchronization

/// Checks many domains, some beside each other, and writes their reports in the order in which they
/// were named, each as soon as all before it are written.
struct Checking: Sendable {
  let subjects: [CheckSubject]
  let settings: ClientSettings
  let wishes: Wishes
  /// A CDN that was named.
  let cdn: CDNAddress?
  /// Apple's own, for domains that it can know.
  let apple: CDNAddress?
  let format: CheckFormat
  let parallel: Int

  /// Returns the exit code.
  func run() -> Int32 {
    let output = OrderedReports(count: subjects.count, format: format)
    // Of many domains each is asked by one thread, so no server is asked twice at once.
    let codes = inParallel(subjects.count, slice: 1, threads: parallel) { range in
      range.reduce(into: Int32(0)) { code, index in
        code = CheckRun.worse(code, check(index, output))
      }
    }
    output.end()
    if format == .junit { writeToStandard(1, output.junit) }
    return codes.reduce(0, CheckRun.worse)
  }

  private func check(_ index: Int, _ output: OrderedReports) -> Int32 {
    let subject = subjects[index]
    guard let evidence = DomainEvidence(subject.target, settings, cdn: cdnAddress(subject)) else {
      output.add(index, subject.target.host, text: "", findings: [])
      return 0
    }
    let report = CheckReport(evidence, wishes, subject)
    let text =
      switch format {
      case .text: report.text
      case .json: report.json + "\n"
      case .junit: ""
      }
    output.add(index, subject.target.host, text: text, findings: report.findings)
    return report.exitCode
  }

  /// The CDN knows public names by HTTPS. What is looked at before DNS moves, or is trusted here
  /// only, is none of its business; nor are domains that devices ask themselves.
  private func cdnAddress(_ subject: CheckSubject) -> CDNAddress? {
    if let cdn { return cdn }
    let target = subject.target
    let isKnown = target.isPublicName && target.scheme == .https && target.port == nil
    return isKnown && !subject.isDirect && !settings.isResolved(target) ? apple : nil
  }
}

enum CheckRun {
  /// The worse of two exit codes: something wrong with one is worse than an old copy of another.
  static func worse(_ one: Int32, _ other: Int32) -> Int32 {
    one == 1 || other == 1 ? 1 : max(one, other)
  }
}

/// Reports of several threads, written in order, while it is told how far it is.
private final class OrderedReports: Sendable {
  private struct State {
    var waiting: [Int: String] = [:]
    var next = 0
    var files: [Int: FileDiagnostics] = [:]
  }

  private let count: Int
  private let format: CheckFormat
  /// Not where it would stand among the reports.
  private let progress: ProgressLine?
  private let state = Mutex(State())

  init(count: Int, format: CheckFormat) {
    self.count = count
    self.format = format
    let isSeparate = format == .junit || !standardOutputIsTerminal
    progress = count > 1 && isSeparate ? ProgressLine("checking", of: "domains") : nil
  }

  func add(_ index: Int, _ host: String, text: String, findings: [Finding]) {
    progress?.advance(1, of: count)
    state.withLock { state in
      state.waiting[index] = text
      if format == .junit {
        state.files[index] = FileDiagnostics(
          path: host, source: nil, diagnostics: findings.map { $0.diagnostic(host) })
      }
      while let text = state.waiting.removeValue(forKey: state.next) {
        let gap = state.next > 0 && format == .text && !text.isEmpty ? "\n" : ""
        writeToStandard(1, gap + text)
        state.next += 1
      }
    }
  }

  func end() { progress?.end() }

  var junit: String {
    let files = state.withLock { $0.files }
    return files.sorted { $0.key < $1.key }.map(\.value)
      .junit(failing: .error, suite: "aasa check")
  }
}

extension Finding {
  fileprivate func diagnostic(_ host: String) -> Diagnostic {
    Diagnostic(severity, code: code, message, at: .init(path: host), help: help)
  }
}
