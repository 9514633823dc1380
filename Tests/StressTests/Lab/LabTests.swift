import Foundation
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// A domain as people have them, right or wrong, and what `aasa check` must say.
struct Scenario: Sendable {
  let name: String
  /// 0 green, 1 red, 2 nothing was checked, 3 an old copy in the CDN, 4 could not be found out.
  let exitCode: Int32
  /// The code of a finding, or part of a remark; empty where nothing is to be found.
  let finding: String
  /// The beginning of the report, with "DAY" for each date and without codes.
  let first: String
  let setUp: @Sendable (inout Lab) throws -> Void

  init(
    _ name: String, _ exitCode: Int32, _ finding: String, _ first: String,
    _ setUp: @escaping @Sendable (inout Lab) throws -> Void
  ) {
    self.name = name
    self.exitCode = exitCode
    self.finding = finding
    self.first = first
    self.setUp = setUp
  }

  static let all: [Scenario] = [
    names, certificates, answers, contents, framings, addresses, copies, options,
  ].flatMap(\.self)

  /// The report, if it is not as expected; nil if it is.
  ///
  /// - Parameter seen: is given the codes that were reported.
  func failure(_ seen: (Set<String>) -> Void) -> String? {
    do {
      var lab = try Lab()
      try setUp(&lab)
      let (code, text) = try lab.check()
      seen(Set(text.matches(of: /\[(F\d{3})\]/).map { String($0.1) }))
      let line = Self.withoutDatesAndCodes(text.prefix { $0 != "\n" })
      let isRed = text.contains("\nerror: ")
      let isRight =
        code == exitCode && line == first
        && (finding.isEmpty || text.contains(finding)) && (exitCode != 0 || !isRed)
      return isRight ? nil : "\(name): \(code)\n\(line)\n\(text)"
    } catch {
      return "\(name): \(error)"
    }
  }

  private static func withoutDatesAndCodes(_ text: Substring) -> String {
    String(text).replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
      .replacing(/\ \[[A-Z]\d{3}\]/, with: "")
      .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
      // Only some scenarios have a CDN.
      .replacing(/; Apple's CDN was not asked( \(.*\))?$/, with: "")
  }
}

/// No green for what is broken, and no red for what works.
@Suite("trust: scenarios", .stress, .needsNameServer, .needs(.openssl)) struct LabTests {
  @Test func `every scenario has its colour, its finding and its first line`() throws {
    let scenarios = Scenario.all
    #expect(scenarios.count >= 240 && Set(scenarios.map(\.name)).count == scenarios.count)
    let failures = Mutex<[String]>([])
    let seen = Mutex<Set<String>>([])
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 2 * ProcessInfo.processInfo.activeProcessorCount) {
      _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < scenarios.count else { return }
        let failure = scenarios[index].failure { codes in seen.withLock { $0.formUnion(codes) } }
        if let failure { failures.withLock { $0.append(failure) } }
      }
    }
    for failure in failures.withLock({ $0 }) { Issue.record("\(failure)") }
    // Every code that the table of causes names was reported.
    let unseen = try Self.codesOfCauses().subtracting(seen.withLock { $0 })
    #expect(unseen.isEmpty)
  }

  /// The codes of `aasa check` that Documentation/Troubleshooting.md names, ranges included.
  private static func codesOfCauses() throws -> Set<String> {
    let text = try String(
      contentsOfFile: repositoryFile("Documentation/Troubleshooting.md"), encoding: .utf8)
    let ranges = text.matches(of: /F(\d{3})(?:\u{2013}F(\d{3}))?/).flatMap { match in
      let first = Int(match.1) ?? 0
      return Array(first...(match.2.flatMap { Int($0) } ?? first))
    }
    #expect(ranges.count > 20)
    return Set(ranges.map { number in "F" + ("00" + String(number)).suffix(3) })
  }
}
