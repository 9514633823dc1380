internal import Synchronization

/// Work that may never end, such as reading a file of a network mount whose server is gone. It runs
/// on threads of its own, and the caller waits for each item for a limited time.
///
/// If an item hangs, its thread is abandoned and ends by itself later. Until then the item is not
/// tried again, and other threads go on with the other items. While several items hang, nothing new
/// is started, so that threads do not pile up.
package final class PatientWork: Sendable {
  /// An item that is hanging.
  package struct Hang: Sendable, Equatable {
    package let path: String
    /// When the item began, in milliseconds of the monotonic clock.
    package let since: Int64
  }

  /// How long the caller waits for one item, in milliseconds.
  let patience: Int64
  /// If this many items hang, nothing new is started.
  private let most: Int
  private let hangs = Mutex<(next: Int, all: [Int: Hang])>((0, [:]))
  private let microseconds = Atomic<Int64>(0)
  /// Nil if no descriptor was free; then the caller polls more often.
  private let news = try? Wakeup()

  package init(patience: Int64 = 2_000, most: Int = 8) {
    self.patience = patience
    self.most = most
  }

  /// The hanging items, the oldest first.
  package var hanging: [Hang] {
    hangs.withLock { Array($0.all.values) }.sorted { ($0.since, $0.path) < ($1.since, $1.path) }
  }

  /// Whether so many items hang that nothing new is started.
  package var isFull: Bool { room == 0 }

  /// The number of further items that may hang.
  fileprivate var room: Int { hangs.withLock { max(0, most - $0.all.count) } }

  /// Whether work on a path would not be started now.
  package func waits(for path: String) -> Bool {
    hangs.withLock { hangs in
      hangs.all.count >= most || hangs.all.values.contains { $0.path == path }
    }
  }

  /// The processor time of the threads that have ended, in microseconds.
  package var cost: Int64 { microseconds.load(ordering: .relaxed) }

  /// Returns the result of one piece of work; nil if it hangs, or was not started because too much
  /// hangs.
  ///
  /// - Parameters:
  ///   - path: The path that the work reads.
  ///   - late: Keeps a late result for the next call.
  package func result<Result: Sendable>(
    _ path: String, late: LateResults<Result>? = nil, _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    results(1, late: late, path: { _ in path }, body: { _, deliver in _ = deliver(body()) })[0]
  }

  /// Returns the results for the items `0..<count`. See `begin`.
  package func results<Result: Sendable>(
    _ count: Int, slice: Int = 1, threads: Int = 1, late: LateResults<Result>? = nil,
    path: @escaping @Sendable (Int) -> String,
    body: @escaping @Sendable (Range<Int>, _ deliver: (Result) -> Bool) -> Void
  ) -> [Result?] {
    begin(count, slice: slice, threads: threads, late: late, path: path, body: body).results()
  }

  /// Begins work on the items `0..<count`, whose results are asked for later: nil for items that
  /// hang, and for items that were not started because too much hangs. Call it on one thread.
  ///
  /// Each thread takes one slice of the items after another, so a slow thread takes fewer.
  ///
  /// - Parameters:
  ///   - path: Returns the path that an item reads.
  ///   - body: Delivers the results of some items one by one, until `deliver` returns false.
  package func begin<Result: Sendable>(
    _ count: Int, slice: Int = 1, threads: Int = 1, late: LateResults<Result>? = nil,
    path: @escaping @Sendable (Int) -> String,
    body: @escaping @Sendable (Range<Int>, _ deliver: (Result) -> Bool) -> Void
  ) -> PendingResults<Result> {
    var known = [Result?](repeating: nil, count: count)
    let slices = slices(slice, of: &known, late, path)
    let run = PatientRun(self, slices, known, late: late, path: path, body)
    let pending = PendingResults(work: self, run: run, threads: threads)
    pending.startThreads()
    return pending
  }

  /// Uses late results, and returns the slices of the items that are still to do, in reverse order.
  private func slices<Result: Sendable>(
    _ size: Int, of known: inout [Result?], _ late: LateResults<Result>?, _ path: (Int) -> String
  ) -> [Range<Int>] {
    let hung = Set(hanging.map(\.path))
    let hasLate = late?.isEmpty == false
    var slices: [Range<Int>] = []
    var start = 0
    for index in known.indices {
      if hasLate { known[index] = late?.take(path(index)) }
      if known[index] != nil || !hung.isEmpty && hung.contains(path(index)) {
        if start < index { slices.append(start..<index) }
        start = index + 1
      } else if index + 1 - start == size {
        slices.append(start..<index + 1)
        start = index + 1
      }
    }
    if start < known.count { slices.append(start..<known.count) }
    return isFull ? [] : slices.reversed()
  }

  fileprivate func acknowledge() { news?.acknowledge() }

  fileprivate func wait(milliseconds: Int64) {
    guard let news else { return Thread.pause(milliseconds: 1) }
    _ = news.descriptor.waitUntilReady(
      forWriting: false, until: Deadline(afterMilliseconds: milliseconds))
  }

  // MARK: Reports of the threads

  func begin(_ path: String, since: Int64) -> Int {
    hangs.withLock { hangs in
      hangs.next += 1
      hangs.all[hangs.next] = Hang(path: path, since: since)
      return hangs.next
    }
  }

  func end(_ hang: Int) { hangs.withLock { $0.all[hang] = nil } }

  /// Notes that the calling thread has no more work.
  fileprivate func noteCost() {
    microseconds.add(Clock.threadMicroseconds(), ordering: .relaxed)
  }

  fileprivate func wake() { news?.signal() }
}

/// The results of work that has begun.
package struct PendingResults<Result: Sendable> {
  fileprivate let work: PatientWork
  fileprivate let run: PatientRun<Result>
  fileprivate let threads: Int

  /// Waits until every item has a result or hangs, and returns the results.
  package func results() -> [Result?] {
    // A slow item may hang, so another thread continues with the others before `patience` is over.
    let tick = max(1, min(50, work.patience / 8))
    while true {
      work.acknowledge()
      // If no thread can be started, do the work on this one.
      if !startThreads(), run.isOver { run.workHere() }
      if run.isOver { return run.results }
      work.wait(milliseconds: tick)
      run.look(now: Clock.monotonicMilliseconds(), slow: 2 * tick)
    }
  }

  /// Returns false if the system cannot start a thread.
  @discardableResult
  fileprivate func startThreads() -> Bool {
    while run.begins(threads: threads, room: work.room) {
      if !run.startThread() { return false }
    }
    return true
  }
}

/// Results that arrived after their caller had gone on, for its next call.
package final class LateResults<Result: Sendable>: Sendable {
  /// Milliseconds for which a result is kept before it is outdated.
  private static var lifetime: Int64 { 10_000 }
  private let found = Mutex<[String: (result: Result, time: Int64)]>([:])

  package init() {}

  var isEmpty: Bool { found.withLock { $0.isEmpty } }

  func put(_ result: Result, _ path: String) {
    let time = Clock.monotonicMilliseconds()
    found.withLock { $0[path] = (result, time) }
  }

  /// Removes and returns the result for a path.
  func take(_ path: String) -> Result? {
    let limit = Clock.monotonicMilliseconds() - Self.lifetime
    return found.withLock { $0.removeValue(forKey: path) }.flatMap {
      $0.time < limit ? nil : $0.result
    }
  }
}

/// One call of `PatientWork.results`, shared with its threads.
private final class PatientRun<Result: Sendable>: Sendable {
  private struct Worker {
    /// The rest of its slice, beginning with the current item.
    var items: Range<Int>
    /// The item that it was last seen working on, and since when.
    var seen: (item: Int, since: Int64)?
    /// Whether other threads do the rest, so that this one ends after its current item.
    var isReplaced = false
    /// The number of its hang, once it has been abandoned.
    var hang: Int?
  }

  private struct State {
    /// The next slice is the last one.
    var slices: [Range<Int>]
    var results: [Result?]
    var workers: [Int: Worker] = [:]
    var next = 0

    func count(_ isReplaced: Bool) -> Int {
      workers.values.count { $0.hang == nil && $0.isReplaced == isReplaced }
    }
  }

  private let work: PatientWork
  private let late: LateResults<Result>?
  private let path: @Sendable (Int) -> String
  private let body: @Sendable (Range<Int>, (Result) -> Bool) -> Void
  private let state: Mutex<State>

  init(
    _ work: PatientWork, _ slices: [Range<Int>], _ known: [Result?], late: LateResults<Result>?,
    path: @escaping @Sendable (Int) -> String,
    _ body: @escaping @Sendable (Range<Int>, (Result) -> Bool) -> Void
  ) {
    self.work = work
    self.late = late
    self.path = path
    self.body = body
    state = Mutex(State(slices: slices, results: known))
  }

  var results: [Result?] { state.withLock { $0.results } }

  /// Whether the caller need not wait for any thread.
  var isOver: Bool { state.withLock { $0.count(false) + $0.count(true) == 0 } }

  /// Whether another thread may begin.
  func begins(threads: Int, room: Int) -> Bool {
    state.withLock { state in
      let busy = state.count(false)
      // Each of these threads may hang.
      return !state.slices.isEmpty && busy < threads && busy + state.count(true) < room
    }
  }

  /// Returns false if the system cannot start a thread.
  func startThread() -> Bool {
    guard let (id, items) = add() else { return true }
    if (try? Thread(named: "reading", { self.run(id, items) })) != nil { return true }
    state.withLock { state in
      state.workers[id] = nil
      state.slices.append(items)
    }
    return false
  }

  func workHere() {
    if let (id, items) = add() { run(id, items) }
  }

  private func add() -> (id: Int, items: Range<Int>)? {
    state.withLock { state in
      guard let items = state.slices.popLast() else { return nil }
      state.next += 1
      state.workers[state.next] = Worker(items: items)
      return (state.next, items)
    }
  }

  private func run(_ id: Int, _ items: Range<Int>) {
    var items = items
    while true {
      body(items) { deliver($0, id) }
      guard let next = next(id) else { break }
      items = next
    }
    work.noteCost()
    if let hang = state.withLock({ $0.workers.removeValue(forKey: id)?.hang }) { work.end(hang) }
    work.wake()
  }

  private func next(_ id: Int) -> Range<Int>? {
    state.withLock { state in
      if state.workers[id]?.isReplaced != false { return nil }
      guard let items = state.slices.popLast() else { return nil }
      state.workers[id]?.items = items
      return items
    }
  }

  /// Returns whether the thread is to continue with its slice.
  private func deliver(_ result: Result, _ id: Int) -> Bool {
    let (goesOn, lateItem) = state.withLock { state -> (Bool, Int?) in
      guard let worker = state.workers[id], let item = worker.items.first else {
        return (false, nil)
      }
      state.workers[id]?.items = item + 1..<worker.items.upperBound
      if worker.hang != nil { return (false, item) }
      state.results[item] = result
      return (!worker.isReplaced && worker.items.count > 1, nil)
    }
    if let lateItem { late?.put(result, path(lateItem)) }
    return goesOn
  }

  /// Checks the threads' progress: replaces slow ones, and abandons those whose patience is over.
  func look(now: Int64, slow: Int64) {
    state.withLock { state in
      for (id, before) in state.workers where before.hang == nil {
        var worker = before
        let item = worker.items.lowerBound
        let since = worker.seen?.item == item ? worker.seen?.since ?? now : now
        worker.seen = (item, since)
        if now - since >= slow, !worker.isReplaced {
          worker.isReplaced = true
          if worker.items.count > 1 { state.slices.append(item + 1..<worker.items.upperBound) }
          worker.items = item..<min(item + 1, worker.items.upperBound)
        }
        if now - since >= work.patience {
          // Closing files after the last item can hang too.
          worker.hang = work.begin(path(min(item, state.results.count - 1)), since: since)
        }
        state.workers[id] = worker
      }
    }
  }
}
