import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The CA misbehaves at each step, and the server is killed at each step: a certificate comes in the
/// end, and only one.
@Suite(
  "stress: a CA that misbehaves", .stress, .serialized, .needs(.pebble), .needs(.python3),
  .needsNameServer)
struct IssuanceFaultTests {
  /// The requests of one issue, by parts of Pebble's paths.
  private static let steps = [
    "/dir", "/nonce-plz", "/sign-me-up", "/order-plz", "/my-order/", "/authZ/", "/chalZ/",
    "/finalize-order/", "/certZ/",
  ]
  private static let faults = [
    "drop-before", "drop-after", "500", "503", "429", "html", "badjson", "huge", "truncate",
  ]

  @Test(arguments: steps, faults)
  func `a fault at a step delays the certificate, and there is only one`(
    step: String, fault: String
  ) throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set(#"[{"match": "\#(step)", "n": 1, "do": "\#(fault)", "retryAfter": 2}]"#)
    try issuance.serve(directory: proxy.directory) { server in
      server.allow(stderr: "[I003]")
      server.allow(stderr: "[I004]")
      #expect(
        eventually(within: .seconds(120)) { issuance.steps.contains("example.com served") },
        "\(issuance.steps) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 1, "\(issuance.steps)")
    let requests = try proxy.log().components(separatedBy: "[\"").count - 1
    #expect(requests < 60, "\(requests) requests")
  }

  @Test(arguments: [
    "account", "ordering", "ordered", "answering", "finalising", "downloading", "installing",
    "installed", "served",
  ])
  func `killed at a step, it goes on, and makes one certificate`(step: String) throws {
    let issuance = try Issuance(["example.com"])
    for _ in 0..<3 {
      let process = try issuance.start()
      _ = eventually(within: .seconds(20)) {
        issuance.steps.contains { $0.hasSuffix(" " + step) }
      }
      process.signal(SIGKILL)
      _ = try process.waitForExit()
    }
    try issuance.serve { server in
      // The CA may have asked just when the server was killed. It refuses then, and is asked again a
      // minute later.
      server.allow(stderr: "[I003]")
      #expect(
        eventually(within: .seconds(180)) {
          server.isTrusted("example.com", roots: issuance.pebble.roots)
        }, "\(issuance.steps) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 1, "\(issuance.steps)")
  }

  @Test func `three hundred hosts get theirs`() throws {
    let hosts = (0..<300).map { "h\($0).example.com" }
    let issuance = try Issuance(hosts)
    try issuance.serve { server in
      #expect(
        eventually(within: .seconds(600)) {
          issuance.steps.count { $0.hasSuffix(" served") } == hosts.count
        }, "\(issuance.steps.suffix(5)) \(server.errorLines.suffix(5))")
    }
    #expect(issuance.pebble.issued == hosts.count)
  }
}
