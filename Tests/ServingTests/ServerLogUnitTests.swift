import Catalog
import Foundation
import Logging
import Settings
import Synchronization
import TLS
import Testing

@testable import Diagnostics
@testable import Keeping
@testable import Serving

@Suite struct LogEntryTests {
  private let entries: [(LogEntry, text: String, json: String)] = [
    (
      LogEntry(
        Diagnostic(
          Kind("J001", "x", "x", "x", nil), severity: .error, "bad \"thing\"",
          at: .init(path: "a\n.json", place: .init(range: 0..<1, line: 3, column: 7)),
          help: "fix it", note: "so it is")),
      #"a\u{a}.json:3:7: error: bad "thing"; fix it (so it is) [J001]"#,
      #""level":"error","message":"bad \"thing\"","code":"J001","file":"a\n.json","line":3,"#
        + #""column":7,"help":"fix it","note":"so it is"}"#
    ),
    (
      LogEntry(Diagnostic(Kind("A001", "x", "x", "x", nil), severity: .note, "well")),
      "note: well [A001]",
      #""level":"info","message":"well","code":"A001"}"#
    ),
    (
      LogEntry(.warning, .message("odd", metadata: ["b": "2", "a": "x y"])),
      "warning: odd a=x y b=2",
      #""level":"warning","message":"odd","a":"x y","b":"2"}"#
    ),
    (
      LogEntry(.warning, .more(3, code: "J001")), "… and 3 more of this kind [J001]",
      #""level":"warning","message":"more of this kind","code":"J001","repeated":3}"#
    ),
    (
      LogEntry(.error, .alike(4, to: "odd")), "error: … and 4 more like this: odd",
      #""level":"error","message":"odd","repeated":4}"#
    ),
  ]

  @Test func `an entry is one line of text, or one object with the time`() {
    for (entry, text, json) in entries {
      #expect(entry.line(as: .text, time: 0) == text + "\n")
      #expect(entry.line(as: .auto, time: 0) == text + "\n")
      #expect(
        entry.line(as: .json, time: 1500) == #"{"time":"1970-01-01T00:00:01.500Z","# + json + "\n")
    }
  }
}

@Suite struct EventRateTests {
  private func entry(_ message: String) -> LogEntry {
    LogEntry(.warning, .message(message, metadata: [:]))
  }

  @Test func `the first events of a kind are logged, the others counted until the window ends`() {
    var rates = EventRates()
    let limit = LogLimits.eventsPerKind
    for index in 1...(limit + 3) {
      #expect(rates.admits(entry("e"), as: .code("A"), now: Int64(index)) == (index <= limit))
    }
    // Another kind is not held up.
    let other = rates.admits(entry("f"), as: .place("File", line: 3), now: 100)
    #expect(other)
    #expect(rates.nextSummary == 1 + LogLimits.window)
    let early = rates.takeSummaries(now: LogLimits.window)
    #expect(early.isEmpty)
    let summaries = rates.takeSummaries(now: LogLimits.window + 1)
    #expect(summaries.map { $0.line(as: .text, time: 0) } == ["… and 3 more of this kind [A]\n"])
    #expect(rates.nextSummary == nil)
    let again = rates.admits(entry("e"), as: .code("A"), now: LogLimits.window + 2)
    #expect(again)
  }

  @Test func `a kind with few events starts again when the window ends`() {
    var rates = EventRates()
    for round in 0..<5 {
      for _ in 1...LogLimits.eventsPerKind {
        let isReported = rates.admits(
          entry("e"), as: .code("A"), now: Int64(round) * LogLimits.window)
        #expect(isReported)
      }
    }
    #expect(rates.nextSummary == nil)
  }

  @Test func `the number of kinds is limited, and the rest are one kind`() {
    var rates = EventRates()
    var report = 0
    let count = LogLimits.kinds + LogLimits.eventsPerKind + 5
    for index in 1...count {
      if rates.admits(entry("e\(index)"), as: .code("A\(index)"), now: 1) { report += 1 }
    }
    #expect(report == LogLimits.kinds + LogLimits.eventsPerKind)
    let summaries = rates.takeSummaries(now: .max)
    let text = summaries.map { $0.line(as: .text, time: 0) }
    #expect(text == ["warning: … and 5 more like this: e\(LogLimits.kinds + 1)\n"])
  }
}

@Suite struct ServerLogQueueTests {
  /// Keeps the lines, and can make the writer wait.
  private final class Reader: Sendable {
    let text = Mutex("")
    let gate = Mutex(())

    func take(_ more: String) { gate.withLock { _ in text.withLock { $0 += more } } }
    var lines: [Substring] { text.withLock { $0 }.split(separator: "\n") }
  }

  @Test func `logging never waits, and lines that do not fit are counted`() throws {
    let reader = Reader()
    let log = try ServerLog(.text, .info) { reader.take($0) }
    let line = String(repeating: "x", count: 1000)
    let count = 2 * LogLimits.waitingBytes / 1000
    reader.gate.withLock { _ in
      for _ in 1...count { log.report(error: line) }
    }
    log.close()
    let lines = reader.lines
    let report = lines.count { $0.hasSuffix(line) }
    let dropped = lines.compactMap { $0.firstMatch(of: /warning: (\d+) events were not logged/)?.1 }
      .compactMap { Int($0) }.reduce(0, +)
    #expect(report + dropped == count && dropped > 0 && report > 0)
  }

  @Test func `twenty hosts without a certificate are named, and then the number of the others`()
    throws
  {
    let reader = Reader()
    let log = try ServerLog(.text, .info) { reader.take($0) }
    let names = (0..<500).map { DomainName.host("h\(1000 + $0).test") }
    let material = TLSMaterial(certificates: [], ticketKeys: TicketKeys(), now: 0)
    let catalog = Catalog(
      sites: [Site(name: .host("links"), answers: [])], hosts: [(0, names)], material: material)
    for fault in catalogDiagnostics(catalog, HostingOptions(), hasCertificates: true) {
      log.report(fault)
    }
    log.close()
    let lines = reader.lines.filter { $0.contains("[H014]") }
    #expect(lines.count == 21 && lines.first?.contains("no certificate covers h1000.test") == true)
    #expect(lines.last?.contains("no certificate covers 480 more hosts") == true)
  }

  @Test func `a writer that is stuck does not keep the program from ending`() throws {
    let reader = Reader()
    let log = try ServerLog(.text, .info) { reader.take($0) }
    reader.gate.withLock { _ in
      log.report(error: "one")
      log.close()
    }
  }

  @Test func `levels below the configured one are not logged, nor are those of loggers`() throws {
    let reader = Reader()
    let log = try ServerLog(.text, .warning) { reader.take($0) }
    log.report(Diagnostic(Kind("A001", "x", "x", "x", nil), severity: .note, "note"))
    log.report(Diagnostic(Kind("A002", "x", "x", "x", nil), severity: .warning, "warning"))
    log.logger.info("info")
    log.logger.error("error", metadata: ["peer": "::1"])
    log.close()
    #expect(reader.lines == ["warning: warning [A002]", "error: error peer=::1"])
  }

  @Test func `the number of omitted events is logged at the end`() throws {
    let reader = Reader()
    let log = try ServerLog(.json, .info) { reader.take($0) }
    for _ in 1...(LogLimits.eventsPerKind + 7) { log.logger.warning("again") }
    log.close()
    let lines = reader.lines
    #expect(lines.count == LogLimits.eventsPerKind + 1)
    #expect(lines.last?.hasSuffix(#""level":"warning","message":"again","repeated":7}"#) == true)
  }
}

@Suite struct ProgressLineTests {
  @Test func `nothing is shown for a second, then now and then, and it is taken away`() {
    let time = Mutex(Int64(0))
    let shown = Mutex<[String]>([])
    let progress = ProgressLine(
      "loading", of: "domains", clock: { time.withLock { $0 } },
      write: { text in shown.withLock { $0.append(text) } })
    for (now, count) in [(999, 1), (1000, 1_233), (1099, 1), (1100, 65)] as [(Int64, Int)] {
      time.withLock { $0 = now }
      progress.advance(count, of: 100_000)
    }
    progress.end()
    time.withLock { $0 = 5000 }
    progress.advance(1, of: 100_000)
    progress.end()
    let clear = "\u{1B}[K"
    #expect(
      shown.withLock { $0 } == [
        "\rloading 1,234 of 100,000 domains, 1 %\(clear)",
        "\rloading 1,300 of 100,000 domains, 1 %\(clear)", "\r\(clear)",
      ])
  }

  @Test func `short work shows nothing at all`() {
    let shown = Mutex<[String]>([])
    let progress = ProgressLine(
      "validating", of: "files", clock: { 0 },
      write: { text in shown.withLock { $0.append(text) } })
    progress.advance(1, of: 1)
    progress.end()
    #expect(shown.withLock { $0 }.isEmpty)
  }
}
