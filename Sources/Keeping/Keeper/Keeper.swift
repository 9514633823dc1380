internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// A folder whose entries are kept: which entries exist, what is served from them, and which losses
/// are held. The requirements are what differs between domains and certificates.
///
/// It reads no clock and no file, and has no thread: `KeeperRunner` carries out its requests, and
/// returns the results as events.
protocol Keeper {
  /// An entry among all entries.
  associatedtype Key: Hashable & Sendable
  /// What an event is about. A name of the certificates folder can have several certificates.
  associatedtype Name: Hashable & Sendable
  /// The names of one entry in the folder.
  associatedtype Entry: Equatable & Sendable
  /// The state of one entry.
  associatedtype Item: KeptItem where Item.Entry == Entry
  associatedtype Listing: KeptListing where Listing.Entries.Element == Entry, Listing.Key == Key
  /// What is known about an entry that the listing lacks, or of which only the name is known.
  associatedtype Clue: Sendable
  associatedtype Reader: KeptReader

  var options: HostingOptions { get }
  var root: String { get }
  var items: [Key: Item] { get set }
  var folder: KeptFolder<Key> { get set }

  static var folderKey: ScanKey { get }
  static func key(of entry: Entry) -> Key
  static func name(of entry: Entry) -> Name
  static func scanKey(_ name: Name) -> ScanKey
  /// Called from several threads with the number of entries read since the last call and the total.
  var progress: (@Sendable (Int, Int) -> Void)? { get }
  /// Whether a missing folder is a fault even if nothing was ever served from it.
  var isExpected: Bool { get }

  /// Lists the folder, on any thread.
  var lister: @Sendable () throws(SystemError) -> Listing { get }
  func reader(at now: Moment) -> Reader
  /// Returns what a reader needs to know to read an entry.
  func task(_ entry: Entry, _ asking: Asking<Clue>, _ pass: Pass<Name>) -> Reader.Task

  /// Returns what to read if the folder need not be listed; nil if it must be.
  func requests(for pass: Pass<Name>) -> [KeptRequest<Self>]?
  /// Whether an entry that did not change is read all the same.
  func isDue(_ entry: Entry, _ item: Item, _ pass: Pass<Name>) -> Bool
  /// Returns what is known about an item that the listing lacks; nil if it need not be looked for
  /// again.
  func clue(to key: Key, _ item: Item, _ listing: Listing, _ pass: Pass<Name>) -> Clue?

  /// Notes a listing of a folder that can be trusted, before its entries are read. Returns what is
  /// read besides.
  mutating func note(
    _ listing: Listing, _ pass: Pass<Name>, at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<Self>]
  /// Notes a listing of a folder that cannot be trusted.
  mutating func doubt(_ listing: Listing)
  /// Serves everything that was kept, because the folder cannot be trusted.
  mutating func restoreAll(at now: Moment) -> Outcome
  /// Notes that an entry could not be read, because a read hangs.
  mutating func postpone(_ entry: Entry, at now: Moment) -> Outcome
  /// Decides what is served from an entry that was read.
  mutating func take(
    _ reading: Reader.Reading, of entry: Entry, _ pass: Pass<Name>, at now: Moment
  ) -> Outcome

  /// Returns the entries that were found to cost more than a turn since the last call.
  mutating func takePostponed() -> [Name]

  /// Whether nothing would be left if every missing name were withdrawn.
  var isLast: Bool { get }
  /// Withdraws what is missing of a name, unless it is being written. Returns the entry if something
  /// is left, which must be read again.
  mutating func withdraw(_ key: Key, at now: Moment, _ outcome: inout Outcome) -> Entry?
  /// The holds besides the hold of the folder.
  var otherHolds: [Hold] { get }
  /// The names to look at before a confirmation.
  var doubtful: Set<Name> { get }
  /// Confirms the holds with these IDs, except the hold of the folder. Returns what to read next.
  mutating func confirmOthers(
    _ ids: Set<String>, at now: Moment, _ outcome: inout Outcome
  ) -> Pass<Name>?

  var hasBackgroundWork: Bool { get }
  /// Does a small part of the work on what is already served.
  mutating func workInBackground(at now: Moment) -> [KeepEffect<Self>]
}

/// The state of an entry.
protocol KeptItem {
  associatedtype Entry
  var entry: Entry { get }
}

/// The entries of a folder, as listed.
protocol KeptListing: Sendable {
  associatedtype Key
  associatedtype Entries: Collection
  /// The folder itself, taken before the listing.
  var identity: FileStatus { get }
  /// Whether the folder changed so lately that it must be listed again.
  var isUnsettled: Bool { get }
  /// Whether there are only names that mean nothing.
  var isEmpty: Bool { get }
  var entries: Entries { get }
  func has(_ key: Key) -> Bool
}

/// Reads entries, on any thread.
protocol KeptReader: Sendable {
  associatedtype Task: Sendable
  associatedtype Reading: Sendable
  /// What is read once for several entries.
  associatedtype Shared
  static var nothingShared: Shared { get }
  func path(of task: Task) -> String
  /// Returns nil if the entry is as it was.
  func answer(
    _ task: Task, in directory: borrowing Directory, _ shared: inout Shared
  ) -> Reading?
  func isUnreadable(_ reading: Reading) -> Bool
}

/// A time.
struct Moment: Sendable {
  /// Milliseconds of the monotonic clock.
  var milliseconds: Int64
  /// Seconds since 1970.
  var wall: Int64
}

/// What is asked about an entry.
enum Asking<Clue: Sendable>: Sendable {
  case read
  /// Read it if its files have changed.
  case compare
  /// Find out whether it exists, and read it.
  case find(Clue)
}

/// An entry to read.
struct KeptRequest<Kind: Keeper> {
  let entry: Kind.Entry
  let asking: Asking<Kind.Clue>
}

/// The result of reading an entry.
enum KeptAnswer<Reading: Sendable>: Sendable {
  case unchanged
  case read(Reading)
  /// The folder that was listed is no longer there, or was closed.
  case moved
}

/// What one pass lists and reads, and how.
struct Pass<Name: Hashable & Sendable>: Sendable {
  /// What is read in any case, each with the names in the folder that events mentioned.
  var names: [Name: Set<String>] = [:]
  /// Whether the folder is listed, also if it is known to be the same.
  var isListing = true
  /// Whether the files of every entry are compared.
  var isWhole = false
  /// How deeply files are checked.
  var depth = DomainReader.Depth.rules
  /// The names whose writers have finished, according to events.
  var settled: Set<Name> = []
  /// Whether files that change meanwhile are used as they are.
  var isFinal = false
  /// Whether the server is starting, so that everything was there before.
  var isStart = false
  /// Whether the folder was never read before.
  var isFirst = false
  /// Whether nothing else waits for this, so that judging may take longer than a turn.
  var isAlone = false
  /// What follows when everything was read.
  var then = Next.nothing

  enum Next: Sendable {
    case nothing
    case withdraw
    case confirm(Set<String>)
    case release(String)
  }
}

/// What happened to a folder that is kept.
enum KeepEvent<Kind: Keeper> {
  /// Something is due to be read.
  case due(Pass<Kind.Name>)
  /// The folder was listed; nil if it did not answer.
  case listed(Result<Kind.Listing, FolderFailure>?, Pass<Kind.Name>)
  /// Entries were read; nil for those that did not answer.
  case read([(entry: Kind.Entry, answer: KeptAnswer<Kind.Reader.Reading>?)], Pass<Kind.Name>)
  /// Everything was read.
  case done(Pass<Kind.Name>)
  /// An operator has confirmed holds.
  case confirmed(Set<String>)
  /// Missing names may have been missing for long enough.
  case time
  /// There is time for work on what is already served.
  case idle
}

/// What a keeper asks for.
enum KeepEffect<Kind: Keeper> {
  case list(Pass<Kind.Name>)
  case read([KeptRequest<Kind>], Pass<Kind.Name>)
  /// Read an entry that costs more than a turn, while everything else goes on.
  case readAlone(Kind.Name)
  case done(Pass<Kind.Name>)
  /// Publish, report, and wake as the outcome says.
  case decided(Outcome)
}
