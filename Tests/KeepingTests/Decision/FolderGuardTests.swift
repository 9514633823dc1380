import Diagnostics
import Glibc
import Testing

@testable import Catalog
@testable import Keeping
@testable import Posix
@testable import Settings

@Suite struct FolderGuardTests {
  private static let trusted = FolderGuard.Observation.readable(device: 1, isEmpty: false)

  /// A guard that has trusted the folder once.
  private func watching() -> FolderGuard {
    var folder = FolderGuard()
    #expect(folder.distrust(Self.trusted, known: 0, isConfirmed: false) == nil)
    return folder
  }

  struct Row {
    let observation: FolderGuard.Observation
    var known = 10
    var isConfirmed = false
    let reason: FolderGuard.Reason?
  }

  static let rows = [
    Row(observation: trusted, reason: nil),
    Row(observation: .readable(device: 1, isEmpty: true), reason: nil),
    Row(observation: .unreadable, reason: .unreadable),
    // Nobody can mean it.
    Row(observation: .unreadable, isConfirmed: true, reason: .unreadable),
    Row(observation: .unreadable, known: 0, reason: .unreadable),
    // Missing names are decided on when they have been missing for long enough.
    Row(observation: .missing, reason: nil),
    Row(observation: .readable(device: 2, isEmpty: false), reason: .otherDevice),
    Row(observation: .readable(device: 2, isEmpty: true), known: 1, reason: .otherDevice),
    Row(observation: .readable(device: 2, isEmpty: false), isConfirmed: true, reason: nil),
    // There is nothing to lose.
    Row(observation: .readable(device: 2, isEmpty: false), known: 0, reason: nil),
  ]

  @Test(arguments: rows)
  func `a folder is trusted when it can be read and is on the same file system`(_ row: Row) {
    var folder = watching()
    let reason = folder.distrust(row.observation, known: row.known, isConfirmed: row.isConfirmed)
    #expect(reason == row.reason)
    #expect(folder.observation == row.observation)
  }

  @Test func `a folder that was distrusted is compared with its earlier state`() {
    var folder = watching()
    let other = FolderGuard.Observation.readable(device: 2, isEmpty: false)
    for _ in 0..<2 {
      #expect(folder.distrust(other, known: 1, isConfirmed: false) == .otherDevice)
      #expect(folder.distrust(.missing, known: 1, isConfirmed: false) == nil)
      #expect(folder.distrust(.unreadable, known: 1, isConfirmed: false) == .unreadable)
    }
    #expect(folder.distrust(Self.trusted, known: 1, isConfirmed: false) == nil)
    // After a confirmation the new folder counts.
    #expect(folder.distrust(other, known: 1, isConfirmed: true) == nil)
    #expect(folder.distrust(other, known: 1, isConfirmed: false) == nil)
    #expect(folder.distrust(Self.trusted, known: 1, isConfirmed: false) == .otherDevice)
  }

  @Test func `a folder that is seen for the first time is trusted wherever it is`() {
    var folder = FolderGuard()
    #expect(folder.distrust(Self.trusted, known: 5, isConfirmed: false) == nil)
  }

  // MARK: Held changes and reports

  @Test func `held changes are reported once for each reason`() {
    var run = NamesInFolder<DomainKeeper>(8)
    var folder: KeptFolder<DomainName> { run.keeper.folder }
    run.names = [0, 1, 2]
    run.wait(6_000)
    #expect(run.reported == ["5 of 8 domains are suddenly missing from the folder"])
    // More of the same is not reported again, but shown in the status.
    run.names = [0, 1]
    run.wait(6_000)
    run.names = []
    run.wait(6_000)
    #expect(run.reported.count == 1)
    #expect(folder.heldDiagnostic?.message == "the domains folder is empty")
    run.isClosed = true
    run.look()
    #expect(run.reported.last == "cannot be read" && run.reported.count == 2)
    run.isClosed = false
    run.names = Set(0..<8)
    run.look()
    #expect(folder.hold == nil && folder.held == nil && folder.heldDiagnostic == nil)
  }

  @Test func `a loss is confirmed by its ID, which its message names`() {
    var run = NamesInFolder<DomainKeeper>(8)
    run.confirm([""])
    run.names = [0, 1, 2]
    run.wait(6_000)
    let id = run.keeper.folder.hold?.id ?? ""
    let help = run.keeper.folder.hold?.fault.help
    #expect(help == "put them back; to accept the change: aasa confirm \(id)")
    // Smaller, and larger.
    run.names = [0, 1, 2, 3]
    run.wait(6_000)
    run.confirm(["other"])
    #expect(run.keeper.folder.hold?.id == id && run.served.count == 8)
    run.names = [0]
    run.wait(6_000)
    run.confirm([id])
    let next = run.keeper.folder.hold?.id ?? ""
    #expect(next != id && run.served.count == 8)
    run.confirm([id, next])
    #expect(run.keeper.folder.hold == nil && run.served == [0])
  }

  @Test(arguments: [
    (1, 1, "hosts", "1 of 1 host is"), (1, 4, "hosts", "1 of 4 hosts is"),
    (3, 4, "hosts", "3 of 4 hosts are"), (1, 10, "domains", "1 of 10 domains is"),
  ])
  func `what is missing is counted in good grammar`(
    count: Int, all: Int, what: String, words: String
  ) {
    #expect(share(count, of: all, what) == words)
  }

  @Test func `only a loss that may be intended can be confirmed`() {
    var run = NamesInFolder<DomainKeeper>(8)
    run.isClosed = true
    run.look()
    #expect(run.keeper.folder.held == .unreadable && run.keeper.folder.hold == nil)
    // Another file system in its place may be meant.
    run.isClosed = false
    run.device += 1
    run.look()
    #expect(run.keeper.folder.held == .otherDevice)
    run.confirm()
    #expect(run.keeper.folder.held == nil && run.served.count == 8)
  }

  @Test func `the fault of a name is reported when it has lasted for a second`() {
    func fault(_ path: String) -> Diagnostic {
      Diagnostic(.manyNamesMissing, "something is wrong", at: .init(path: path))
    }
    let (a, b) = (fault("a"), fault("b"))
    var folder = KeptFolder<String>(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: "/none", naming: \.self)
    // When to look, what is found then, what is reported, and when to look again.
    let steps: [(now: Int64, found: [Diagnostic], new: [Diagnostic], again: Int64?)] = [
      (1_000, [a], [], 2_000), (1_500, [a, b], [], 2_000), (2_000, [a, b], [a], 2_500),
      (2_500, [a, b], [b], nil), (9_000, [a, b], [], nil),
      // Another time it is another fault.
      (9_500, [b], [], nil), (9_600, [a, b], [], 10_600),
    ]
    for step in steps {
      let found = folder.report(step.found, isStart: false, now: step.now)
      #expect(found.new == step.new && found.again == step.again, "at \(step.now)")
    }
  }

  @Test(
    arguments: [
      FolderGuard.Reason.missing, .otherDevice, .empty, .mostMissing(39, of: 40),
    ])
  func
    `a folder with held changes is an error that says what is served, and how to confirm`(
      _ reason: FolderGuard.Reason
    )
  {
    let found = reason.diagnostic("domains", .domainsFolderUnreadable, at: "d", id: "1f4a09c2")
    #expect(found.severity == .error)
    #expect(found.help?.hasSuffix("to accept the change: aasa confirm 1f4a09c2") == true)
    #expect(found.note == "what was served before is still served")
    if case .mostMissing = reason { #expect(found.message.contains("39 of 40 domains")) }
  }
}
