internal import Synchronization

/// Reads one folder on separate threads, because a call to a file system may never return.
///
/// The caller waits as long as calls return, however slowly. If a call lasts longer than
/// `patience`, the read hangs: the caller abandons the thread, which ends by itself when the call
/// returns. Until then, the pool does not begin other reads in the folder.
package final class HangTolerantPool: Sendable {
  /// A read that does not return.
  package struct Hang: Sendable, Equatable {
    package let path: String
    /// When the call began, in milliseconds of the monotonic clock.
    package let since: Int64
  }

  /// The maximum time, in milliseconds, that the caller waits for one call.
  let patience: Int64
  private let hangs = Mutex<(next: Int, all: [Int: Hang])>((0, [:]))
  private let microseconds = Atomic<Int64>(0)
  /// Wakes the caller when a thread has no more work. Nil if no descriptor was free; the caller
  /// then checks more often.
  private let news = try? Wakeup()

  package init(patience: Int64 = 2_000) { self.patience = patience }

  /// The reads that hang now, oldest first.
  package var hanging: [Hang] {
    hangs.withLock { Array($0.all.values) }.sorted { ($0.since, $0.path) < ($1.since, $1.path) }
  }

  /// Whether a read hangs. While a read hangs, the pool starts no more work.
  package var isWaiting: Bool { hangs.withLock { !$0.all.isEmpty } }

  /// The processor time of all threads that have ended, in microseconds.
  package var cost: Int64 { microseconds.load(ordering: .relaxed) }

  /// Returns the result of one piece of work; nil if this work or other work in the folder hangs.
  ///
  /// - Parameter path: The path that the work reads.
  package func result<Result: Sendable>(
    _ path: String, _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    results(1, path: { _ in path }, body: { _, deliver in _ = deliver(body()) })[0]
  }

  /// Begins work on the items `0..<count` and waits for the results. See `begin`.
  package func results<Result: Sendable>(
    _ count: Int, slice: Int = 1, threads: Int = 1, path: @escaping @Sendable (Int) -> String,
    body: @escaping @Sendable (Range<Int>, _ deliver: (Result) -> Bool) -> Void
  ) -> [Result?] {
    begin(count, slice: slice, threads: threads, path: path, body: body).results()
  }

  /// Begins work on the items `0..<count`. The caller gets the results later from the returned
  /// object. The result of an item is nil if its read hangs, or if another read hung before this
  /// read began.
  ///
  /// Each thread works on one slice of items after another, so a slow thread gets fewer slices.
  ///
  /// - Parameters:
  ///   - path: Returns the path that the work on an item reads.
  ///   - body: Works on a slice of items. Calls `deliver` with the result of each item in turn, and
  ///     stops when `deliver` returns false.
  package func begin<Result: Sendable>(
    _ count: Int, slice: Int = 1, threads: Int = 1, path: @escaping @Sendable (Int) -> String,
    body: @escaping @Sendable (Range<Int>, _ deliver: (Result) -> Bool) -> Void
  ) -> PendingResults<Result> {
    let pending = PendingResults(self, isWaiting ? 0 : count, of: count, slice, path, body)
    let slices = count == 0 ? 0 : (count + slice - 1) / slice
    for id in 0..<min(threads, slices) { pending.startThread(id) }
    return pending
  }

  fileprivate func wait(milliseconds: Int64) {
    guard let news else { return Thread.pause(milliseconds: 1) }
    _ = news.descriptor.waitUntilReady(
      forWriting: false, until: Deadline(afterMilliseconds: milliseconds))
    news.acknowledge()
  }

  // MARK: Calls from the worker threads

  func begin(_ path: String, since: Int64) -> Int {
    hangs.withLock { hangs in
      hangs.next += 1
      hangs.all[hangs.next] = Hang(path: path, since: since)
      return hangs.next
    }
  }

  func end(_ hang: Int) { hangs.withLock { $0.all[hang] = nil } }

  /// Adds the processor time of the calling thread, which has no more work, and wakes the caller.
  fileprivate func noteEnd() {
    microseconds.add(Clock.threadMicroseconds(), ordering: .relaxed)
    news?.signal()
  }
}

/// The results of work in progress. The threads that do the work share this object.
package final class PendingResults<Result: Sendable>: Sendable {
  private struct Worker {
    let calls = FileCalls()
    /// The index of the item on which the thread is working.
    var item = 0
    /// The number that identifies the hang because of which the thread was abandoned; nil if the
    /// thread was not abandoned.
    var hang: Int?
  }

  private struct State {
    /// The items on which no thread has begun to work.
    var rest: Range<Int>
    var results: [Result?]
    var workers: [Int: Worker] = [:]
  }

  private let work: HangTolerantPool
  private let slice: Int
  private let path: @Sendable (Int) -> String
  private let body: @Sendable (Range<Int>, (Result) -> Bool) -> Void
  private let state: Mutex<State>

  fileprivate init(
    _ work: HangTolerantPool, _ due: Int, of count: Int, _ slice: Int,
    _ path: @escaping @Sendable (Int) -> String,
    _ body: @escaping @Sendable (Range<Int>, (Result) -> Bool) -> Void
  ) {
    self.work = work
    self.slice = slice
    self.path = path
    self.body = body
    state = Mutex(State(rest: 0..<due, results: [Result?](repeating: nil, count: count)))
  }

  /// Waits until every item has a result, or until all threads that have not finished hang. Returns
  /// the results.
  package func results() -> [Result?] {
    while state.withLock({ $0.workers.contains { $0.value.hang == nil } }) {
      work.wait(milliseconds: max(1, min(50, work.patience / 8)))
      abandonHanging(now: Clock.monotonicMilliseconds())
    }
    return finalResults()
  }

  /// Returns the results if every item has a result, or if all threads that have not finished hang;
  /// otherwise nil.
  package func resultsAtOnce() -> [Result?]? {
    abandonHanging(now: Clock.monotonicMilliseconds())
    return state.withLock { $0.workers.contains { $0.value.hang == nil } } ? nil : finalResults()
  }

  private func finalResults() -> [Result?] {
    // If no thread could be started, do the work on the calling thread.
    if !work.isWaiting, state.withLock({ !$0.rest.isEmpty }) { run(-1) }
    return state.withLock { $0.results }
  }

  fileprivate func startThread(_ id: Int) {
    state.withLock { $0.workers[id] = Worker() }
    if (try? Thread(named: "reading", { self.run(id) })) == nil {
      state.withLock { $0.workers[id] = nil }
    }
  }

  private func run(_ id: Int) {
    let calls = state.withLock { $0.workers[id, default: Worker()].calls }
    calls.noting { while let items = next(id) { body(items) { deliver($0, id) } } }
    if let hang = state.withLock({ $0.workers.removeValue(forKey: id)?.hang }) { work.end(hang) }
    work.noteEnd()
  }

  /// Returns the next slice of items for a thread; nil if no items are left.
  private func next(_ id: Int) -> Range<Int>? {
    state.withLock { state in
      let items = state.rest.prefix(slice)
      if items.isEmpty { return nil }
      state.rest = items.upperBound..<state.rest.upperBound
      state.workers[id, default: Worker()].item = items.lowerBound
      return items
    }
  }

  /// Stores a result. Returns whether the thread may continue with its slice.
  private func deliver(_ result: Result, _ id: Int) -> Bool {
    state.withLock { state in
      guard let worker = state.workers[id], worker.hang == nil else { return false }
      state.results[worker.item] = result
      state.workers[id]?.item += 1
      return true
    }
  }

  /// If all threads that have not finished have waited too long for a call, abandons all these
  /// threads.
  private func abandonHanging(now: Int64) {
    state.withLock { state in
      let busy = state.workers.filter { $0.value.hang == nil }
      let hanging = busy.compactMap { id, worker in
        worker.calls.since.map { (id: id, item: worker.item, since: $0) }
      }.filter { now - $0.since >= work.patience }
      if busy.isEmpty || hanging.count < busy.count { return }
      state.rest = 0..<0
      for (id, item, since) in hanging {
        // A thread may also hang after its last item, for example when it closes a file. In that
        // case, report the last item's path.
        let path = path(min(item, state.results.count - 1))
        state.workers[id]?.hang = work.begin(path, since: since)
      }
    }
  }
}
