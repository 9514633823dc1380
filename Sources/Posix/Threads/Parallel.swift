internal import Synchronization

/// Runs `body` for consecutive slices of `0..<count` on several threads, including the calling
/// thread.
///
/// Each thread works on one slice after another, so a slow thread gets fewer slices. If no thread
/// can be started, the calling thread does all the work. Returns the results in the order of the
/// slices.
package func inParallel<Result: Sendable>(
  _ count: Int, slice: Int, threads: @autoclosure () -> Int,
  _ body: @escaping @Sendable (Range<Int>) -> Result
) -> [Result] {
  let slices = (count + slice - 1) / slice
  if slices <= 1 { return count == 0 ? [] : [body(0..<count)] }
  let work = SharedWork(count: count, slice: slice, body)
  let most = min(threads(), slices)
  var helpers: [Thread] = []
  while helpers.count + 1 < most {
    guard let helper = try? Thread(named: "loading", { work.run() }) else { break }
    helpers.append(helper)
  }
  work.run()
  for helper in helpers { helper.join() }
  return work.results
}

/// The work and its results, which the threads share.
private final class SharedWork<Result: Sendable>: Sendable {
  private let count: Int
  private let slice: Int
  private let body: @Sendable (Range<Int>) -> Result
  private let next = Atomic<Int>(0)
  private let finished: Mutex<[(start: Int, result: Result)]> = Mutex([])

  init(count: Int, slice: Int, _ body: @escaping @Sendable (Range<Int>) -> Result) {
    self.count = count
    self.slice = slice
    self.body = body
  }

  func run() {
    while true {
      let start = next.add(slice, ordering: .relaxed).oldValue
      if start >= count { return }
      let result = body(start..<min(start + slice, count))
      finished.withLock { $0.append((start, result)) }
    }
  }

  var results: [Result] {
    finished.withLock { $0.sorted { $0.start < $1.start }.map(\.result) }
  }
}
