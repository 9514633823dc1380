import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct FolderGuardTests {
  private static let trusted = FolderGuard.Observation.readable(device: 1, isEmpty: false)

  /// A guard that has trusted the folder once.
  private func watching() -> FolderGuard {
    var folder = FolderGuard()
    #expect(folder.distrust(Self.trusted, known: 0, isConfirmed: false) == nil)
    return folder
  }

  struct Row: CustomTestStringConvertible {
    let observation: FolderGuard.Observation
    var known = 10
    var isConfirmed = false
    let reason: FolderGuard.Reason?
    var testDescription: String { "\(observation), \(known) known, confirmed: \(isConfirmed)" }
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

  struct Missing: CustomTestStringConvertible {
    var observation = trusted
    let missing: Int
    let known: Int
    let reason: FolderGuard.Reason?
    var testDescription: String { "\(missing) of \(known), \(observation)" }
  }

  static let missing = [
    Missing(missing: 0, known: 10, reason: nil),
    Missing(missing: 1, known: 10, reason: nil),
    // Exactly half is not more than half.
    Missing(missing: 2, known: 4, reason: nil),
    Missing(missing: 3, known: 4, reason: .mostMissing(3, of: 4)),
    Missing(missing: 4, known: 4, reason: .mostMissing(4, of: 4)),
    Missing(missing: 2, known: 5, reason: nil),
    Missing(missing: 3, known: 5, reason: .mostMissing(3, of: 5)),
    Missing(missing: 50_000, known: 100_000, reason: nil),
    Missing(missing: 50_001, known: 100_000, reason: .mostMissing(50_001, of: 100_000)),
    // Of fewer than four every one may go.
    Missing(missing: 2, known: 3, reason: nil),
    Missing(missing: 3, known: 3, reason: nil),
    Missing(missing: 1, known: 1, reason: nil),
    // But not all of them with everything else, nor with the folder.
    Missing(observation: .readable(device: 1, isEmpty: true), missing: 1, known: 1, reason: .empty),
    Missing(observation: .readable(device: 1, isEmpty: true), missing: 9, known: 9, reason: .empty),
    Missing(observation: .missing, missing: 1, known: 1, reason: .missing),
    Missing(observation: .missing, missing: 1, known: 10, reason: .missing),
    Missing(observation: .unreadable, missing: 1, known: 10, reason: .unreadable),
    // Where nothing is missing nothing is held.
    Missing(observation: .readable(device: 1, isEmpty: true), missing: 0, known: 1, reason: nil),
    Missing(observation: .missing, missing: 0, known: 0, reason: nil),
  ]

  @Test(arguments: missing)
  func `names that vanish one by one may be withdrawn, most of them at once may not`(
    _ row: Missing
  ) {
    var folder = watching()
    _ = folder.distrust(row.observation, known: row.known, isConfirmed: false)
    #expect(folder.reason(missing: row.missing, known: row.known) == row.reason)
  }

  // MARK: Held changes and reports

  @Test func `held changes are reported once for each reason`() {
    var folder = Self.folder
    let first = folder.hold(.mostMissing(5, of: 8), nil, losing: ["a"])
    #expect(first.count == 1 && first == [folder.heldDiagnostic])
    // More of the same is not reported again, but shown in the status.
    #expect(folder.hold(.mostMissing(6, of: 8), nil, losing: ["a", "b"]) == [])
    #expect(folder.held == .mostMissing(6, of: 8))
    #expect(folder.heldDiagnostic?.message.contains("6 of 8") == true)
    // Nor is the rest of the loss.
    #expect(folder.hold(.empty, nil, losing: ["a", "b", "c"]) == [])
    #expect(folder.hold(.unreadable, nil, losing: ["a"]).count == 1)
    folder.release()
    #expect(folder.held == nil && folder.heldDiagnostic == nil)
  }

  private static var folder: KeptFolder<String> {
    KeptFolder(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: "/none/domains",
      naming: \.self)
  }

  private func hold(
    _ folder: inout KeptFolder<String>, _ reason: FolderGuard.Reason, _ names: String...
  ) {
    _ = folder.hold(reason, nil, losing: Set(names))
  }

  @Test func `a loss is confirmed by its ID, which its message names`() {
    var folder = Self.folder
    #expect(folder.confirm([""]) == nil)
    hold(&folder, .mostMissing(2, of: 3), "a", "b")
    let id = folder.hold?.id ?? ""
    #expect(folder.hold?.fault.help == "put them back; if this is intended: aasa confirm \(id)")
    #expect(
      folder.hold?.fault.message == "2 of 3 domains are missing from the folder at once")
    // Smaller, and larger.
    hold(&folder, .empty, "a")
    #expect(folder.hold?.id == id && folder.confirm(["other"]) == nil)
    hold(&folder, .mostMissing(3, of: 3), "a", "b", "c")
    #expect(folder.confirm([id]) == nil && !folder.isConfirmed)
    let next = folder.hold?.id ?? ""
    #expect(folder.confirm([id, next]) == next && folder.isConfirmed)
    folder.release()
    #expect(folder.hold == nil && !folder.isConfirmed)
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

  @Test func `without a state folder the message says how a hold ends`() {
    var folder = Self.folder
    folder.canConfirm = false
    hold(&folder, .mostMissing(2, of: 3), "a", "b")
    let help = folder.hold?.fault.help ?? ""
    #expect(help.hasPrefix("put them back; if this is intended: restart the server;"))
    #expect(help.contains("--state DIR") && !help.contains("confirm \(folder.hold?.id ?? "")"))
  }

  @Test func `only a loss that may be intended can be confirmed`() {
    var folder = Self.folder
    hold(&folder, .unreadable, "a")
    #expect(folder.held == .unreadable && folder.hold == nil)
    #expect(folder.heldDiagnostic?.help?.contains("confirm") == false)
    // There was nothing to lose.
    hold(&folder, .missing)
    #expect(folder.held == .missing && folder.hold == nil)
  }

  @Test func `the fault of a name is reported when it has lasted for a second`() {
    func fault(_ path: String) -> Diagnostic {
      Diagnostic(.manyNamesMissing, "something is wrong", at: .init(path: path))
    }
    let (a, b) = (fault("a"), fault("b"))
    var folder = Self.folder
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
    #expect(found.help?.hasSuffix("if this is intended: aasa confirm 1f4a09c2") == true)
    #expect(found.note == "what was served before is still served")
    if case .mostMissing = reason { #expect(found.message.contains("39 of 40 domains")) }
  }
}
