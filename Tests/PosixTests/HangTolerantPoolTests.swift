import Foundation
import Synchronization
import Testing

@testable import Posix

/// Work that may hang, and the threads that are abandoned then.
@Suite struct HangTolerantPoolTests {
  /// Milliseconds after which a test gives an item up.
  private static let short: Int64 = 40
  /// Ends what hangs.
  private let latch: Completion

  init() throws { latch = try Completion() }

  private func path(_ index: Int) -> String { "/files/\(index)" }

  /// Each item delivers itself; the calls of some hang until the latch opens.
  private func numbers(
    _ work: HangTolerantPool, _ count: Int, slice: Int = 8, threads: Int = 2,
    hanging: Set<Int> = [],
    begun: Begun = Begun()
  ) -> [Int?] {
    let latch = latch
    return work.results(
      count, slice: slice, threads: threads, path: { "/files/\($0)" },
      body: { range, deliver in
        for index in range {
          begun.all.withLock { $0.append(index) }
          if hanging.contains(index) {
            _ = FileCalls.during { latch.wait(until: Deadline(at: .max)) }
          }
          if !deliver(index) { return }
        }
      })
  }

  private final class Begun: Sendable { let all = Mutex<[Int]>([]) }

  private func ends(_ work: HangTolerantPool) -> Bool {
    let end = Deadline(afterMilliseconds: 45_000)
    while !work.hanging.isEmpty, !end.isOver { Thread.pause(milliseconds: 1) }
    return work.hanging.isEmpty
  }

  @Test(arguments: [0, 1, 7, 8, 9, 1_000], [1, 3])
  func `each item is done once, and results keep their order`(count: Int, threads: Int) {
    let begun = Begun()
    let work = HangTolerantPool()
    #expect(numbers(work, count, threads: threads, begun: begun) == Array(0..<count))
    #expect(begun.all.withLock { $0.sorted() } == Array(0..<count) && work.hanging.isEmpty)
  }

  @Test(arguments: [1, 3])
  func `while a read hangs, nothing is begun, and afterwards everything`(threads: Int) {
    let work = HangTolerantPool(patience: Self.short)
    let begun = Begun()
    let hanging: Set = [10, 50, 90]
    let found = numbers(work, 100, slice: 1, threads: threads, hanging: hanging, begun: begun)
    // Each thread goes on until it hangs itself.
    let most = threads == 1 ? 10 : 90
    #expect(found == (0..<100).map { $0 >= most || hanging.contains($0) ? nil : $0 })
    let paths = threads == 1 ? [path(10)] : hanging.map(path)
    #expect(Set(work.hanging.map(\.path)) == Set(paths) && work.isWaiting)
    let count = begun.all.withLock(\.count)
    #expect(numbers(work, 3, begun: begun) == [nil, nil, nil])
    #expect(work.result("/other") { 1 } == nil)
    #expect(begun.all.withLock(\.count) == count)
    latch.signal()
    #expect(ends(work) && !work.isWaiting)
    // What came late does not count, and the abandoned threads did nothing else.
    #expect(begun.all.withLock(\.count) == count)
    #expect(numbers(work, 100) == Array(0..<100) && work.result("/other") { 1 } == 1)
  }

  @Test func `slow calls and slow work are waited for`() {
    let work = HangTolerantPool(patience: 200)
    let found = work.results(
      2, slice: 2, path: { "/\($0)" },
      body: { range, deliver in
        for index in range {
          // Together much longer than the patience with one of them.
          for _ in 0..<8 { FileCalls.during { Thread.pause(milliseconds: 50) } }
          if index == 1 { Thread.pause(milliseconds: 500) }
          if !deliver(index) { return }
        }
      })
    #expect(found == [0, 1] && work.hanging.isEmpty)
  }

  /// For example an open of a named pipe that nobody writes to.
  @Test func `the system's calls are those that are noted`() throws {
    let work = HangTolerantPool(patience: Self.short)
    let folder = FileManager.default.temporaryDirectory.path + "/aasa-pipe-" + UUID().uuidString
    #expect(mkfifo(folder, 0o600) == 0)
    defer { unlink(folder) }
    let isOpened = work.result(folder) {
      (try? FileDescriptor.opened(folder, O_RDONLY | O_CLOEXEC)) != nil
    }
    #expect(isOpened == nil && work.hanging.map(\.path) == [folder])
    let writer = open(folder, O_WRONLY)
    #expect(writer >= 0 && ends(work))
    close(writer)
  }

  @Test func `the time since an item was begun is known`() throws {
    let work = HangTolerantPool(patience: Self.short)
    let before = Clock.monotonicMilliseconds()
    #expect(numbers(work, 1, hanging: [0]) == [nil])
    let hang = try #require(work.hanging.first)
    #expect(hang.since >= before && hang.since <= Clock.monotonicMilliseconds() - Self.short)
    latch.signal()
    #expect(ends(work))
  }

  @Test func `the threads' processor time is counted`() {
    let work = HangTolerantPool()
    var sum = 0
    for _ in 0..<50 where work.cost < 1_000 {
      sum += numbers(work, 20_000).compactMap(\.self).count
    }
    #expect(work.cost >= 1_000 && sum > 0)
  }
}
