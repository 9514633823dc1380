import Posix
import Synchronization
import Testing

/// The thread that writes logs, and the queue of its lines.
@Suite struct WriterThreadTests {
  private func line(_ text: String) -> ArraySlice<UInt8> { Array((text + "\n").utf8)[...] }

  @Test func `a queue takes as much as its limit, and not one byte more`() {
    let queue = LineQueue(limit: 8)
    queue.add(line("abc"), count: 1)
    #expect(queue.offer(line("def")) == .taken)
    queue.add([UInt8(ascii: "\n")], count: 1)
    // Whoever offers lines counts them.
    #expect(queue.offer(line("x\ny")) == .full)
    #expect(queue.takeLost() == 1 && queue.takeLost() == 0)
    var taken: [UInt8] = []
    queue.take(&taken)
    #expect(taken == Array("abc\ndef\n".utf8))
    taken = []
    queue.take(&taken)
    #expect(taken.isEmpty)
    queue.add(line("abcdefg"), count: 1)
    #expect(queue.takeLost() == 0)
  }

  @Test func `lines of several threads are written, each once and whole`() throws {
    let queue = LineQueue(limit: 1 << 20)
    let written = Mutex<[UInt8]>([])
    let writer = try WriterThread()
    try writer.start(named: "test") { _ in
      var lines: [UInt8] = []
      queue.take(&lines)
      written.withLock { $0 += lines }
      return lines.isEmpty ? .sleep(until: nil) : .gather(milliseconds: 1)
    }
    let threads = try (0..<4).map { thread in
      try Thread(named: "reporter") {
        for index in 0..<1_000 {
          queue.add(line("\(thread) \(index)"), count: 1)
          writer.wake()
        }
      }
    }
    for thread in threads { thread.join() }
    // It is not woken any more, but writes nevertheless.
    let deadline = Deadline(afterMilliseconds: 30_000)
    func lines() -> [Substring] {
      String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
    }
    while lines().count < 4_000, !deadline.isOver { Thread.pause(milliseconds: 2) }
    #expect(writer.close(withinMilliseconds: 30_000))
    for thread in 0..<4 {
      let own = lines().filter { $0.hasPrefix("\(thread) ") }
      #expect(own == (0..<1_000).map { "\(thread) \($0)" })
    }
  }

  @Test func `it wakes by itself at the time that it asked for`() throws {
    let steps = Atomic<Int>(0)
    let writer = try WriterThread()
    try writer.start(named: "test") { _ in
      steps.add(1, ordering: .relaxed)
      return .sleep(until: Clock.monotonicMilliseconds() + 5)
    }
    let deadline = Deadline(afterMilliseconds: 30_000)
    while steps.load(ordering: .relaxed) < 5, !deadline.isOver { Thread.pause(milliseconds: 2) }
    #expect(!deadline.isOver && writer.close(withinMilliseconds: 30_000))
  }

  @Test func `lines from before the end are written, and a blocked reader is abandoned`()
    throws
  {
    let gate = Mutex(())
    let queue = LineQueue(limit: 100)
    let written = Mutex<[UInt8]>([])
    let writer = try WriterThread()
    try writer.start(named: "test") { _ in
      var lines: [UInt8] = []
      queue.take(&lines)
      gate.withLock { _ in written.withLock { $0 += lines } }
      return .sleep(until: nil)
    }
    gate.withLock { _ in
      queue.add(line("a"), count: 1)
      #expect(!writer.close(withinMilliseconds: 20))
    }
    #expect(writer.close(withinMilliseconds: 30_000))
    #expect(written.withLock { $0 } == Array("a\n".utf8))
  }
}
