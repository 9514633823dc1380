import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// The answer for one file after a scan, case by case.
@Suite struct FileStateTests {
  typealias State = FileState<String>

  /// The state before the scan.
  enum Known: String, CaseIterable { case nothing, unavailable, good, flawed, unjudged }

  enum Found: Equatable {
    case usable, flawed, unusable, unreadable
    /// The file has been missing for this many milliseconds.
    case absent(Int64, mayWithdraw: Bool)

    static let justNow = Self.absent(0, mayWithdraw: true)
    static let shorter = Self.absent(4_999, mayWithdraw: true)
    static let longEnough = Self.absent(5_000, mayWithdraw: true)
    static let withoutPermission = Self.absent(1_000_000, mayWithdraw: false)
  }

  /// The answer after the scan.
  enum Served: Equatable { case new, old, notFound, unavailable }

  enum Reported: Equatable {
    case nothing, reload, withdrawn, missing
    /// An error: the last good version is served instead.
    case keepsVersion
    /// An error: the file is served all the same.
    case servedAllTheSame
    /// An error: nothing can be served.
    case refused
  }

  struct Row: CustomTestStringConvertible {
    let known: Known
    let found: Found
    let served: Served
    let reported: Reported
    var testDescription: String { "\(found), known: \(known)" }

    init(_ known: Known, _ found: Found, _ served: Served, _ reported: Reported) {
      self.known = known
      self.found = found
      self.served = served
      self.reported = reported
    }
  }

  static let rows = [
    // A version without errors is always served.
    Row(.nothing, .usable, .new, .reload),
    Row(.unavailable, .usable, .new, .reload),
    Row(.good, .usable, .new, .reload),
    Row(.flawed, .usable, .new, .reload),
    Row(.unjudged, .usable, .new, .reload),
    // One with errors that devices survive is better than no answer, and worse than a good one.
    Row(.nothing, .flawed, .new, .servedAllTheSame),
    Row(.unavailable, .flawed, .new, .servedAllTheSame),
    Row(.good, .flawed, .old, .keepsVersion),
    Row(.flawed, .flawed, .new, .servedAllTheSame),
    // Nobody has found a fault in the served version.
    Row(.unjudged, .flawed, .old, .keepsVersion),
    // An unusable version replaces nothing.
    Row(.nothing, .unusable, .unavailable, .refused),
    Row(.unavailable, .unusable, .unavailable, .refused),
    Row(.good, .unusable, .old, .keepsVersion),
    Row(.flawed, .unusable, .old, .keepsVersion),
    Row(.unjudged, .unusable, .old, .keepsVersion),
    // Neither does an unreadable file.
    Row(.nothing, .unreadable, .unavailable, .refused),
    Row(.unavailable, .unreadable, .unavailable, .refused),
    Row(.good, .unreadable, .old, .keepsVersion),
    Row(.flawed, .unreadable, .old, .keepsVersion),
    Row(.unjudged, .unreadable, .old, .keepsVersion),
    // A file that never existed is not withdrawn.
    Row(.nothing, .justNow, .notFound, .nothing),
    Row(.nothing, .longEnough, .notFound, .nothing),
    Row(.nothing, .withoutPermission, .notFound, .nothing),
    // A file that is missing for a moment is being replaced.
    Row(.unavailable, .justNow, .unavailable, .missing),
    Row(.unavailable, .shorter, .unavailable, .missing),
    Row(.good, .justNow, .old, .missing),
    Row(.good, .shorter, .old, .missing),
    Row(.flawed, .shorter, .old, .missing),
    Row(.unjudged, .shorter, .old, .missing),
    // One that is missing for longer was removed on purpose. Where nothing was served, nothing is
    // withdrawn.
    Row(.unavailable, .longEnough, .notFound, .nothing),
    Row(.good, .longEnough, .notFound, .withdrawn),
    Row(.flawed, .longEnough, .notFound, .withdrawn),
    Row(.unjudged, .longEnough, .notFound, .withdrawn),
    // Unless the folder cannot be trusted.
    Row(.unavailable, .withoutPermission, .unavailable, .missing),
    Row(.good, .withoutPermission, .old, .missing),
    Row(.flawed, .withoutPermission, .old, .missing),
    Row(.unjudged, .withoutPermission, .old, .missing),
  ]

  static let now: Int64 = 2_000_000
  static let fault = Diagnostic(
    Kind("X001", "x", "x", "x", nil), severity: .error, "something is wrong")

  static func state(_ known: Known, _ found: Found) -> State {
    var state = State()
    switch known {
    case .nothing: break
    case .unavailable: state.answer = .unavailable
    case .good: state.answer = .version("old")
    case .flawed: (state.answer, state.quality) = (.version("old"), .flawed)
    case .unjudged: (state.answer, state.quality) = (.version("old"), .unjudged)
    }
    if case .absent(let duration, _) = found, duration > 0 { state.missingSince = now - duration }
    return state
  }

  static func decide(
    _ state: State, _ found: Found, now: Int64 = now
  ) -> (state: State, outcome: State.Outcome) {
    var circumstances = Circumstances(now: now, withdrawAfter: 5_000)
    switch found {
    case .usable: return state.deciding(.usable("new"), circumstances)
    case .flawed: return state.deciding(.flawed("new", fault), circumstances)
    case .unusable: return state.deciding(.unusable(fault), circumstances)
    case .unreadable: return state.deciding(.unreadable(fault), circumstances)
    case .absent(_, let mayWithdraw):
      circumstances.mayWithdraw = mayWithdraw
      return state.deciding(.absent, circumstances)
    }
  }

  static func served(_ state: State) -> Served {
    switch state.answer {
    case .absent: .notFound
    case .unavailable: .unavailable
    case .version(let version): version == "new" ? .new : .old
    }
  }

  static func reported(_ outcome: State.Outcome) -> Reported {
    switch outcome {
    case .quiet: return .nothing
    case .served: return .reload
    case .withdrawn: return .withdrawn
    case .missing: return .missing
    case .fault(let diagnostic, let keepsVersion):
      #expect(diagnostic.code == "X001" && diagnostic.severity == .error)
      switch diagnostic.note {
      case "its last good version is still served":
        #expect(keepsVersion)
        return .keepsVersion
      case "it is served anyway, because no better version is known":
        #expect(!keepsVersion)
        return .servedAllTheSame
      default:
        #expect(diagnostic.note?.contains("503") == true && !keepsVersion)
        return .refused
      }
    }
  }

  @Test(arguments: rows)
  func `finding and state decide what is served and reported`(_ row: Row) {
    let (next, outcome) = Self.decide(Self.state(row.known, row.found), row.found)
    #expect(Self.served(next) == row.served)
    #expect(Self.reported(outcome) == row.reported)
  }

  @Test func `the table has a row for every finding and everything that can be known`() {
    for known in Known.allCases {
      for found in [Found.usable, .flawed, .unusable, .unreadable, .longEnough] {
        #expect(Self.rows.contains { $0.known == known && $0.found == found })
      }
    }
  }

  @Test func `the state of a version is kept as long as it is served`() {
    func quality(_ known: Known, _ found: Found) -> State.Quality {
      Self.decide(Self.state(known, found), found).state.quality
    }
    #expect(quality(.flawed, .usable) == .good)
    #expect(quality(.unjudged, .usable) == .good)
    #expect(quality(.nothing, .flawed) == .flawed)
    for found in [Found.unusable, .unreadable, .shorter] {
      #expect(quality(.good, found) == .good)
      #expect(quality(.flawed, found) == .flawed)
      #expect(quality(.unjudged, found) == .unjudged)
    }
    // Nothing is left of a withdrawn version.
    #expect(quality(.flawed, .longEnough) == .good)
  }

  // MARK: Consecutive scans

  struct Step {
    let time: Int64
    let found: Found
    let served: Served
    let reported: Reported

    init(_ time: Int64, _ found: Found, _ served: Served, _ reported: Reported) {
      self.time = time
      self.found = found
      self.served = served
      self.reported = reported
    }
  }

  struct Sequence: CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
  }

  static let sequences = [
    Sequence(
      testDescription: "a file that comes back is as if it had never been missing",
      steps: [
        Step(0, .justNow, .old, .missing), Step(4_000, .justNow, .old, .missing),
        Step(4_500, .usable, .new, .reload), Step(6_000, .justNow, .new, .missing),
        Step(10_999, .justNow, .new, .missing), Step(11_000, .justNow, .notFound, .withdrawn),
        Step(11_001, .justNow, .notFound, .nothing),
      ]),
    Sequence(
      testDescription: "a file that could not be read meanwhile is missing anew",
      steps: [
        Step(0, .justNow, .old, .missing), Step(3_000, .unreadable, .old, .keepsVersion),
        Step(6_000, .justNow, .old, .missing), Step(10_999, .justNow, .old, .missing),
        Step(11_000, .justNow, .notFound, .withdrawn),
      ]),
    Sequence(
      testDescription: "a faulty version meanwhile restarts the time too",
      steps: [
        Step(0, .justNow, .old, .missing), Step(4_000, .unusable, .old, .keepsVersion),
        Step(8_000, .justNow, .old, .missing), Step(12_000, .flawed, .old, .keepsVersion),
        Step(13_000, .justNow, .old, .missing), Step(18_000, .justNow, .notFound, .withdrawn),
      ]),
    Sequence(
      testDescription: "a version that waits for permission is withdrawn when it comes",
      steps: [
        Step(0, .withoutPermission, .old, .missing),
        Step(9_000, .withoutPermission, .old, .missing),
        Step(9_001, .justNow, .notFound, .withdrawn),
      ]),
    Sequence(
      testDescription: "a withdrawn file starts again",
      steps: [
        Step(0, .justNow, .old, .missing), Step(5_000, .justNow, .notFound, .withdrawn),
        Step(6_000, .unusable, .unavailable, .refused),
        Step(7_000, .flawed, .new, .servedAllTheSame),
        Step(8_000, .usable, .new, .reload), Step(9_000, .flawed, .new, .keepsVersion),
      ]),
  ]

  @Test(arguments: sequences)
  func `scans follow each other`(_ row: Sequence) {
    var state = Self.state(.good, .usable)
    for step in row.steps {
      let (next, outcome) = Self.decide(state, step.found, now: step.time)
      #expect(Self.served(next) == step.served, "at \(step.time)")
      #expect(Self.reported(outcome) == step.reported, "at \(step.time)")
      state = next
    }
  }

  @Test func `the time of a missing file starts again when other things come back`() {
    var state = Self.state(.good, .justNow)
    state.missingSince = 0
    var time = Circumstances(now: 8_999, withdrawAfter: 5_000, restarted: 4_000)
    #expect(Self.reported(state.deciding(.absent, time).outcome) == .missing)
    time.now = 9_000
    #expect(Self.reported(state.deciding(.absent, time).outcome) == .withdrawn)
  }

  @Test func `without a pause the first scan withdraws`() {
    let (next, outcome) = Self.state(.good, .usable).deciding(
      .absent, .init(now: Self.now, withdrawAfter: 0))
    #expect(Self.served(next) == .notFound && Self.reported(outcome) == .withdrawn)
  }
}
