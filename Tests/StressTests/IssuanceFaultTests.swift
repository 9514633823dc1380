import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The CA misbehaves at each step, and the server is killed at each step: a certificate comes in the
/// end, and only one.
@Suite(
  "stress: a CA that misbehaves", .stress, .manyAtOnce, .needs(.pebble), .needs(.python3),
  .needsNameServer)
struct IssuanceFaultTests {
  /// The requests of one issue, by parts of Pebble's paths.
  static let steps = [
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
    try issue(#"{"match": "\#(step)", "n": 1, "do": "\#(fault)", "retryAfter": 2}"#)
  }

  @Test(arguments: steps)
  func `an answer that takes seconds is waited for, and there is one certificate`(
    step: String
  ) throws {
    try issue(#"{"match": "\#(step)", "n": 1, "do": "slow", "seconds": 2}"#)
  }

  @Test
  func `an answer that comes too late is asked for again, and there is one certificate`() throws {
    try issue(#"{"match": "/finalize-order/", "n": 1, "do": "slow", "seconds": 33}"#)
  }

  /// Gets a certificate from a CA that misbehaves so.
  private func issue(_ rule: String) throws {
    let issuance = try Issuance(["example.com"])
    let proxy = try FaultyAuthority(issuance.pebble)
    try proxy.set("[\(rule)]")
    try issuance.serve(directory: proxy.directory) { server in
      server.allow(stderr: "[I003]")
      server.allow(stderr: "[I004]")
      // Said at once: it may be a CA of which no certificate comes.
      if rule.contains("/certZ/") {
        server.allow(stderr: "the CA's answer is not a certificate")
      }
      #expect(
        eventually(within: .seconds(120)) { issuance.steps.contains("example.com served") },
        "\(issuance.steps) \(server.errorLines)")
    }
    #expect(issuance.pebble.issued == 1, "\(issuance.steps)")
    let requests = try proxy.log().components(separatedBy: "[\"").count - 1
    #expect(requests < 60, "\(requests) requests")
  }

  /// The limits of Let's Encrypt: 300 orders in three hours, which is one more every 36 seconds, and 50
  /// certificates for a domain. All but ten of the orders that the server allows itself are spent, and
  /// time runs twenty times as fast.
  @Test func `with ten orders left 40 names are issued, and no request is refused`() throws {
    let hosts = (0..<40).map { "h\($0).example" }
    var options = Pebble.Options()
    options.names = ["acme-v02.api.letsencrypt.org"]
    var issuance = try Issuance(hosts, options)
    let proxy = try FaultyAuthority(issuance.pebble)
    issuance.world.set("acme-v02.api.letsencrypt.org", to: "1.0.0.9")
    issuance.world.lead("1.0.0.9:443", to: UInt16(proxy.port))
    let (now, speed) = (Int(Date().timeIntervalSince1970), 20)
    try issuance.setClock(ahead: 0, speed: (speed, now))
    // Of its 270 orders, each of which comes back after 40 seconds.
    let full = (now + 260 * 40) * 1_000
    try issuance.workspace.write(
      "state/acme/acme_v02.api.letsencrypt.org_directory/limits",
      #"{"version":1,"full":\#(full)}"#)
    try proxy.set(
      #"[{"match": "/order-plz", "n": 1000000, "do": "limit", "capacity": 14, "interval": 1.8,"#
        + #" "domains": 50}, {"match": "/nonce-plz", "n": 1000000, "do": "limit", "capacity": 20,"#
        + #" "interval": 0.05}, {"match": "/", "n": 1000000, "do": "date", "speed": \#(speed),"#
        + #" "base": \#(now)}]"#)
    try issuance.serve(directory: "letsencrypt") { server in
      server.allow(stderr: "[I012]")
      #expect(
        eventually(within: .seconds(300)) {
          issuance.steps.count { $0.hasSuffix(" served") } == hosts.count
        }, "\(issuance.steps.suffix(5)) \(server.errorLines.suffix(5))")
    }
    #expect(issuance.pebble.issued == hosts.count)
    let log = try proxy.log()
    #expect(log.contains(#""taken": 40"#) && !log.contains(#""refused""#), "\(log.prefix(600))")
    #expect(!issuance.steps.contains { $0.hasSuffix(" failed") })
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
