import Foundation
import Logging
import Posix
import Synchronization
import Testing

@testable import Server

/// The access log when its destination fails.
@Suite struct AccessLogWritingTests {
  /// The lines of the server's log.
  private final class Messages: Sendable {
    let all = Mutex<[String]>([])
  }

  private struct Keeping: LogHandler {
    let messages: Messages
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { messages.all.withLock { $0.append("\(event.message)") } }
  }

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
    let log = Logger(label: "test") { _ in Keeping(messages: messages) }
    let first = try pipe.reader()
    var writing = AccessLogWriting(try LogDestination(path: pipe.path), log: log)
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
    let lost = writing.lostInAll
    #expect(lost == 100 - capacity / line.utf8.count)
    #expect(messages.all.withLock { $0 } == ["the access log lost \(lost) lines: Broken pipe"])

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
    let inAll = writing.lostInAll
    #expect(inAll == lost)
  }
}
