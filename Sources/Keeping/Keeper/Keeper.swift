internal import Posix
internal import Settings

/// Maintains the entries of a folder: which entries exist, what is served from them, and which
/// losses an operator must confirm. The keepers of domains and of certificates share all code
/// except the requirements of this protocol.
///
/// A keeper reads no clock and no file, and has no thread. `KeeperRunner` passes events to the
/// keeper, and carries out the effects that the keeper returns.
protocol Keeper {
  /// Identifies an entry.
  associatedtype Key: Hashable & Sendable
  /// Identifies what is scanned together. In the domains folder, this is one entry. In the
  /// certificates folder, this is a file or folder directly in the certificates folder; such a
  /// folder can contain several entries.
  associatedtype Name: Hashable & Sendable
  /// The file names of one entry.
  associatedtype Entry: Equatable & Sendable
  /// The state of one entry.
  associatedtype Item: KeptItem where Item.Entry == Entry
  associatedtype Listing: KeptListing where Listing.Entries.Element == Entry, Listing.Key == Key
  /// What is known about an entry that is missing from the listing, or whose file names are
  /// unknown.
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
  /// Receives the progress of reading. Several threads call this function. Each call passes the
  /// number of entries that the thread has just read, and the number of all entries to read.
  var progress: (@Sendable (Int, Int) -> Void)? { get }
  /// Whether a missing folder is a fault even if nothing was ever served from it.
  var isExpected: Bool { get }

  /// Lists the folder, on any thread.
  var lister: @Sendable () throws(SystemError) -> Listing { get }
  func reader(at now: Moment) -> Reader
  /// Returns the task that a reader carries out to read an entry.
  func task(_ entry: Entry, _ asking: Asking<Clue>, _ pass: Pass<Name>) -> Reader.Task

  /// Returns the entries that can be read without a listing of the folder; nil if the folder must
  /// be listed first.
  func requestsWithoutListing(for pass: Pass<Name>) -> [KeptRequest<Self>]?
  /// Returns whether to read an entry although its file names have not changed.
  func isDue(_ entry: Entry, _ item: Item, _ pass: Pass<Name>) -> Bool
  /// Returns what is known about an item that is missing from the listing. Returns nil if there is
  /// no need to look for the item.
  func clue(to key: Key, _ item: Item, _ listing: Listing, _ pass: Pass<Name>) -> Clue?

  /// Stores a listing of a folder that can be trusted, before the entries in it are read. Returns
  /// requests to read entries that are not in the listing.
  mutating func note(
    _ listing: Listing, _ pass: Pass<Name>, at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<Self>]
  /// Handles a listing of a folder that cannot be trusted.
  mutating func doubt(_ listing: Listing)
  /// Serves all kept versions, because the folder cannot be trusted.
  mutating func restoreAll(at now: Moment, _ outcome: inout Outcome)
  /// Stores that an entry could not be read now, because a read hangs.
  mutating func postpone(_ entry: Entry, at now: Moment, _ outcome: inout Outcome)
  /// Decides what is served from an entry after it was read. Returns whether the entry must be read
  /// again, separately from the others, because its check exceeds the limits in `Turn`.
  mutating func take(
    _ reading: Reader.Reading, of entry: Entry, _ pass: Pass<Name>, at now: Moment,
    _ outcome: inout Outcome
  ) -> Bool

  /// Whether nothing would be left to serve if all missing names were withdrawn.
  var isLast: Bool { get }
  /// Withdraws the missing files of an entry, unless the files are being written. If other files of
  /// the entry exist, returns the entry, because it must be read again.
  mutating func withdraw(_ key: Key, at now: Moment, _ outcome: inout Outcome) -> Entry?
  /// All holds except the hold of the folder.
  var otherHolds: [Hold] { get }
  /// The names that must be read before a confirmation takes effect.
  var doubtful: Set<Name> { get }
  /// Confirms the holds with these IDs, except the hold of the folder. Returns the pass to begin
  /// after this; nil if nothing was confirmed.
  mutating func confirmOthers(
    _ ids: Set<String>, at now: Moment, _ outcome: inout Outcome
  ) -> Pass<Name>?

  var hasBackgroundWork: Bool { get }
  /// Does a small part of the background work.
  mutating func workInBackground(at now: Moment) -> [KeepEffect<Self>]
}

/// The state of an entry.
protocol KeptItem {
  associatedtype Entry
  var entry: Entry { get }
}

/// A listing of a folder.
protocol KeptListing: Sendable {
  associatedtype Key
  associatedtype Entries: Collection
  /// The status of the folder itself before the listing.
  var identity: FileStatus { get }
  /// Whether the folder changed so recently that it must be listed again.
  var isUnsettled: Bool { get }
  /// Whether the folder contains no names. Names that the server ignores do not matter.
  var isEmpty: Bool { get }
  var entries: Entries { get }
  func has(_ key: Key) -> Bool
}

/// Reads entries, on any thread.
protocol KeptReader: Sendable {
  associatedtype Task: Sendable
  associatedtype Reading: Sendable
  /// Data that is read only once for several entries.
  associatedtype Shared
  func path(of task: Task) -> String
  /// Reads an entry. Returns nil if the entry has not changed.
  ///
  /// - Parameter shared: Nil until an entry needs the data; the function then reads them.
  func answer(
    _ task: Task, in directory: borrowing Directory, _ shared: inout Shared?
  ) -> Reading?
  func isUnreadable(_ reading: Reading) -> Bool
}

/// A point in time, measured with two clocks.
struct Moment: Sendable {
  /// Milliseconds of the monotonic clock.
  var milliseconds: Int64
  /// Seconds since 1970.
  var wall: Int64
}

/// What a reader must do with an entry.
enum Asking<Clue: Sendable>: Sendable {
  case read
  /// Read the entry if its files have changed.
  case compare
  /// Find out whether the entry exists. If the entry exists, read it.
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
  /// The path is no longer the path of the listed folder, or the listed folder has become
  /// inaccessible.
  case moved
}

/// One pass over a folder: a listing of the folder and a read of its entries. The properties say
/// what to list and read, and how.
struct Pass<Name: Hashable & Sendable>: Sendable {
  /// The names to read even if their files have not changed. The value is the set of file names for
  /// which the kernel has reported events.
  var names: [Name: Set<String>] = [:]
  /// Whether to list the folder even if it is known to be unchanged.
  var isListing = true
  /// Whether to check the files of every entry for changes.
  var isWhole = false
  /// How thoroughly files are checked.
  var depth = DomainReader.Depth.rules
  /// The names whose files are completely written, according to events.
  var settled: Set<Name> = []
  /// Whether to use files as they are, even if the files change during the read.
  var isFinal = false
  /// Whether the server is starting. At the start, nothing that the pass finds is reported as new.
  var isStart = false
  /// Whether this is the first read of the folder.
  var isFirst = false
  /// Whether the entries of this pass are checked separately from all others. If so, checks may
  /// exceed the limits in `Turn`.
  var isAlone = false
  /// What to do after all entries of the pass have been read.
  var then = Next.nothing

  enum Next: Sendable {
    case nothing
    case withdraw
    case confirm(Set<String>)
    case release(String)
  }
}

/// An event that a keeper handles.
enum KeepEvent<Kind: Keeper> {
  /// The keeper must begin this pass.
  case due(Pass<Kind.Name>)
  /// The folder was listed. The result is nil if the folder did not answer.
  case listed(Result<Kind.Listing, FolderFailure>?, Pass<Kind.Name>)
  /// Entries were read. There is one answer for each request, in the same order. The answer is nil
  /// if the read of the entry hangs.
  case read(
    ArraySlice<KeptRequest<Kind>>, [Boxed<KeptAnswer<Kind.Reader.Reading>>?], Pass<Kind.Name>)
  /// All entries of the pass were read.
  case done(Pass<Kind.Name>)
  /// An operator has confirmed the holds with these IDs.
  case confirmed(Set<String>)
  /// Enough time may have passed to withdraw some missing names.
  case time
  /// There is time for background work.
  case idle
}

/// Something that a keeper asks its runner to do after an event.
enum KeepEffect<Kind: Keeper> {
  case list(Pass<Kind.Name>)
  case read([KeptRequest<Kind>], Pass<Kind.Name>)
  /// Read an entry whose check exceeds the limits in `Turn`. Other work continues at the same time.
  case readAlone(Kind.Name)
  case done(Pass<Kind.Name>)
  /// Publish the changes, report the diagnostics, and plan the scans that the outcome contains.
  case decided(Outcome)
}
