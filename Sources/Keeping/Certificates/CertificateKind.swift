internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// Certificates, as a kind of entries that are kept.
///
/// Only a certificate that clients accept replaces what is served for a name; the self-signed
/// fallback never does.
struct CertificateKind {
  /// The names that were listed last.
  var names = CertificateFolderNames()
  /// Folders that were searched, by relative path.
  var directories: [String] = []
  /// Directories to be watched, each with the name in the certificates folder that it belongs to.
  var unwatched: [(name: String, path: String)] = []
  /// Increases with every change that affects the status.
  var generation = 0
  var unjudged: [String] = []
  /// Folders and links that cannot be followed, as reported.
  var closed: [Diagnostic] = []
  /// The chains hidden by folders and links that cannot be followed.
  var hidden: Set<String> = []
  let intermediates = SharedIntermediates()
  /// Returns the roots that devices trust.
  var roots: @Sendable () throws(TLSError) -> TrustStore = TrustStore.system
  var trust: TrustStore?
  /// The fault of the system's roots, until a scan reports it.
  var rootsFault: Diagnostic?
  /// The changes that wait for confirmation, by chain.
  var changes: [String: CertificateChange] = [:]
  /// The fingerprints of confirmed certificates, by chain.
  var confirmed: [String: String] = [:]
  /// The catalog that is served; nil at the start.
  var catalog: Catalog?
  /// The certificates in the folder of automatic ones.
  var elsewhere: [Certificate] = []
  var issuers = KnownIssuers()
}

typealias CertificateRunner = KeeperRunner<CertificateKind>

extension CertificateRunner {
  init(_ options: HostingOptions, root: String, work: PatientWork = PatientWork()) {
    var folder = KeptFolder<String>(
      "certificates", kinds: (.manyCertificatesMissing, .certificatesFolderUnreadable), at: root,
      naming: \.self)
    folder.canConfirm = options.canConfirm
    self.init(
      Keeper(kind: CertificateKind(), options: options, root: root, folder: folder), work: work)
  }

  var reader: CertificateReader { CertificateKind.reader(keeper, at: clock()) }

  /// Searches the folder, and reads files that are new, have changed, or belong to `names`.
  ///
  /// - Parameter settled: The names among them whose writers have finished.
  mutating func scan(
    _ names: Set<String>, settled: Set<String> = [], isFinal: Bool = false, isStart: Bool = false
  ) -> Outcome {
    look(
      Look(
        names: Dictionary(uniqueKeysWithValues: names.map { ($0, []) }), isWhole: true,
        settled: settled, isFinal: isFinal, isStart: isStart))
  }

  /// The directories to be watched that were found since the last call.
  mutating func takeUnwatched() -> [(name: String, path: String)] {
    defer { keeper.kind.unwatched = [] }
    return keeper.kind.unwatched
  }
}

extension Keeper<CertificateKind> {
  /// Uses new options. If they affect reports, the next scan reads every file again.
  mutating func use(_ options: HostingOptions) {
    if options.certificateWarningDays != self.options.certificateWarningDays { forgetFiles() }
    self.options = options
  }

  /// Lets the next scan read every file again.
  mutating func forgetFiles() {
    for chain in Array(items.keys) { items[chain]?.identity = 0 }
  }
}

extension CertificateKind: KeptKind {
  typealias Kept = LastRun.KeptCertificate

  static var folderKey: ScanKey { .certificatesFolder }
  static func key(of entry: CertificateFolder.Entry) -> String { entry.chain }
  static func name(of entry: CertificateFolder.Entry) -> String { entry.topName }
  static func scanKey(_ name: String) -> ScanKey { .certificate(name) }
  static func progress(_ options: HostingOptions) -> (@Sendable (Int, Int) -> Void)? {
    options.certificateProgress
  }
  // The default folder may be absent: then there are no certificates.
  static func isExpected(_ options: HostingOptions) -> Bool { options.isCertificatesFolderExpected }

  static func lister(_ keeper: Keeper<Self>) -> CertificateLister {
    CertificateLister(root: keeper.root, last: keeper.kind.names)
  }

  static func reader(_ keeper: Keeper<Self>, at now: Moment) -> CertificateReader {
    CertificateReader(
      root: keeper.root,
      conditions: .init(
        now: now.wall, warningDays: keeper.options.certificateWarningDays,
        intermediates: keeper.kind.intermediates))
  }

  static func task(
    _ entry: CertificateFolder.Entry, _ asking: Asking<CertificateClue>, _ look: Look<String>,
    in keeper: Keeper<Self>
  ) -> CertificateReader.Task {
    CertificateReader.Task(
      entry: entry, asking: asking, identity: keeper.items[entry.chain]?.identity ?? 0,
      isSettled: look.isFinal || look.settled.contains(entry.topName))
  }

  static func requests(
    for look: Look<String>, in keeper: Keeper<Self>
  ) -> [KeptRequest<Self>]? { nil }

  static func isDue(
    _ entry: CertificateFolder.Entry, _ item: CertificateState, _ look: Look<String>,
    in keeper: Keeper<Self>
  ) -> Bool { keeper.kind.changes[entry.chain] != nil }

  static func clue(
    to chain: String, _ item: CertificateState, _ listing: CertificateListing,
    _ look: Look<String>, in keeper: Keeper<Self>
  ) -> CertificateClue? {
    if let key = item.entry.key, listing.keysWithoutChain.contains(key) {
      return .keyIsLeft(key, isNamed: look.names[item.entry.topName] != nil)
    }
    if listing.search.obstacle(to: chain) != nil { return .hidden }
    return .missing(isFolderGone: listing.search.lacksFolder(of: chain))
  }

  static func note(
    _ listing: CertificateListing, _ look: Look<String>, in keeper: inout Keeper<Self>,
    at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<Self>] {
    keeper.note(listing, look, at: now, &outcome)
    return []
  }

  static func doubt(_ listing: CertificateListing, in keeper: inout Keeper<Self>) {
    keeper.forgetFaults(ofMissingIn: listing)
  }

  static func restoreAll(in keeper: inout Keeper<Self>, at now: Moment) -> Outcome {
    keeper.restoreMissing(in: nil)
  }

  static func postpone(
    _ entry: CertificateFolder.Entry, in keeper: inout Keeper<Self>, at now: Moment
  ) -> Outcome { Outcome() }

  static func take(
    _ reading: CertificateReader.Reading, of entry: CertificateFolder.Entry, _ look: Look<String>,
    in keeper: inout Keeper<Self>, at now: Moment
  ) -> Outcome { keeper.take(reading, of: entry, look, at: now) }

  static func isLast(in keeper: Keeper<Self>) -> Bool {
    keeper.items.allSatisfy {
      $0.value.certificate == nil || keeper.folder.names.isMissing($0.key)
    }
  }

  static func withdraw(
    _ chain: String, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> CertificateFolder.Entry? {
    keeper.withdraw(chain, at: now, &outcome)
    return nil
  }

  static func holds(in keeper: Keeper<Self>) -> [Hold] { keeper.kind.changes.values.map(\.hold) }

  static func doubtful(in keeper: Keeper<Self>) -> Set<String> { [] }

  static func confirm(
    _ ids: Set<String>, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> Look<String>? {
    outcome.confirmed = keeper.confirmChanges(ids)
    keeper.kind.generation += 1
    return outcome.confirmed.isEmpty ? nil : Look(isFinal: true)
  }

  static func hasBackgroundWork(in keeper: Keeper<Self>) -> Bool { !keeper.kind.unjudged.isEmpty }

  static func workInBackground(
    in keeper: inout Keeper<Self>, at now: Moment
  ) -> [KeepEffect<Self>] { [.decided(keeper.judgeNext(at: now))] }
}

extension CertificateState: KeptItem {}

/// What is known about a certificate that a search did not find.
enum CertificateClue: Sendable {
  /// A folder on its path cannot be searched.
  case hidden
  /// Its key is still there.
  ///
  /// - Parameter isNamed: Whether an event was about it.
  case keyIsLeft(String, isNamed: Bool)
  /// - Parameter isFolderGone: Whether its folder was not found either.
  case missing(isFolderGone: Bool)
}
