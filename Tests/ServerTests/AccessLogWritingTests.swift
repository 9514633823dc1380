import Catalog
import Diagnostics
import Foundation
import HTTP
import Posix
import Settings
import Testing

@testable import Server

/// The access log when its destination fails.
@Suite struct AccessLogWritingTests {
  /// A pipe with a name, whose readers come and go.
  private final class Pipe: Sendable {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "/aasa-pipe-" + UUID().uuidString
      try #require(mkfifo(path, 0o600) == 0)
      // As the program does.
      signal(SIGPIPE, SIG_IGN)
    }

    deinit { unlink(path) }

    func reader() throws -> Int32 {
      let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(number >= 0)
      return number
    }
  }

  /// F_GETPIPE_SZ of fcntl(2).
  private static let getPipeSize: Int32 = 1032

  private func waiting(in reader: Int32) -> Int {
    var count: Int32 = 0
    _ = ioctl(reader, UInt(FIONREAD), &count)
    return Int(count)
  }

  private func readAll(_ reader: Int32) -> String {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reader, &buffer, buffer.count)
      if count <= 0 { return String(decoding: result, as: UTF8.self) }
      result += buffer[..<count]
    }
  }

  @Test func `a torn line is ended before the next, and lost lines are counted`() throws {
    let pipe = try Pipe()
    let messages = Messages()
    let log = messages.log
    let first = try pipe.reader()
    let lostLines = LostLines(log)
    var writing = AccessLogWriting(try LogDestination(path: pipe.path), lostLines)
    let queue = LineQueue(limit: 1 << 20)
    // More than a pipe takes, which is not a whole number of these lines.
    let line = String(repeating: "x", count: 1_000) + "\n"
    for _ in 0..<100 { queue.add(Array(line.utf8)[...], count: 1) }
    // The reader goes while the writer waits for it.
    let capacity = Int(fcntl(first, Self.getPipeSize))
    try #require(capacity > 0 && capacity < 100 * line.utf8.count)
    let leaving = try Posix.Thread(named: "reader") {
      let deadline = Posix.Deadline(afterMilliseconds: 45_000)
      while waiting(in: first) < capacity, !deadline.isOver {
        Posix.Thread.pause(milliseconds: 1)
      }
      close(first)
    }
    _ = writing.write(from: [queue])
    leaving.join()
    let lost = lostLines.inAll
    #expect(lost == 100 - capacity / line.utf8.count)
    #expect(messages.lines == ["the access log lost \(lost) lines: Broken pipe"])

    let second = try pipe.reader()
    defer { close(second) }
    let before = readAll(second)
    #expect(!before.hasSuffix("\n"))
    queue.add(Array("next\n".utf8)[...], count: 1)
    _ = writing.write(from: [queue])
    #expect(readAll(second) == "\nnext\n")
    queue.add(Array("last\n".utf8)[...], count: 1)
    _ = writing.write(from: [queue])
    #expect(readAll(second) == "last\n")
    #expect(lostLines.inAll == lost)
  }

  @Test func `lines are counted and reported as lost while the reader stalls`() throws {
    let pipe = try Pipe()
    let messages = Messages()
    let log = messages.log
    let reader = try pipe.reader()
    var options = AccessLogOptions()
    options.target = .file(pipe.path)
    let accessLog = try AccessLog(options, loops: 1, log: log)
    var loop = LoopLog(accessLog, loop: 0, WellKnownFiles())
    let driver = try Driver()
    let request = AnsweredRequest(
      answer: FixedAnswers(retryAfter: 5).answer(.notFound, closes: false), fetcher: .other,
      client: nil, isHTTP10: false)
    let host = Array("a.test".utf8)
    let deadline = Posix.Deadline(afterMilliseconds: 45_000)
    // The pipe fills, the writer waits in the system, and then the queue fills.
    while accessLog.lostLines.inAll == 0, !deadline.isOver {
      for _ in 0..<1_000 {
        loop.note(request, host: host.span, start: 0, on: driver.connection)
      }
      loop.endTurn()
    }
    #expect(accessLog.lostLines.inAll > 0)
    let message = messages.lines.first
    #expect(message?.hasPrefix("the access log lost ") == true)
    #expect(message?.hasSuffix(" lines: the reader or the disk of the log is too slow") == true)
    let metric = ServerMetrics(loops: [], accessLog: accessLog).families
      .first { $0.name == "aasa_access_log_lost_lines" }
    #expect(metric?.samples.first.flatMap { UInt64($0.value) } ?? 0 > 0)
    close(reader)
    accessLog.close()
  }
}
