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
    /// The file is missing: for the first time, and again. `Names` decides when it is withdrawn.
    case justNow, again
  }

  /// The answer after the scan.
  enum Served: Equatable { case new, old, notFound, unavailable }

  enum Reported: Equatable {
    case nothing, missing
    /// An error: the last good version is served instead.
    case keepsVersion
    /// An error: the file is served all the same.
    case servedAllTheSame
    /// An error: nothing can be served.
    case refused
  }

  /// What is known, what is found, and what is served and reported then.
  static let rows: [(known: Known, found: Found, Served, Reported)] = [
    // A version without errors is always served.
    (.nothing, .usable, .new, .nothing),
    (.unavailable, .usable, .new, .nothing),
    (.good, .usable, .new, .nothing),
    (.flawed, .usable, .new, .nothing),
    (.unjudged, .usable, .new, .nothing),
    // One with errors that devices survive is better than no answer, and worse than a good one.
    (.nothing, .flawed, .new, .servedAllTheSame),
    (.unavailable, .flawed, .new, .servedAllTheSame),
    (.good, .flawed, .old, .keepsVersion),
    (.flawed, .flawed, .new, .servedAllTheSame),
    // Nobody has found a fault in the served version.
    (.unjudged, .flawed, .old, .keepsVersion),
    // An unusable version replaces nothing.
    (.nothing, .unusable, .unavailable, .refused),
    (.unavailable, .unusable, .unavailable, .refused),
    (.good, .unusable, .old, .keepsVersion),
    (.flawed, .unusable, .old, .keepsVersion),
    (.unjudged, .unusable, .old, .keepsVersion),
    // Neither does an unreadable file.
    (.nothing, .unreadable, .unavailable, .refused),
    (.unavailable, .unreadable, .unavailable, .refused),
    (.good, .unreadable, .old, .keepsVersion),
    (.flawed, .unreadable, .old, .keepsVersion),
    (.unjudged, .unreadable, .old, .keepsVersion),
    // A file that never existed is not withdrawn.
    (.nothing, .justNow, .notFound, .nothing),
    (.nothing, .again, .notFound, .nothing),
    // A file that is missing for a moment is being replaced.
    (.unavailable, .justNow, .unavailable, .missing),
    (.unavailable, .again, .unavailable, .missing),
    (.good, .justNow, .old, .missing),
    (.good, .again, .old, .missing),
    (.flawed, .again, .old, .missing),
    (.unjudged, .again, .old, .missing),
  ]

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
    state.isMissing = found == .again
    return state
  }

  static func decide(
    _ state: State, _ found: Found
  ) -> (state: State, outcome: State.Outcome) {
    switch found {
    case .usable: state.deciding(.usable("new"))
    case .flawed: state.deciding(.flawed("new", fault))
    case .unusable: state.deciding(.unusable(fault))
    case .unreadable: state.deciding(.unreadable(fault))
    case .justNow, .again: state.deciding(.absent)
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
    case .missing: return .missing
    case .fault(let diagnostic, let keepsVersion):
      #expect(diagnostic.code == "X001" && diagnostic.severity == .error)
      switch diagnostic.note {
      case "the last good version of the file is still served":
        #expect(keepsVersion)
        return .keepsVersion
      case "the file is served anyway, because no better version is known":
        #expect(!keepsVersion)
        return .servedAllTheSame
      default:
        #expect(diagnostic.note?.contains("503") == true && !keepsVersion)
        return .refused
      }
    }
  }

  @Test(arguments: rows)
  func `finding and state decide what is served and reported`(
    known: Known, found: Found, served: Served, reported: Reported
  ) {
    let (next, outcome) = Self.decide(Self.state(known, found), found)
    #expect(Self.served(next) == served)
    #expect(Self.reported(outcome) == reported)
  }

  @Test func `the table has a row for every finding and everything that can be known`() {
    for known in Known.allCases {
      for found in [Found.usable, .flawed, .unusable, .unreadable, .again] {
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
    for found in [Found.unusable, .unreadable, .again] {
      #expect(quality(.good, found) == .good)
      #expect(quality(.flawed, found) == .flawed)
      #expect(quality(.unjudged, found) == .unjudged)
    }
  }

  @Test func `the last good version stays the last good one while its file is missing`() {
    let faulty = Self.decide(Self.state(.good, .unusable), .unusable).state
    #expect(faulty.isLastGood && Self.decide(faulty, .justNow).state.isLastGood)
    #expect(!Self.decide(Self.state(.good, .justNow), .justNow).state.isLastGood)
  }

  @Test func `only the first absence is new`() {
    guard case .missing(true) = Self.state(.good, .usable).deciding(.absent).outcome,
      case .missing(false) = Self.state(.good, .again).deciding(.absent).outcome
    else {
      Issue.record("a first absence is new, and a second is not")
      return
    }
    // A file that could not be read, or was faulty, meanwhile is missing anew.
    for found in [Found.unusable, .unreadable, .flawed, .usable] {
      #expect(!Self.decide(Self.state(.good, .again), found).state.isMissing)
    }
  }
}
