import CatalogSupport
import Diagnostics
import Glibc
import TLS
import TLSTestSupport

@testable import Catalog
@testable import Keeping
@testable import Posix
@testable import Settings

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
  mutating func reload()
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

/// A keeper whose listings and files a test makes up.
protocol ImaginedKeeper: Keeper {
  static func keeper() -> Self
  static func key(_ name: Int) -> Key
  /// The name in `names` of a key.
  static func name(_ key: Key) -> Int
  /// What a listing finds if these names are there.
  static func listing(_ names: Set<Int>, of folder: FileStatus, hasOtherFiles: Bool) -> Listing
  static var hasOtherFiles: Bool { get }
  /// What reading finds.
  static func reading(_ task: Reader.Task, isThere: Bool) -> Reader.Reading
}

/// A folder of domains or of certificates: the keeper of the product, with made-up answers to what it
/// asks for.
struct NamesInFolder<Kind: ImaginedKeeper>: KeptSubject {
  private(set) var keeper: Kind
  var names: Set<Int>
  var isClosed = false
  /// The file system of the folder.
  var device: UInt = 1
  var now: Int64 = 1_000_000
  private(set) var added = 0
  private(set) var withdrawn = 0
  /// The messages that were reported.
  private(set) var reported: [String] = []
  /// Whether the folder has files that are no entries.
  var hasOtherFiles = Kind.hasOtherFiles
  /// The name that vanishes when a confirmed loss is about to be applied.
  var vanishing: Int?
  /// What was listed last, and on which file system; nil if nothing could be.
  private var last: (names: Set<Int>, device: UInt)?

  init(_ count: Int) {
    keeper = Kind.keeper()
    names = Set(0..<count)
    run(.due(Pass(isWhole: true, isStart: true)))
    added = 0
  }

  var isHeld: Bool { keeper.folder.hold != nil }
  var served: Set<Int> { Set(keeper.items.keys.map(Kind.name)) }

  /// Does what the server does: lists the folder if it has changed, and lets time pass.
  mutating func look() {
    if last?.names != (isClosed ? nil : names) || last.map({ $0.device != device }) == true {
      run(.due(Pass()))
    }
    run(.time)
  }

  mutating func reload() { run(.due(Pass(isWhole: true))) }

  mutating func confirm() { confirm(Set(keeper.holds.map(\.id))) }
  mutating func confirm(_ ids: Set<String>) { run(.confirmed(ids)) }

  /// Returns what the keeper asks for.
  mutating func step(_ event: KeepEvent<Kind>) -> [KeepEffect<Kind>] {
    keeper.step(event, at: Moment(milliseconds: now, wall: 1_800_000_000 + now / 1_000))
  }

  private mutating func run(_ event: KeepEvent<Kind>) {
    let before = keeper.items
    let effects = step(event)
    if case .time = event {
      // It adds nothing.
      withdrawn += before.count - keeper.items.count
    } else {
      added += keeper.items.keys.count { before[$0] == nil }
      withdrawn += before.keys.count { keeper.items[$0] == nil }
    }
    for effect in effects {
      switch effect {
      case .decided(let outcome): reported += outcome.report.diagnostics.map(\.message)
      case .list(let pass):
        if case .release = pass.then, let vanishing { names.remove(vanishing) }
        last = isClosed ? nil : (names, device)
        run(.listed(listing(), pass))
      case .read(let requests, let pass):
        run(.read(requests[...], requests.map { answer($0).map(Boxed.init) }, pass))
      case .readAlone: break
      case .done(let pass): run(.done(pass))
      }
    }
  }

  private func listing() -> Result<Kind.Listing, FolderFailure> {
    if !isClosed {
      var status = stat()
      status.st_dev = device
      let folder = FileStatus(status)
      return .success(Kind.listing(names, of: folder, hasOtherFiles: hasOtherFiles))
    }
    let fault = Diagnostic(.domainsFolderUnreadable, "cannot be read", at: .init(path: "/none"))
    let error = SystemError("open", "/none", code: EACCES)
    return .failure(FolderFailure(error: error, diagnostic: fault, isFile: false))
  }

  private func answer(_ request: KeptRequest<Kind>) -> KeptAnswer<Kind.Reader.Reading>? {
    if isClosed { return .moved }
    if case .compare = request.asking { return .unchanged }
    let isThere = names.contains(Kind.name(Kind.key(of: request.entry)))
    let task = keeper.task(request.entry, request.asking, Pass())
    return .read(Kind.reading(task, isThere: isThere))
  }
}

extension DomainKeeper: ImaginedKeeper {
  static func keeper() -> DomainKeeper {
    var options = HostingOptions()
    options.domains = "/none"
    options.state = "/none"
    options.withdrawAfter = NamesInFolder<DomainKeeper>.withdrawAfter
    return DomainKeeper(options)
  }

  static func key(_ name: Int) -> DomainName { .named("h\(name).test") }

  static func name(_ key: DomainName) -> Int { number(key.description) }

  static var hasOtherFiles: Bool { false }

  static func listing(
    _ names: Set<Int>, of folder: FileStatus, hasOtherFiles: Bool
  ) -> DomainListing {
    DomainListing(
      identity: folder, isUnsettled: false, isEmpty: names.isEmpty && !hasOtherFiles,
      policy: 0,
      folder: DomainFolder(
        path: "/none", names: names.map { (name: "h\($0).test.json", isDirectory: false) }))
  }

  static func reading(_ task: DomainReader.Task, isThere: Bool) -> DomainReading {
    var reading = DomainReading()
    if isThere {
      let maker = ContentStore(cacheControl: "", wellKnown: WellKnownFiles()).maker
      let content = maker.content(
        of: Array("{}".utf8), kind: .file(WellKnownFiles.association))
      reading.files[WellKnownFiles.association] = .usable(
        MadeFile(content: content, lastModified: 1))
    } else {
      reading.entry = DomainFolder.Entry(name: task.entry.name)
    }
    return reading
  }
}

extension CertificateKeeper: ImaginedKeeper {
  private static let certificate = {
    let pair = TestCertificate("a", names: ["a.test"])
    let file = CertificateFile(
      chain: SourceText(path: "a.pem", bytes: pair.pem + pair.key.pem()), key: nil)
    return file.read(
      .init(now: Posix.Clock.wallSeconds(), warningDays: 14, intermediates: .init())
    ).certificate
  }()

  static func keeper() -> CertificateKeeper {
    var options = HostingOptions()
    options.certificates = "/none"
    options.isCertificatesFolderExpected = true
    options.withdrawAfter = NamesInFolder<CertificateKeeper>.withdrawAfter
    return CertificateKeeper(options, root: "/none")
  }

  static func key(_ name: Int) -> String { "h\(name).pem" }

  static func name(_ key: String) -> Int { number(key) }

  static var hasOtherFiles: Bool { true }

  static func listing(
    _ names: Set<Int>, of folder: FileStatus, hasOtherFiles: Bool
  ) -> CertificateListing {
    let paths = ["README"] + names.sorted().map { "h\($0).pem" }
    return CertificateListing(
      search: CertificateSearch(
        root: "/none", status: folder, isEmpty: !hasOtherFiles && names.isEmpty),
      names: CertificateFolderNames(
        root: "/none", paths: paths.map { (path: $0, isDirectory: false) },
        after: CertificateFolderNames()),
      closed: [])
  }

  static func reading(
    _ task: CertificateReader.Task, isThere: Bool
  ) -> CertificateReader.Reading {
    if case .find = task.asking, !isThere { return .init(absence: .proven) }
    return .init(finding: certificate.map { .usable($0) } ?? .absent, identity: 1)
  }
}

/// The number in `h12.test`.
private func number(_ text: String) -> Int { Int(text.dropFirst().prefix { $0 != "." }) ?? -1 }

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
    return Set(hosts.map { number($0.description) })
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

  mutating func reload() { look() }

  mutating func confirm() {
    withdrawn += hosts.confirm(at: now).count
    look()
  }
}
