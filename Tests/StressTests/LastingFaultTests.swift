import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// A step fails for good, as at a CA that somebody repairs for hours.
@Suite(
  "stress: a CA at which a step never works", .stress, .manyAtOnce, .needs(.pebble),
  .needs(.python3), .needsNameServer)
struct LastingIssuanceFaultTests {
  private static let hosts = (1...8).map { "h\($0).example.com" }

  /// A step that always fails so.
  struct Fault: CustomTestStringConvertible {
    let step: String
    let fault: String

    /// Said at once, for each host: it may be a CA of which no certificate comes.
    var isUnfit: Bool { step == "/certZ/" && fault == "html" }
    var testDescription: String { "\(step) \(fault)" }
  }

  private static let faults = IssuanceFaultTests.steps.flatMap { step in
    ["500", "html"].map { Fault(step: step, fault: $0) }
  }

  @Test(arguments: faults)
  func `a step that fails for good costs at most 20 requests a minute, and is said once`(
    fault: Fault
  ) throws {
    let issuance = try Issuance(Self.hosts)
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(#"[{"match": "\#(fault.step)", "n": 1000000, "do": "\#(fault.fault)"}]"#)
    var lines: [String] = []
    try issuance.serve(directory: proxy.directory) { server in
      server.allow(stderr: "no certificate for ")
      // It goes on for a minute and a half, of which the log tells.
      #expect(!eventually(within: .seconds(90)) { !server.process.isRunning })
      lines = server.errorLines.filter { $0.contains("no certificate for ") }
    }
    let times = try proxy.times()
    let begin = try #require(times.first)
    let later = times.filter { $0 > begin + 25 }
    let busiest = later.map { start in later.count { $0 >= start && $0 < start + 60 } }.max() ?? 0
    #expect(busiest <= 20, "\(busiest) of \(times.count): \(issuance.steps.suffix(20))")
    #expect((1...(fault.isUnfit ? Self.hosts.count : 1)).contains(lines.count), "\(lines)")
  }
}
