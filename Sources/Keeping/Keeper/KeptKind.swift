internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// A kind of entries that are kept, domains or certificates: what differs between them, and the
/// state that only one of them has.
protocol KeptKind {
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
  /// What a reader needs to know to read an entry.
  associatedtype Task: Sendable
  associatedtype Reading: Sendable
  associatedtype Reader: KeptReader where Reader.Task == Task, Reader.Reading == Reading
  associatedtype Lister: KeptLister where Lister.Listing == Listing
  /// What the last run kept of one entry.
  associatedtype Kept: Sendable

  static var folderKey: ScanKey { get }
  static func key(of entry: Entry) -> Key
  static func name(of entry: Entry) -> Name
  static func scanKey(_ name: Name) -> ScanKey
  /// Called from several threads with the number of entries read since the last call and the total.
  static func progress(_ options: HostingOptions) -> (@Sendable (Int, Int) -> Void)?
  /// Whether a missing folder is a fault even if nothing was ever served from it.
  static func isExpected(_ options: HostingOptions) -> Bool

  static func lister(_ keeper: Keeper<Self>) -> Lister
  static func reader(_ keeper: Keeper<Self>, at now: Moment) -> Reader
  static func task(
    _ entry: Entry, _ asking: Asking<Clue>, _ look: Look<Name>, in keeper: Keeper<Self>
  ) -> Task

  /// Returns what to read if the folder need not be listed; nil if it must be.
  static func requests(
    for look: Look<Name>, in keeper: Keeper<Self>
  ) -> [KeptRequest<Self>]?
  /// Whether an entry that did not change is read all the same.
  static func isDue(
    _ entry: Entry, _ item: Item, _ look: Look<Name>, in keeper: Keeper<Self>
  ) -> Bool
  /// Returns what is known about an item that the listing lacks; nil if it need not be looked for
  /// again.
  static func clue(
    to key: Key, _ item: Item, _ listing: Listing, _ look: Look<Name>, in keeper: Keeper<Self>
  ) -> Clue?

  /// Notes a listing of a folder that can be trusted, before its entries are read. Returns what is
  /// read besides.
  static func note(
    _ listing: Listing, _ look: Look<Name>, in keeper: inout Keeper<Self>, at now: Moment,
    _ outcome: inout Outcome
  ) -> [KeptRequest<Self>]
  /// Notes a listing of a folder that cannot be trusted.
  static func doubt(_ listing: Listing, in keeper: inout Keeper<Self>)
  /// Serves everything that was kept, because the folder cannot be trusted.
  static func restoreAll(in keeper: inout Keeper<Self>, at now: Moment) -> Outcome
  /// Notes that an entry could not be read, because a read hangs.
  static func postpone(_ entry: Entry, in keeper: inout Keeper<Self>, at now: Moment) -> Outcome
  /// Decides what is served from an entry that was read.
  static func take(
    _ reading: Reading, of entry: Entry, _ look: Look<Name>, in keeper: inout Keeper<Self>,
    at now: Moment
  ) -> Outcome

  /// Whether nothing would be left if every missing name were withdrawn.
  static func isLast(in keeper: Keeper<Self>) -> Bool
  /// Withdraws what is missing of a name. Returns the entry if something is left, which must be
  /// read again.
  static func withdraw(
    _ key: Key, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> Entry?
  /// The holds besides the hold of the folder.
  static func holds(in keeper: Keeper<Self>) -> [Hold]
  /// The names to look at before a confirmation.
  static func doubtful(in keeper: Keeper<Self>) -> Set<Name>
  /// Confirms the holds with these IDs, except the hold of the folder. Returns what to read next.
  static func confirm(
    _ ids: Set<String>, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> Look<Name>?

  static func hasBackgroundWork(in keeper: Keeper<Self>) -> Bool
  /// Does a small part of the work on what is already served.
  static func workInBackground(
    in keeper: inout Keeper<Self>, at now: Moment
  ) -> [KeepEffect<Self>]
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

/// Lists a folder, on any thread.
protocol KeptLister: Sendable {
  associatedtype Listing
  func list() throws(SystemError) -> Listing
}

/// Reads entries, on any thread.
protocol KeptReader: Sendable {
  associatedtype Task
  associatedtype Reading
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
struct KeptRequest<Kind: KeptKind> {
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

/// What to look at, and how.
struct Look<Name: Hashable & Sendable>: Sendable {
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
  /// Whether nothing else waits for this, so that checking may take longer than a turn.
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
enum KeepEvent<Kind: KeptKind> {
  /// Something is due to be read.
  case due(Look<Kind.Name>)
  /// The folder was listed; nil if it did not answer.
  case listed(Result<Kind.Listing, FolderFailure>?, Look<Kind.Name>)
  /// Entries were read. The answer is nil for an entry whose files did not come.
  case read([(entry: Kind.Entry, answer: KeptAnswer<Kind.Reading>?)], Look<Kind.Name>)
  /// Everything was read.
  case done(Look<Kind.Name>)
  /// An operator has confirmed holds.
  case confirmed(Set<String>)
  /// Missing names may have been missing for long enough.
  case time
  /// There is time for work on what is already served.
  case idle
}

/// What a keeper asks for.
enum KeepEffect<Kind: KeptKind> {
  case list(Look<Kind.Name>)
  case read([KeptRequest<Kind>], Look<Kind.Name>)
  case done(Look<Kind.Name>)
  /// Publish, report, and wake as the outcome says.
  case decided(Outcome)
}
