import Catalog
import Diagnostics
import Glibc
import Posix
import Settings

@testable import Keeping

/// Names that are kept, and what the names are read from, driven by a scenario with a false clock.
protocol KeptSubject {
  /// What can be read now.
  var names: Set<Int> { get set }
  /// Whether nothing can be read now.
  var isClosed: Bool { get set }
  /// Milliseconds of the monotonic clock.
  var now: Int64 { get set }
  var served: Set<Int> { get }
  /// How often a name was new, and how often one was withdrawn.
  var added: Int { get }
  var withdrawn: Int { get }
  /// Whether a loss waits for its confirmation.
  var isHeld: Bool { get }

  /// Reads the names, and decides.
  mutating func look()
  mutating func confirm()
}

extension KeptSubject {
  /// Milliseconds for which a name must be missing.
  static var withdrawAfter: Int64 { 5_000 }

  /// Lets time pass. There is a look each half second.
  mutating func wait(_ milliseconds: Int64) {
    let end = now + milliseconds
    while now < end {
      now = min(now + 500, end)
      look()
    }
  }
}

/// The names in the folder of domains, or of certificates.
struct NamesInFolder: KeptSubject {
  var folder = KeptFolder<Int>(
    "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: "/none",
    naming: \.description)
  let areCertificates: Bool
  var names: Set<Int>
  var isClosed = false
  var now: Int64 = 1_000_000
  private(set) var served: Set<Int>
  private(set) var added = 0
  private(set) var withdrawn = 0
  /// The names that were read last.
  private var last: Set<Int>

  init(_ count: Int, areCertificates: Bool = false) {
    self.areCertificates = areCertificates
    names = Set(0..<count)
    served = names
    last = names
    look()
  }

  var isHeld: Bool { folder.hold != nil }

  mutating func look() {
    let fault = Diagnostic(.domainsFolderUnreadable, "cannot be read", at: .init(path: "/none"))
    let result: Result<Set<Int>, FolderFailure> =
      isClosed
      ? .failure(FolderFailure(SystemError("open", "/none", code: EACCES), fault))
      : .success(names)
    let (served, areCertificates) = (served, areCertificates)
    let found = folder.look(
      result, known: Array(served), isExpected: true, at: now, withdrawAfter: Self.withdrawAfter,
      lost: { served.subtracting($0).sorted() },
      // A folder of certificates has other files too.
      describe: { (device: 1, isEmpty: !areCertificates && $0.isEmpty) })
    if case .trusted(let names) = found, names != last { note(names) }
    withdraw()
  }

  private mutating func note(_ names: Set<Int>) {
    // Certificates that are missing are noted before new ones are read, and domains afterwards.
    if areCertificates { noteMissing(from: names) }
    for name in names.subtracting(last) {
      if served.insert(name).inserted {
        folder.add(name, at: now, withdrawAfter: Self.withdrawAfter)
        added += 1
      } else {
        folder.find(name, at: now)
      }
    }
    noteMissing(from: names)
    last = names
  }

  private mutating func noteMissing(from names: Set<Int>) {
    for name in served.subtracting(names) {
      folder.miss(name, at: now, withdrawAfter: Self.withdrawAfter)
    }
  }

  private mutating func withdraw() {
    // Domains whose folder is empty are held for that reason.
    let isLast = areCertificates && served.allSatisfy(folder.names.isMissing)
    let found = folder.withdrawal(
      known: served.count, isLast: isLast, at: now, withdrawAfter: Self.withdrawAfter)
    for name in found.names {
      served.remove(name)
      folder.withdraw(name, at: now)
      withdrawn += 1
    }
  }

  mutating func confirm() {
    guard let id = folder.hold?.id, folder.confirm([id]) == id else { return }
    look()
    folder.release()
  }
}

/// The hosts of a list, which is a file.
struct HostsOfList: KeptSubject {
  var names: Set<Int>
  var isClosed = false
  var now: Int64 = 1_000_000
  private(set) var added = 0
  private(set) var withdrawn = 0
  private var file = HostsFile(SourceText(path: "l.hosts", bytes: []))
  private var last: Set<Int> = []
  private var state = FileState<HostsFile>()
  private var hosts = ListedHosts(path: "l.hosts")

  init(_ count: Int) {
    names = Set(0..<count)
    look()
    added = 0
  }

  var isHeld: Bool { hosts.hold != nil }

  var served: Set<Int> {
    let hosts = (state.answer.version?.hosts ?? []) + hosts.kept
    return Set(hosts.compactMap { Int($0.description.dropFirst().prefix { $0 != "." }) })
  }

  mutating func look() {
    if names != last {
      let lines = names.sorted().map { "h\($0).test\n" }
      file = HostsFile(SourceText(path: "l.hosts", bytes: Array(lines.joined().utf8)))
      last = names
    }
    let fault = Diagnostic(.hostedFileUnreadable, "cannot be read", at: .init(path: "l.hosts"))
    var decision = DomainDecision(DomainReading())
    let before = state.answer.version
    let finding: FileFinding<HostsFile> = isClosed ? .unreadable(fault) : .usable(file)
    state = decision.decideHosts(state, finding, room: .max)
    let change = decision.keepHosts(
      of: &hosts, state.answer.version, after: before, isRead: !isClosed,
      at: now, withdrawAfter: Self.withdrawAfter)
    added += change.added.count
    withdrawn += change.withdrawn.count
  }

  mutating func confirm() {
    withdrawn += hosts.confirm(at: now).count
    look()
  }
}
