import Foundation
import Synchronization
import Testing

@testable import Posix

/// Work that may hang, and the threads that are abandoned then.
@Suite struct PatientWorkTests {
  /// Milliseconds after which a test gives an item up.
  private static let short: Int64 = 40
  /// Ends what hangs.
  private let latch: Completion

  init() throws { latch = try Completion() }

  private func path(_ index: Int) -> String { "/files/\(index)" }

  /// Each item delivers itself; some hang until the latch opens.
  private func numbers(
    _ work: PatientWork, _ count: Int, slice: Int = 8, threads: Int = 2,
    late: LateResults<Int>? = nil, hanging: Set<Int> = [], begun: Begun = Begun()
  ) -> [Int?] {
    let latch = latch
    return work.results(
      count, slice: slice, threads: threads, late: late, path: { "/files/\($0)" },
      body: { range, deliver in
        for index in range {
          begun.all.withLock { $0.append(index) }
          if hanging.contains(index) { latch.wait(until: Deadline(at: .max)) }
          if !deliver(index) { return }
        }
      })
  }

  private final class Begun: Sendable { let all = Mutex<[Int]>([]) }

  private func ends(_ work: PatientWork) -> Bool {
    let end = Deadline(afterMilliseconds: 45_000)
    while !work.hanging.isEmpty, !end.isOver { Thread.pause(milliseconds: 1) }
    return work.hanging.isEmpty
  }

  @Test(arguments: [0, 1, 7, 8, 9, 1_000], [1, 3])
  func `each item is done once, and results keep their order`(count: Int, threads: Int) {
    let begun = Begun()
    let work = PatientWork()
    #expect(numbers(work, count, threads: threads, begun: begun) == Array(0..<count))
    #expect(begun.all.withLock { $0.sorted() } == Array(0..<count) && work.hanging.isEmpty)
  }

  @Test(arguments: [1, 3], [1, 4, 100])
  func `an item that hangs keeps no other one from being done`(threads: Int, slice: Int) {
    let work = PatientWork(patience: Self.short)
    let begun = Begun()
    let found = numbers(
      work, 100, slice: slice, threads: threads, hanging: [0, 50, 99], begun: begun)
    #expect(found == (0..<100).map { [0, 50, 99].contains($0) ? nil : $0 })
    #expect(Set(work.hanging.map(\.path)) == Set([0, 50, 99].map(path)))
    #expect(work.waits(for: path(50)) && !work.waits(for: path(51)) && !work.isFull)
    // It is not begun again before it has ended.
    let again = numbers(work, 51, hanging: [0, 50], begun: begun)
    #expect(again == (0..<51).map { $0 % 50 == 0 ? nil : $0 })
    #expect(begun.all.withLock { $0.count { $0 == 50 } } == 1)
    latch.signal()
    #expect(ends(work))
    #expect(numbers(work, 51) == Array(0..<51))
  }

  @Test func `while several items hang, nothing is begun`() {
    let work = PatientWork(patience: Self.short, most: 4)
    let begun = Begun()
    let hanging = Set(10..<20)
    let found = numbers(work, 1_000, threads: 8, hanging: hanging, begun: begun)
    #expect(work.hanging.count == 4 && work.isFull && work.waits(for: "/other"))
    let count = begun.all.withLock(\.count)
    #expect(found.compactMap(\.self).count == count - 4)
    #expect(begun.all.withLock { $0.count(where: hanging.contains) } == 4)
    #expect(numbers(work, 3, begun: begun) == [nil, nil, nil])
    #expect(work.result("/other") { 1 } == nil)
    #expect(begun.all.withLock(\.count) == count)
    latch.signal()
    #expect(ends(work))
    #expect(work.result("/other") { 1 } == 1)
  }

  @Test func `a late result is for the next call, and counts once`() {
    let work = PatientWork(patience: Self.short)
    let late = LateResults<Int>()
    #expect(numbers(work, 3, late: late, hanging: [1]) == [0, nil, 2])
    latch.signal()
    #expect(ends(work))
    let begun = Begun()
    #expect(numbers(work, 3, late: late, begun: begun) == [0, 1, 2])
    #expect(begun.all.withLock { $0.sorted() } == [0, 2])
    #expect(numbers(work, 3, late: late, begun: begun) == [0, 1, 2])
    #expect(begun.all.withLock { $0.sorted() } == [0, 0, 1, 2, 2])
  }

  @Test func `a late result without a place is discarded`() {
    let work = PatientWork(patience: Self.short)
    let calls = Begun()
    let latch = latch
    let first = work.result("/a") {
      latch.wait(until: Deadline(at: .max))
      return 1
    }
    #expect(first == nil && work.hanging.map(\.path) == ["/a"])
    #expect(work.result("/b") { 2 } == 2)
    latch.signal()
    #expect(ends(work))
    #expect(
      work.result("/a") {
        calls.all.withLock { $0.append(3) }
        return 3
      } == 3)
    #expect(calls.all.withLock(\.count) == 1)
  }

  @Test func `the time since an item was begun is known`() throws {
    let work = PatientWork(patience: Self.short)
    let before = Clock.monotonicMilliseconds()
    #expect(numbers(work, 1, hanging: [0]) == [nil])
    let hang = try #require(work.hanging.first)
    #expect(hang.since >= before && hang.since <= Clock.monotonicMilliseconds() - Self.short)
    latch.signal()
    #expect(ends(work))
  }

  @Test func `a slow item is waited for, while another thread does the rest`() throws {
    let work = PatientWork(patience: 45_000)
    let rest = try Completion()
    let found = work.results(
      3, slice: 3, path: { "/\($0)" },
      body: { range, deliver in
        for index in range {
          // The first item ends only when the last one is done.
          if index == 0 { rest.wait(until: Deadline(afterMilliseconds: 30_000)) }
          if index == 2 { rest.signal() }
          if !deliver(index) { return }
        }
      })
    #expect(found == [0, 1, 2] && work.hanging.isEmpty)
  }

  @Test func `the threads' processor time is counted`() {
    let work = PatientWork()
    var sum = 0
    for _ in 0..<50 where work.cost < 1_000 {
      sum += numbers(work, 20_000).compactMap(\.self).count
    }
    #expect(work.cost >= 1_000 && sum > 0)
  }
}
