import Rules
import TestRunning
import Testing

@testable import Checking

/// Reports on the copy of Apple's CDN.
@Suite struct CDNTests {
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let served = "example.com: the association file is served as Apple asks"
  private static let old = shopFile(components: #"[{"/":"/old"}]"#)
  private static let world = CheckWorld(CheckServer())

  private static func failure(_ reason: String) -> CheckServer.Script {
    { _ in
      .answer(
        "404 Not Found",
        fields: ["Apple-Failure-Reason: \(reason)", "Cache-Control: max-age=3600", "Age: 600"], "")
    }
  }

  /// The report on a server without TLS.
  private func plain(
    exitCode: Int32, at location: SourceLocation = #_sourceLocation,
    _ cdn: @escaping CheckServer.Script
  ) throws -> String {
    var options = CheckWorld.Options()
    options.cdn = .plain { path(of: $0) == "/a/v1/127.0.0.1" ? cdn($0) : .bytes([]) }
    return try CheckWorld.plain(exitCode: exitCode, options, at: location) { _ in
      .answer(Self.good)
    }
  }

  @Test func `the copy is the same, another, missing or unknown`() throws {
    try plain(exitCode: 0) { _ in .answer(" " + Self.good) }.says(
      "\n  Apple's CDN  the same file\n")

    let other = try plain(exitCode: 0) { _ in
      .answer(fields: ["Cache-Control: max-age=21600", "Age: 20000"], Self.old)
    }
    #expect(
      other.contains("warning: Apple's CDN has a different version of the file than the server"))
    other.says("help: wait: the CDN keeps its copy for at most 26 minutes", "/old")
    try expectKept(other.normalized, as: "F062")

    let failed = try plain(exitCode: 1) { _ in
      .answer(
        "404 Not Found", type: nil,
        fields: [
          "Apple-Failure-Reason: SWCERR00301 Timeout\u{1B}[31m",
          "Apple-From: https://example.com/.well-known/apple-app-site-association",
        ], "")
    }
    failed.says(
      .start(
        "127.0.0.1: universal links will not work: Apple's CDN has no file, because of "
          + #"SWCERR00301 Timeout\x1b[31m"#))
    #expect(failed.contains("< apple-from: https://example.com/"))
    #expect(failed.contains("help: the CDN's request timed out: "))
    try expectKept(failed.normalized, as: "F061")

    let silent = try plain(exitCode: 0) { _ in .bytes([]) }
    #expect(silent.contains("note: Apple's CDN could not be queried: the server closed"))
    try expectKept(silent.normalized, as: "F060")
  }

  @Test func `an old copy is a notice, and fails on request`() throws {
    var options = CheckWorld.Options()
    options.cdn = .plain { _ in
      .answer(fields: ["Cache-Control: max-age=21600", "Age: 20000"], Self.old)
    }
    try Self.world.check(exitCode: 0, options).says(
      .start(Self.served + "; Apple's CDN keeps another version for at most 26 minutes more\n"))
    options.policy.failsOnCDN = true
    _ = try Self.world.check(exitCode: 3, options)
  }

  @Test func `a failure that the CDN remembers passes by itself`() throws {
    try Self.world.check(
      cdn: Self.failure("SWCERR00101 Bad HTTP Response: 404"), exitCode: 0
    ).says(.start(Self.served + "; Apple's CDN caches a failure for at most 50 minutes more\n"))
  }

  @Test func `devices in developer mode do not wait for the CDN`() throws {
    try Self.world.check(
      "applinks:example.com?mode=developer",
      cdn: Self.failure("SWCERR00101 Bad HTTP Response: 404"), exitCode: 0
    ).says("note: Apple's CDN caches a failure (404)")
  }

  @Test func `a refusal that concerns only Apple is recognized`() throws {
    try Self.world.check(
      cdn: Self.failure("SWCERR00101 Bad HTTP Response: 403"), exitCode: 1
    ).says("but this machine gets the file: a firewall probably blocks some addresses or countries")
  }

  private static let copy: CheckServer.Script = { _ in
    .answer(fields: ["Cache-Control: max-age=3600", "Age: 1200"], good)
  }
  private static let rest =
    "example.com: devices get a copy from Apple's CDN for at most 40 minutes more, and then no "
    + "file: "

  @Test func `in an outage devices still get the good copy, for a time`() throws {
    let missing = CheckWorld(CheckServer { _ in .answer("404 Not Found", "no") })
    try missing.check(cdn: Self.copy, exitCode: 1).says(.start(Self.rest + "there is no file"))
    let broken = CheckWorld(CheckServer(CheckServer.serving(String(Self.good.dropLast()) + ",}")))
    let reason =
      "the file is not valid JSON: a comma follows the last member of the object [J010]\n"
    try broken.check(cdn: Self.copy, exitCode: 1).says(.start(Self.rest + reason))
  }

  @Test func `a copy of a file that permits nothing is no help`() throws {
    let empty = #"{"applinks":{"details":[]}}"#
    try CheckWorld(CheckServer(CheckServer.serving(empty))).check(
      cdn: { _ in .answer(empty) }, exitCode: 1
    ).says(
      .start(
        "example.com: universal links will not work: this file lets no app open a link, offer a "
          + "password or run as an App Clip [A160]\n"))
  }

  @Test func `what this machine finds is not called nothing`() throws {
    let cdn = Self.failure("SWCERR00900 Something")
    let broken = CheckWorld(CheckServer(CheckServer.serving(Self.good + "}")))
    try broken.check(cdn: cdn, exitCode: 1).says(.lacks("this machine found no fault"))
    try Self.world.check(cdn: cdn, exitCode: 1).says("this machine found no fault")
  }

  /// What the CDN says of a copy's age, and how long it keeps the copy.
  private static let ages: [(life: String, age: String, first: String, help: String)] = [
    (
      "100000000", "99996400", " for at most 60 minutes more",
      "the CDN keeps its copy for at most 60 minutes"
    ),
    ("100000001", "5", "", "the CDN does not say how long it keeps its copy"),
    (
      "9223372036854775807", "-9223372036854775808", "",
      "the CDN does not say how long it keeps its copy"
    ),
    (
      "6000", "100000001", " for at most 100 minutes more",
      "the CDN keeps its copy for at most 100 minutes"
    ),
    (
      "6000", "-1", " for at most 100 minutes more",
      "the CDN keeps its copy for at most 100 minutes"
    ),
  ]

  @Test(arguments: ages.indices)
  func `the age of a copy is a number that can be true, or unknown`(index: Int) throws {
    let (life, age, first, help) = Self.ages[index]
    try Self.world.check(
      cdn: { _ in .answer(fields: ["Cache-Control: max-age=\(life)", "Age: \(age)"], Self.old) },
      exitCode: 0
    ).says(
      .start(Self.served + "; Apple's CDN keeps another version\(first)\n"), "  help: wait: \(help)"
    )
  }
}
