import Diagnostics
import Posix
import TLS
import TLSTestSupport
import Testing

@testable import Keeping
@testable import Settings

/// What is served of one pair of files while it is written: pure, with a false clock.
@Suite struct CertificateScenarioTests {
  /// What the files hold.
  enum Files: Sendable {
    case first, renewed
    /// A renewal without its intermediate.
    case half
    /// A chain with the key of another one.
    case misfit
    case expired
  }

  enum Step {
    case write(Files)
    /// From now on a file cannot be read, as when a link leads nowhere.
    case close
    case wait(milliseconds: Int64)
    /// What is served, and whether a fault was reported.
    case expect(Files?, hasFault: Bool = false)
  }

  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let start: Files?
    let steps: [Step]

    init(_ description: String, serving start: Files?, _ steps: Step...) {
      testDescription = description
      self.start = start
      self.steps = steps
    }
  }

  static let scenarios = [
    Scenario(
      "a renewal is served at once", serving: .first, .write(.renewed), .expect(.renewed)),
    Scenario(
      "a renewal without its intermediate waits for ten seconds", serving: .first,
      .write(.half), .wait(milliseconds: 9_900), .expect(.first), .wait(milliseconds: 100),
      .expect(.half)),
    Scenario(
      "the intermediate comes in time", serving: .first,
      .write(.half), .wait(milliseconds: 9_000), .write(.renewed), .expect(.renewed)),
    Scenario(
      "a whole chain in between restarts the time", serving: .first,
      .write(.half), .wait(milliseconds: 9_000), .write(.first), .write(.half),
      .wait(milliseconds: 9_900), .expect(.first), .wait(milliseconds: 100), .expect(.half)),
    Scenario(
      "after a half chain that counted the next one waits again", serving: .first,
      .write(.half), .wait(milliseconds: 10_000), .expect(.half), .write(.renewed),
      .expect(.renewed), .write(.half), .wait(milliseconds: 9_900), .expect(.renewed),
      .wait(milliseconds: 100), .expect(.half)),
    Scenario(
      "a key that does not fit is a fault after a second", serving: .first,
      .write(.misfit), .wait(milliseconds: 900), .expect(.first), .wait(milliseconds: 100),
      .expect(.first, hasFault: true), .write(.renewed), .expect(.renewed)),
    Scenario(
      "the right key comes in time", serving: .first,
      .write(.misfit), .wait(milliseconds: 900), .write(.renewed), .wait(milliseconds: 9_000),
      .expect(.renewed)),
    Scenario(
      "a link that leads nowhere is a fault after a second", serving: .first,
      .close, .wait(milliseconds: 900), .expect(.first), .wait(milliseconds: 100),
      .expect(.first, hasFault: true), .wait(milliseconds: 60_000),
      .expect(.first, hasFault: true), .write(.first), .expect(.first)),
    Scenario(
      "a link leads nowhere for a moment", serving: .first,
      .close, .wait(milliseconds: 900), .write(.first), .wait(milliseconds: 500), .close,
      .wait(milliseconds: 900), .expect(.first), .write(.renewed), .expect(.renewed)),
    Scenario(
      "an expired one is a fault at once", serving: .first,
      .write(.expired), .expect(.first, hasFault: true)),
    Scenario(
      "an expired one gives way to anything", serving: .expired, .write(.renewed),
      .expect(.renewed)),
    // A new pair.
    Scenario("a new pair is served at once", serving: nil, .write(.first), .expect(.first)),
    Scenario(
      "where nothing is served no intermediate is waited for", serving: nil, .write(.half),
      .expect(.half)),
    Scenario(
      "a new key that does not fit is a fault at once", serving: nil,
      .write(.misfit), .expect(nil, hasFault: true)),
    Scenario(
      "a new link that leads nowhere is a fault after a second", serving: nil,
      .close, .wait(milliseconds: 900), .expect(nil), .wait(milliseconds: 100),
      .expect(nil, hasFault: true), .write(.first), .expect(.first)),
    Scenario(
      "a new link leads nowhere for a moment", serving: nil,
      .close, .wait(milliseconds: 900), .expect(nil), .write(.first), .expect(.first)),
  ]

  /// The state of a pair, driven step by step.
  private struct Pair {
    var state: CertificateState
    var found = FileFinding<Certificate>.absent
    var hasFault = false
    var now: Int64 = 1_000_000

    mutating func look() {
      let wall = Posix.Clock.wallSeconds()
      let (finding, until) = state.assess(found, now: now, wall: wall, isPatient: true)
      if until != nil { return }
      let (next, outcome) = state.file.deciding(finding)
      state.file = next
      if case .fault = outcome { hasFault = true } else { hasFault = false }
    }
  }

  private let root = TestCertificate("Root", isAuthority: true)

  /// What is found in files that hold this.
  private func finding(_ files: Files) -> FileFinding<Certificate> {
    let intermediate = TestCertificate("Intermediate", issuer: root, isAuthority: true)
    let days = files == .expired ? -30 ... -2 : -1...90
    let leaf = TestCertificate("a", names: ["a.test"], issuer: intermediate, days: days)
    let key = files == .misfit ? TestKey() : leaf.key
    let inspection = CertificateFile(
      chain: SourceText(
        path: "a.crt", bytes: leaf.pem + (files == .half ? [] : intermediate.pem)),
      key: SourceText(path: "a.key", bytes: key.pem())
    ).read(.init(now: Posix.Clock.wallSeconds(), warningDays: 14, intermediates: .init()))
    let fault = inspection.diagnostics.first { $0.severity == .error }
    return switch (inspection.certificate, fault) {
    case (let certificate?, nil): .usable(certificate)
    case (let certificate?, let fault?): .flawed(certificate, fault)
    case (nil, let fault?): .unusable(fault)
    case (nil, nil): .absent
    }
  }

  @Test(arguments: scenarios)
  func `what is served while a pair of files is written`(_ scenario: Scenario) throws {
    let fault = Diagnostic(.certificateFileUnreadable, "cannot be read", at: .init(path: "a.crt"))
    // The same files always hold the same certificate.
    let findings = [Files.first, .renewed, .half, .misfit, .expired].map { ($0, finding($0)) }
    let found = Dictionary(uniqueKeysWithValues: findings)
    let paths = [(path: "a.crt", isDirectory: false), (path: "a.key", isDirectory: false)]
    let entry = try #require(CertificateFolder(root: "c", paths: paths).entries.first)
    var pair = Pair(state: CertificateState(entry))
    if let start = scenario.start {
      pair.state.file.answer = try .version(#require(found[start]?.version))
    }
    for step in scenario.steps {
      switch step {
      case .write(let files):
        pair.found = try #require(found[files])
        pair.look()
      case .close:
        pair.found = .unreadable(fault)
        pair.look()
      case .wait(let milliseconds):
        for _ in 0..<milliseconds / 100 {
          pair.now += 100
          pair.look()
        }
      case .expect(let files, let hasFault):
        #expect(pair.state.certificate === files.flatMap { found[$0]?.version })
        #expect(pair.hasFault == hasFault)
      }
    }
  }
}
