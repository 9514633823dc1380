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

  // MARK: Held changes and reports

  private static var folder: KeptFolder<String> {
    KeptFolder(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: "/none/domains",
      naming: \.self)
  }

  private struct Listing: KeptListing {
    let entries: Set<String>
    var device: UInt64 = 1
    var isUnsettled: Bool { false }
    var isEmpty: Bool { entries.isEmpty }
    var identity: FileStatus {
      var status = stat()
      status.st_dev = UInt(device)
      return FileStatus(status)
    }
    func has(_ name: String) -> Bool { entries.contains(name) }
  }

  /// A folder of some names, and what is found in it at each look.
  private struct Run {
    var folder = FolderGuardTests.folder
    var known: Set<String> = ["a", "b", "c", "d", "e", "f", "g", "h"]
    var now: Int64 = 0
    /// The messages that were reported.
    var reported: [String] = []

    init() { look(known) }

    /// - Parameter names: Nil if the folder cannot be read.
    mutating func look(_ names: Set<String>?, device: UInt64 = 1) {
      let fault = Diagnostic(.domainsFolderUnreadable, "cannot be read", at: .init(path: "d"))
      let failure = FolderFailure(
        error: SystemError("open", "d", code: 13), diagnostic: fault, isFile: false)
      let (known, before) = (known, folder.held)
      let look = folder.look(
        names.map { .success(Listing(entries: $0, device: device)) } ?? .failure(failure),
        known: known, isExpected: true, at: now, withdrawAfter: 0)
      if case .doubted(let faults) = look { reported += faults.map(\.message) }
      if case .trusted(let listing) = look {
        for name in known {
          if listing.has(name) {
            folder.names.find(name, at: now)
          } else {
            folder.names.miss(name, at: now, withdrawAfter: 0)
          }
        }
      }
      let found = folder.withdrawal(known: known.count, at: now, withdrawAfter: 0)
      for name in found.names {
        self.known.remove(name)
        folder.names.withdraw(name, at: now)
      }
      reported += (found.faults ?? []).map(\.message)
      if before != nil, folder.held == nil { reported.append("released") }
    }
  }

  @Test func `held changes are reported once for each reason`() {
    var run = Run()
    run.look(["a", "b", "c"])
    #expect(run.reported == ["5 of 8 domains are missing from the folder at once"])
    // More of the same is not reported again, but shown in the status.
    run.look(["a", "b"])
    run.look([])
    #expect(run.reported.count == 1)
    #expect(run.folder.heldDiagnostic?.message == "the domains folder is empty")
    run.look(nil)
    #expect(run.reported.last == "cannot be read")
    run.look(run.known)
    #expect(run.reported.last == "released" && run.folder.hold == nil)
    #expect(run.folder.held == nil && run.folder.heldDiagnostic == nil)
  }

  @Test func `a loss is confirmed by its ID, which its message names`() {
    var run = Run()
    #expect(run.folder.confirm([""]) == nil)
    run.look(["a", "b", "c"])
    let id = run.folder.hold?.id ?? ""
    #expect(
      run.folder.hold?.fault.help == "put them back; to accept the change: aasa confirm \(id)")
    // Smaller, and larger.
    run.look(["a", "b", "c", "d"])
    #expect(run.folder.hold?.id == id && run.folder.confirm(["other"]) == nil)
    run.look(["a"])
    #expect(run.folder.confirm([id]) == nil)
    let next = run.folder.hold?.id ?? ""
    #expect(run.folder.confirm([id, next]) == next)
    run.look(["a"])
    run.folder.release()
    #expect(run.folder.hold == nil && run.known == ["a"])
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
    var run = Run()
    run.folder.canConfirm = false
    run.look(["a", "b", "c"])
    let help = run.folder.hold?.fault.help ?? ""
    #expect(help.hasPrefix("put them back; to accept the change: restart the server;"))
    #expect(help.contains("--state DIR") && !help.contains("confirm \(run.folder.hold?.id ?? "")"))
  }

  @Test func `only a loss that may be intended can be confirmed`() {
    var run = Run()
    run.look(nil)
    #expect(run.folder.held == .unreadable && run.folder.hold == nil)
    // Another file system in its place may be meant.
    run.look(run.known, device: 2)
    let id = run.folder.hold?.id ?? ""
    #expect(run.folder.held == .otherDevice && run.folder.confirm([id]) == id)
    run.look(run.known, device: 2)
    #expect(run.folder.held == nil)
    // There was nothing to lose.
    var empty = Self.folder
    let missing = FolderFailure(
      error: SystemError("open", "d", code: 2),
      diagnostic: .unreadableFolder("domains", .manyNamesMissing, at: "d"), isFile: false)
    let look = empty.look(
      Result<Listing, FolderFailure>.failure(missing), known: [], isExpected: true, at: 0,
      withdrawAfter: 0)
    let faults = if case .doubted(let faults) = look { faults } else { [Diagnostic]() }
    #expect(faults.map(\.help) == ["create the folder, or choose another with --domains"])
    #expect(empty.held == .missing && empty.hold == nil)
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
    #expect(found.help?.hasSuffix("to accept the change: aasa confirm 1f4a09c2") == true)
    #expect(found.note == "what was served before is still served")
    if case .mostMissing = reason { #expect(found.message.contains("39 of 40 domains")) }
  }
}
