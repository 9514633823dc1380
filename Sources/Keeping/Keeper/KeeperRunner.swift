internal import Posix
internal import Settings

/// Passes events to a keeper, and carries out the effects that the keeper returns. The results of an
/// effect are events again.
///
/// Only one thread may use a runner. The runner reads the folder on other threads, because a file
/// system may never answer.
struct KeeperRunner<Kind: Keeper> {
  var keeper: Kind
  /// The threads that run all reads of the folder.
  let work: HangTolerantPool
  var clock: @Sendable () -> Moment = Moment.now
  /// Whether the program was asked to end. If so, no more files are read.
  let isStopping: @Sendable () -> Bool
  /// The number of processors. It is determined only once, because this requires a read of several
  /// system files.
  private let processors = availableProcessors()
  /// The names whose entries will be read separately, one after another.
  private var alone: [Kind.Name] = []
  private var aloneReading: (requests: [KeptRequest<Kind>], pending: Pending)?

  private typealias Pending = PendingResults<Boxed<KeptAnswer<Kind.Reader.Reading>>>

  init(
    _ keeper: Kind, work: HangTolerantPool = HangTolerantPool(),
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) {
    self.keeper = keeper
    self.work = work
    self.isStopping = isStopping
  }

  var root: String { keeper.root }
  var threads: Int { keeper.options.threads ?? processors }
  /// Whether the folder cannot be read now, because reads in it hang.
  var isWaiting: Bool { work.isWaiting }
  var hasBackgroundWork: Bool { !isWaiting && keeper.hasBackgroundWork }

  /// Passes an event to the keeper, and carries out the effects that the keeper returns.
  mutating func run(_ event: KeepEvent<Kind>) -> Outcome {
    carryOut(keeper.step(event, at: clock()))
  }

  private mutating func carryOut(_ effects: [KeepEffect<Kind>]) -> Outcome {
    var outcome = Outcome()
    for effect in effects {
      switch effect {
      case .decided(let next): outcome += next
      // A listing can be large, so it is released before its entries are read.
      case .list(let pass):
        outcome += carryOut(keeper.step(.listed(listing(), pass), at: clock()))
      case .read(let requests, let pass): outcome += read(requests, pass)
      case .readAlone(let name): if !alone.contains(name) { alone.append(name) }
      // If the file system does not answer, skip the end of the pass. The end of a pass could
      // withdraw files that only seem to be missing.
      case .done(let pass): if !isWaiting { outcome += run(.done(pass)) }
      }
    }
    return outcome
  }

  /// Does background work for about this many milliseconds.
  mutating func workInBackground(milliseconds: Int64) -> Outcome {
    var outcome = Outcome()
    let end = clock().milliseconds + milliseconds
    repeat {
      if !hasBackgroundWork { break }
      outcome += run(.idle)
    } while clock().milliseconds < end
    return outcome
  }

  // MARK: Listing and reading the folder

  private func listing() -> Result<Kind.Listing, FolderFailure>? {
    let lister = keeper.lister
    let (what, kind, root) = (keeper.folder.what, keeper.folder.kinds.folder, root)
    return work.result(root) {
      Result { () throws(SystemError) in try lister() }
        .mapError { FolderFailure($0, of: what, kind, at: root) }
    }
  }

  /// Reads entries, and passes the results to the keeper.
  mutating func read(
    _ requests: [KeptRequest<Kind>], _ pass: Pass<Kind.Name>
  ) -> Outcome {
    var outcome = Outcome()
    let waves = stride(from: 0, to: requests.count, by: LoadingLimits.wave).map {
      requests[$0..<min($0 + LoadingLimits.wave, requests.count)]
    }
    var pending = waves.first.map { begin($0, of: requests.count, pass) }
    for (number, wave) in waves.enumerated() {
      let answers = pending?.results() ?? []
      // Entries are read in groups, or waves. While the keeper handles the entries of this wave,
      // other threads read the entries of the next wave.
      pending =
        number + 1 < waves.count ? begin(waves[number + 1], of: requests.count, pass) : nil
      outcome += run(.read(wave, answers, pass))
    }
    return outcome
  }

  // MARK: Reading expensive entries separately

  private static var alonePass: Pass<Kind.Name> { Pass(isListing: false, isAlone: true) }

  /// Whether an entry is being read separately, or waits for its separate reading and can be read
  /// now.
  var isReadingAlone: Bool {
    aloneReading != nil || !alone.isEmpty && !isWaiting && keeper.folder.identity != nil
  }

  /// If the separate reading of an entry is complete, passes the result to the keeper. Then begins
  /// to read the next entry that must be read separately.
  mutating func takeAlone() -> Outcome {
    var outcome = Outcome()
    if let reading = aloneReading {
      guard let answers = reading.pending.resultsAtOnce() else { return outcome }
      aloneReading = nil
      outcome += run(.read(reading.requests[...], answers, Self.alonePass))
    }
    if isReadingAlone {
      let pass = Pass<Kind.Name>(names: [alone.removeFirst(): []])
      let requests = keeper.requestsWithoutListing(for: pass) ?? []
      aloneReading = (requests, begin(requests[...], of: requests.count, Self.alonePass))
    }
    return outcome
  }

  /// If an entry is being read separately, waits until this reading is complete.
  func waitForAlone() { _ = aloneReading?.pending.results() }

  /// - Parameter total: The number of all entries to read, not only those in `requests`. Progress
  ///   is reported relative to this number.
  private func begin(
    _ requests: ArraySlice<KeptRequest<Kind>>, of total: Int, _ pass: Pass<Kind.Name>
  ) -> Pending {
    let tasks = requests.map { keeper.task($0.entry, $0.asking, pass) }
    let reader = keeper.reader(at: clock())
    let (isStopping, root, identity) = (isStopping, root, keeper.folder.identity)
    let progress = keeper.progress
    return work.begin(
      tasks.count,
      slice: max(LoadingLimits.judgedAtOnce, min(LoadingLimits.slice, tasks.count / threads)),
      threads: threads,
      path: { reader.path(of: tasks[$0]) },
      body: { range, deliver in
        var count = 0
        defer { if count > 0 { progress?(count, total) } }
        func take(_ answer: KeptAnswer<Kind.Reader.Reading>) -> Bool {
          if case .unchanged = answer {} else { count += 1 }
          return deliver(Boxed(answer))
        }
        guard let directory = try? Directory(root), isSame(directory, as: identity) else {
          for _ in range { if !take(.moved) { return } }
          return
        }
        var shared: Kind.Reader.Shared?
        for task in tasks[range] where !isStopping() {
          guard let reading = reader.answer(task, in: directory, &shared) else {
            if !take(.unchanged) { return }
            continue
          }
          let isMoved = reader.isUnreadable(reading) && !isCurrent(root, identity)
          if !take(isMoved ? .moved : .read(reading)) { return }
        }
      })
  }
}

extension Moment {
  @Sendable static func now() -> Moment {
    Moment(milliseconds: Clock.monotonicMilliseconds(), wall: Clock.wallSeconds())
  }
}

/// A class that contains a large value. Threads can pass the value on without copying it.
final class Boxed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Whether the path is still that of the listed folder, and the folder can be searched.
func isCurrent(_ path: String, _ identity: FileStatus?) -> Bool {
  guard let directory = try? Directory(path) else { return false }
  return isSame(directory, as: identity)
}

/// Whether this directory is the folder that was listed. Returns false if there is no permission to
/// search the folder, because the look-up of `.` then fails.
private func isSame(_ directory: borrowing Directory, as identity: FileStatus?) -> Bool {
  guard let identity, let now = try? directory.status(".") else { return false }
  return identity.device == now.device && identity.inode == now.inode
}
