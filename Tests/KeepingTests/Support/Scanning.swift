import CatalogSupport
import Diagnostics
import Foundation
import Posix
import TLS
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

extension HangTolerantPool {
  /// Waits as long as anything takes on any machine.
  static var untiring: HangTolerantPool { HangTolerantPool(patience: 45_000) }
}

/// What tests look at.
extension KeeperRunner {
  var items: [Kind.Key: Kind.Item] { keeper.items }
  var folder: KeptFolder<Kind.Key> { keeper.folder }
  var holds: [Hold] { keeper.holds }
  var options: HostingOptions { keeper.options }
  var nextWithdrawal: Int64? { keeper.nextWithdrawal }

  mutating func withdrawMissing() -> Outcome { run(.time) }
  mutating func confirm(_ ids: Set<String>) -> Outcome { run(.confirmed(ids)) }

  /// Confirms all that is held.
  mutating func confirmAll() -> Outcome {
    let ids = Set(holds.map(\.id))
    let outcome = confirm(ids)
    #expect(outcome.confirmed == ids)
    return outcome
  }

  /// Reads entries as they were listed.
  mutating func read(_ entries: some Sequence<Kind.Entry>, isFinal: Bool = false) -> Outcome {
    read(entries.map { KeptRequest(entry: $0, asking: .read) }, Pass(isFinal: isFinal))
  }
}

extension Turn {
  /// What no entry exceeds, so that a test need not wait for the background work.
  static let endless = Turn(bytes: .max, entryBytes: .max)
}

/// Runners, driven scan by scan. Files are read as they are, because nobody writes meanwhile.
extension DomainRunner {
  /// A runner for a folder. Missing files may be withdrawn at once.
  init(root: String, _ change: (inout HostingOptions) -> Void = { _ in }) {
    var options = HostingOptions()
    options.domains = root
    options.cacheControl = "no-cache"
    options.withdrawAfter = 0
    options.threads = 1
    change(&options)
    self.init(DomainKeeper(options), work: .untiring)
  }

  var problems: ProblemTable<DomainName> { keeper.problems }
  var isIncomplete: Bool { keeper.isIncomplete }
  var sites: [Site] { items.values.map(\.site) }

  func site(_ name: String) -> Site? { items[.named(name)]?.site }
  func association(_ name: String) -> String { bodyText(site(name)?.association) }
  func assetLinks(_ name: String) -> String { bodyText(site(name)?.assetLinks) }

  /// The served text of a well-known file.
  func served(_ file: String, of name: String = "a.test") throws -> String {
    let number = options.wellKnownFiles.files.firstIndex { $0.name == file }
    return bodyText(site(name)?.availability(of: try #require(number, "\(file)")))
  }

  mutating func change(_ change: (inout HostingOptions) -> Void) {
    var options = options
    change(&options)
    keeper.use(options)
  }

  /// Reads everything that is new or has changed.
  mutating func scanAll(_ depth: DomainReader.Depth = .rules) -> Outcome {
    run(.due(Pass(isWhole: true, depth: depth, isFinal: true)))
  }

  /// Reads some domains.
  mutating func scan(_ names: String...) -> Outcome {
    scan(names.map { .named($0) }, isFinal: true)
  }

  mutating func scan(
    _ names: [DomainName], settled: Set<DomainName> = [], isFinal: Bool = false
  ) -> Outcome {
    if names.isEmpty { return Outcome() }
    return run(
      .due(
        Pass(
          names: Dictionary(names.map { ($0, []) }) { $1 }, isListing: false, settled: settled,
          isFinal: isFinal)))
  }

  /// Withdraws files that have been missing for long enough. Waits for domains with another file
  /// that changed a moment ago.
  mutating func withdraw() -> Outcome {
    var outcome = Outcome()
    repeat {
      outcome.again = []
      outcome += withdrawMissing()
    } while outcome.again.contains {
      $0.time <= Posix.Clock.monotonicMilliseconds() + ObservationLimits.settlingTime
    }
    return outcome
  }

  /// Reads everything, and withdraws missing files.
  mutating func scanAndWithdraw() -> Outcome {
    var outcome = scanAll()
    let again = outcome.again
    outcome += withdraw()
    outcome.again = again
    return outcome
  }

  /// Whether reading any domain again could find something else.
  var isEverythingCurrent: Bool { changed(items.keys).isEmpty }
}

extension Outcome {
  var codes: [String] { report.diagnostics.map(\.code) }
  var folderCodes: [String] { report.folderCodes }

  /// The domains to scan again.
  var domainsAgain: [DomainName] {
    again.compactMap { if case .domain(let name) = $0.key { name } else { nil } }
  }
}

extension Report {
  /// The codes of diagnostics about folders, and about files that cannot be served, without those
  /// of the rules of the association language.
  var folderCodes: [String] {
    diagnostics.map(\.code).filter { !$0.hasPrefix("A") || $0 <= "A004" }
  }
}

extension CertificateRunner {
  /// A runner for a folder. Missing files may be withdrawn at once.
  init(root: String, _ change: (inout HostingOptions) -> Void = { _ in }) {
    var options = HostingOptions()
    options.certificates = root
    options.withdrawAfter = 0
    change(&options)
    self.init(CertificateKeeper(options, root: root), work: .untiring)
  }

  /// Reads files that are new or have changed, and those of some names in the folder.
  mutating func scan(_ names: String...) -> Outcome {
    scan(names, isFinal: true)
  }

  mutating func scan(
    _ names: [String], settled: Set<String> = [], isFinal: Bool = false, isStart: Bool = false
  ) -> Outcome {
    run(
      .due(
        Pass(
          names: Dictionary(names.map { ($0, []) }) { $1 }, isWhole: true, settled: settled,
          isFinal: isFinal, isStart: isStart)))
  }

  /// Scans until files that look half-written count: goes on to each time that a scan names, for
  /// ten seconds at most.
  mutating func scanUntilSettled() -> Outcome {
    let end = clock().milliseconds + 10_000
    while true {
      let outcome = scan()
      guard let next = outcome.again.map(\.time).min(), next < end else { return outcome }
      pass(max(1, next - clock().milliseconds))
    }
  }

  /// Lets time pass.
  mutating func pass(_ milliseconds: Int64) {
    let before = clock
    clock = {
      var now = before()
      now.milliseconds += milliseconds
      return now
    }
  }

  var problems: ProblemTable<String> { keeper.problems }
  var isEmpty: Bool { keeper.isEmpty }
  var closed: [Diagnostic] { keeper.closed }
  var nextChangeOfDates: Int64? { keeper.nextChangeOfDates(after: clock()) }
  var catalog: Catalog? {
    get { keeper.catalog }
    set { keeper.catalog = newValue }
  }

  func material(ticketKeys: TicketKeys, selfSigned: Certificate?) -> TLSMaterial {
    TLSMaterial(
      certificates: keeper.served, defaultName: options.defaultCertificate, ticketKeys: ticketKeys,
      selfSignedFallback: selfSigned, now: clock().wall)
  }

  /// Lets OpenSSL judge everything.
  mutating func finishBackgroundWork() -> [Outcome] {
    var outcomes: [Outcome] = []
    while hasBackgroundWork {
      outcomes.append(workInBackground(milliseconds: 0))
    }
    return outcomes
  }

  /// Which hosts have a certificate.
  func covers(_ hosts: String...) -> [Bool] {
    let material = material(ticketKeys: TicketKeys(), selfSigned: nil)
    return hosts.map { material.covers($0) }
  }
}
