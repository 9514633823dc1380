internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// Decides which certificates of one certificates folder are served.
///
/// A served certificate is replaced only by a certificate that clients accept. Therefore, the
/// self-signed fallback certificate never replaces a served certificate.
struct CertificateKeeper {
  var options: HostingOptions
  let root: String
  var items: [String: CertificateState] = [:]
  var problems = ProblemTable<String>()
  var folder: KeptFolder<String>
  /// The versions that the last run kept, for the certificates that have not been read yet.
  var kept: [String: LastRun.Kept<Certificate>] = [:]
  /// The file names that the last search found in the folder.
  var listed = CertificateFolderNames()
  /// The relative paths of the folders that were searched.
  var directories: [String] = []
  /// The directories that are not watched yet. After an event in the directory at `path`, the
  /// server scans `name`, a file or folder directly in the certificates folder.
  var unwatched: [(name: String, path: String)] = []
  /// A number that increases with every change that affects the status.
  var generation = 0
  var unjudged: [String] = []
  /// Diagnostics about the folders and links that cannot be followed.
  var closed: [Diagnostic] = []
  /// The chains that may exist behind folders and links that cannot be followed.
  var hidden: Set<String> = []
  let intermediates = SharedIntermediates()
  /// Returns the root certificates that devices trust.
  var roots: @Sendable () throws(TLSError) -> TrustStore = TrustStore.system
  var trust: TrustStore?
  /// The fault that occurred when the system's root certificates were loaded. Nil if there was no
  /// fault, or after a scan has reported it.
  var rootsFault: Diagnostic?
  /// The changes that await confirmation, by the path of the chain.
  var changes: [String: CertificateChange] = [:]
  /// The fingerprints of the certificates that an operator has confirmed, by the path of the chain.
  var confirmedChanges: [String: String] = [:]
  /// The catalog that is served; nil at the start.
  var catalog: Catalog?
  /// The certificates in the other one of the two certificates folders.
  var elsewhere: [Certificate] = []
  var issuers = KnownIssuers()

  init(_ options: HostingOptions, root: String) {
    (self.options, self.root) = (options, root)
    folder = KeptFolder(
      "certificates", kinds: (.manyCertificatesMissing, .certificatesFolderUnreadable), at: root,
      canConfirm: options.canConfirm, naming: \.self)
  }
}

typealias CertificateRunner = KeeperRunner<CertificateKeeper>

extension CertificateRunner {
  var reader: CertificateReader { keeper.reader(at: clock()) }

  /// Removes and returns the directories that must be watched and that were found after the last
  /// call.
  mutating func takeUnwatched() -> [(name: String, path: String)] {
    defer { keeper.unwatched = [] }
    return keeper.unwatched
  }
}

extension CertificateKeeper {
  /// Uses new options. If the new options affect reports, the next scan reads every file again.
  mutating func use(_ options: HostingOptions) {
    if options.certificateWarningDays != self.options.certificateWarningDays { forgetFiles() }
    self.options = options
  }

  /// Makes the next scan read every file again.
  mutating func forgetFiles() {
    for chain in Array(items.keys) { items[chain]?.identity = 0 }
  }
}

extension CertificateKeeper: Keeper {
  static var folderKey: ScanKey { .certificatesFolder }
  static func key(of entry: CertificateFolder.Entry) -> String { entry.chain }
  static func name(of entry: CertificateFolder.Entry) -> String { entry.topName }
  static func scanKey(_ name: String) -> ScanKey { .certificate(name) }
  var progress: (@Sendable (Int, Int) -> Void)? { options.certificateProgress }
  // If the user has configured a certificates folder, the folder must exist. If the default folder
  // is missing, there are no certificates, and this is not a fault.
  var isExpected: Bool { options.isCertificatesFolderExpected }

  var lister: @Sendable () throws(SystemError) -> CertificateListing {
    { [root, listed] () throws(SystemError) in try CertificateListing(root, after: listed) }
  }

  func reader(at now: Moment) -> CertificateReader {
    CertificateReader(
      root: root,
      conditions: .init(
        now: now.wall, warningDays: options.certificateWarningDays, intermediates: intermediates))
  }

  func task(
    _ entry: CertificateFolder.Entry, _ asking: Asking<CertificateClue>, _ pass: Pass<String>
  ) -> CertificateReader.Task {
    CertificateReader.Task(
      entry: entry, asking: asking, identity: items[entry.chain]?.identity ?? 0,
      isSettled: pass.isFinal || pass.settled.contains(entry.topName))
  }

  func requestsWithoutListing(for pass: Pass<String>) -> [KeptRequest<Self>]? { nil }

  func isDue(
    _ entry: CertificateFolder.Entry, _ item: CertificateState, _ pass: Pass<String>
  ) -> Bool { changes[entry.chain] != nil }

  func clue(
    to chain: String, _ item: CertificateState, _ listing: CertificateListing,
    _ pass: Pass<String>
  ) -> CertificateClue? {
    if let key = item.entry.key, listing.keysWithoutChain.contains(key) {
      return .keyIsLeft(key, isNamed: pass.names[item.entry.topName] != nil)
    }
    if listing.search.obstacle(to: chain) != nil { return .hidden }
    return .missing(isFolderGone: listing.search.lacksFolder(of: chain))
  }

  mutating func restoreAll(at now: Moment, _ outcome: inout Outcome) {
    restoreMissing(in: nil, &outcome)
  }
  func postpone(_ entry: CertificateFolder.Entry, at now: Moment, _ outcome: inout Outcome) {}

  var isLast: Bool {
    items.allSatisfy { $0.value.certificate == nil || folder.names.isMissing($0.key) }
  }
  var otherHolds: [Hold] { changes.values.map(\.hold) }
  var doubtful: Set<String> { [] }

  var hasBackgroundWork: Bool { !unjudged.isEmpty }

  mutating func workInBackground(at now: Moment) -> [KeepEffect<Self>] {
    var outcome = Outcome()
    if let chain = unjudged.popLast() { judge(chain, at: now, &outcome) }
    if unjudged.isEmpty {
      unjudged = []
      issuers = KnownIssuers()
    }
    return [.decided(outcome)]
  }
}

extension CertificateState: KeptItem {}

/// What is known about a certificate that a search did not find.
enum CertificateClue: Sendable {
  /// A folder on the certificate's path cannot be searched.
  case hidden
  /// The chain is missing, but the file with its key still exists.
  ///
  /// - Parameter isNamed: Whether the pass must read the certificate even if its files have not
  ///   changed.
  case keyIsLeft(String, isNamed: Bool)
  /// - Parameter isFolderGone: Whether the folder of the certificate is missing too.
  case missing(isFolderGone: Bool)
}
