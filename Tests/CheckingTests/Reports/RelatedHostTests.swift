import Synchronization
import TestRunning
import Testing

@testable import Checking

/// Reports on what people confuse with a domain's file: www, port 80, Android's file, other
/// well-known files.
@Suite struct RelatedHostTests {
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let other = shopFile(components: #"[{"/":"/other/*"}]"#)
  private static let missing = CheckServer { _ in .answer("404 Not Found", "no") }
  private static let served = "example.com: the association file is served as Apple asks"

  private static func world(_ others: [String: CheckServer.Answer]) -> CheckWorld {
    CheckWorld(CheckServer(CheckServer.serving(good, others)))
  }

  private static func world(assetLinks: String, type: String = "application/json") -> CheckWorld {
    world(["assetlinks.json": .answer(type: type, assetLinks)])
  }

  // MARK: What is asked

  @Test(arguments: ["example.com:443", "https://example.com:443/buy/1"])
  func `the port of HTTPS is no port`(argument: String) throws {
    let asked = Mutex<Set<String>>([])
    let script = CheckServer.serving(
      Self.good, ["assetlinks.json": .answer(statements("org.swift.shop"))])
    let world = CheckWorld(
      CheckServer { request in
        asked.withLock { _ = $0.insert(path(of: request)) }
        return script(request)
      })
    try world.check(
      argument,
      cdn: { _ in
        .answer(
          "404 Not Found", fields: ["Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 451"], "")
      }, exitCode: 1
    ).says(
      .start(
        "example.com: universal links will not work: Apple's CDN has no file, because of "
          + "SWCERR00101 Bad HTTP Response: 451"), "port 80: ", "www.example.com: ",
      "assetlinks.json: ", .lacks("skipped"))
    for name in ["assetlinks.json", "webauthn", "passkey-endpoints"] {
      #expect(asked.withLock { $0.contains("/.well-known/" + name) }, "\(name)")
    }
  }

  @Test func `the first lines say what was not asked, once`() throws {
    var world = CheckWorld(CheckServer())
    try world.check(exitCode: 0).says(.start(Self.served + "; Apple's CDN was not asked\n\n"))
    var options = CheckWorld.Options()
    options.origin = "127.0.0.1"
    world.lead("127.0.0.1", port: CheckWorld.port, to: CheckServer())
    try world.check(exitCode: 0, options).says(
      .start(
        Self.served + "; Apple's CDN was not asked (an address for the host was given)\n"
          + "skipped: port 80, www, assetlinks.json, passkeys\n"))
    world.lead("1.0.0.1", port: 8_443, to: CheckServer())
    try world.check("example.com:8443", exitCode: 0).says(
      "; Apple's CDN was not asked (the port is 8443, but devices use 443)\n")
    try world.check("example.com:8443", cdn: { _ in .answer(Self.good) }, exitCode: 0).says(
      .start(
        Self.served + "\nskipped: port 80, www, assetlinks.json, passkeys (the port is 8443, but "))
    try world.check(cdn: { _ in .answer(Self.good) }, exitCode: 0).says(
      .lacks("skipped"), .lacks("was not asked"))
    try world.check("applinks:example.com?mode=developer", exitCode: 0).says(
      .start(Self.served + "\n\n"))
  }

  // MARK: Other hosts and port 80

  @Test func `the file is on port 80 alone`() throws {
    var world = CheckWorld(Self.missing)
    world.lead("1.0.0.1", port: 80, to: .plain { _ in .answer(Self.good) })
    try expectKept(world.check(exitCode: 1).normalized, as: "F053")
  }

  @Test func `www has another file, and Android's file is elsewhere`() throws {
    var world = CheckWorld(
      CheckServer { request in
        if path(of: request) == "/.well-known/assetlinks.json" {
          return .redirect(to: "https://www.example.com/")
        }
        return .answer(request.contains("Host: www.") ? Self.other : Self.good)
      })
    world.set("www.example.com", to: "1.0.0.1")
    let text = try world.check(exitCode: 0)
    text.says("[F055]", "[F057]")
    try expectKept(text.normalized, as: "F055-F057")
  }

  @Test func `www redirects, and the file is not there`() throws {
    var world = CheckWorld(
      CheckServer { request in
        request.contains("Host: www.")
          ? .redirect(to: "https://example.com/") : CheckServer.good(request)
      })
    world.set("www.example.com", to: "1.0.0.1")
    world.lead("1.0.0.1", port: 80, to: .plain { _ in .redirect(to: "https://example.com/") })
    try world.check(exitCode: 0).says(
      .part(
        "note: www.example.com has no file (a redirect to https://example.com/): links to this "
          + "host do not open the app [F054]"),
      .part(
        "also:\n  port 80: a redirect to https://example.com/\n  www.example.com: a redirect to "
          + "https://example.com/"))
  }

  @Test func `the help for a missing file names the host that has it`() throws {
    for (missing, other) in [
      ("example.com", "www.example.com"), ("www.example.com", "example.com"),
    ] {
      var world = CheckWorld()
      world.set(missing, to: "1.0.0.1")
      world.lead("1.0.0.1", to: Self.missing)
      world.set(other, to: "1.0.0.2")
      world.lead("1.0.0.2", to: CheckServer())
      try world.check("https://\(missing)/buy/1", exitCode: 1).says(
        "[F031]", "  help: \(other) has the file, but each host")
    }
  }

  // MARK: Android's file

  @Test func `a page in the place of Android's file`() throws {
    let world = CheckWorld(
      CheckServer {
        path(of: $0) == "/.well-known/assetlinks.json" ? .answer("<html>") : .answer(Self.good)
      })
    try expectKept(world.check(exitCode: 0).normalized, as: "F057")
  }

  @Test func `the live file for Android is judged`() throws {
    let list =
      #"[{"relation": ["delegate_permission/common.handle_all_urls", "#
      + #""delegate_permission/common.handle_all_url"], "target": {"namespace": "web"}}]"#
    try Self.world(assetLinks: list, type: "text/html").check(exitCode: 0).says(
      "the content type of assetlinks.json is text/html [F058]", "(D105), and one more error [F059]"
    )
    // Android verifies no app with such a file.
    for list in [
      statements("org.swift.shop", fingerprint: shopFingerprint.lowercased()),
      statements("org.swift.shop").replacing("[{", with: #"[{"version": 1, "#, maxReplacements: 1),
    ] {
      try Self.world(assetLinks: list).check(exitCode: 1).says(
        ": assetlinks.json has an error in line 1")
    }
  }

  @Test func `a fingerprint in lower case beside a good one is a warning`() throws {
    let other = shopFingerprint.replacing("5E:8F", with: "00:11").lowercased()
    let list = statements("org.swift.shop").replacing(
      "\"\(shopFingerprint)\"", with: "\"\(other)\", \"\(shopFingerprint)\"")
    try Self.world(assetLinks: list).check(exitCode: 0).says(
      .part(
        "\nwarning: assetlinks.json has a fault in line 1: the fingerprint is in lower case (D137) "
          + "[F059]\n"))
  }

  @Test func `robots_txt that keeps Google from assetlinks_json is noted`() throws {
    let world = CheckWorld(
      CheckServer { request in
        switch path(of: request) {
        case "/robots.txt": .answer("User-agent: *\nDisallow: /.well-known/\n")
        case "/.well-known/assetlinks.json": .answer(statements("org.swift.shop"))
        default: .answer(Self.good)
        }
      })
    let text = try world.check(exitCode: 0)
    text.says("note: robots.txt does not let Google's robot fetch assetlinks.json [F107]\n")
    try expectKept(text.normalized, as: "F107")
  }

  // MARK: Other well-known files

  private func checkFile(_ name: String, _ answer: CheckServer.Answer) throws -> String {
    try Self.world([
      name: answer,
      "elsewhere": .answer(
        name == "webauthn"
          ? #"{"origins":["https://a.com"]}"# : #"{"enroll":"https://example.com/x"}"#),
    ]).check(exitCode: 0)
  }

  @Test func `webauthn may redirect by https, and passkey-endpoints may not`() throws {
    try checkFile("webauthn", .redirect(to: "https://example.com/elsewhere")).says(
      "note: webauthn redirects, and clients follow this redirect only over https [F114]",
      "  source: the Web Authentication specification, section 5.11.1")
    try checkFile("webauthn", .redirect(to: "http://example.com/elsewhere")).says(
      "warning: webauthn redirects to a URL without https")
    try checkFile("passkey-endpoints", .redirect(to: "/elsewhere")).says(
      "warning: passkey-endpoints redirects", "W3C's draft")
  }

  @Test func `a sixth name in webauthn is found`() throws {
    let origins = (1...6).map { "\"https://a\($0).com\"" }.joined(separator: ",")
    try checkFile("webauthn", .answer("{\"origins\":[\(origins)]}")).says(
      "webauthn has a fault: clients skip this origin", "(D153) [F109]")
  }

  private static let merchant = "apple-developer-merchantid-domain-association"

  /// The report on a domain with these files, and another that answers all paths so.
  private func report(
    _ answers: [String: CheckServer.Answer], elsewhere: CheckServer.Answer = .answer("404 No", "")
  ) throws -> String {
    var world = Self.world(answers)
    world.set("other.example.com", to: "1.0.0.2")
    world.lead(
      "1.0.0.2", to: CheckServer(CheckCertificate(names: ["other.example.com"])) { _ in elsewhere })
    return try world.check(exitCode: 0)
  }

  @Test func `faults of files about passkeys, and redirects of Apple's, are warnings`() throws {
    try report([
      "webauthn": .answer(#"{"origins": ["https://b.example"]}"#),
      "passkey-endpoints": .answer(#"{"enroll": "https://b.example/a"}"#),
      Self.merchant: .answer("7B"),
    ]).says(.lacks("warning"))
    let wrong = try report(
      [
        "webauthn": .answer(#"{"origins": ["b.example"]}"#),
        "passkey-endpoints": .answer(type: "text/plain", #"{"enroll": "https://b.example/a"}"#),
        Self.merchant: .redirect(to: "https://other.example.com/.well-known/" + Self.merchant),
      ], elsewhere: .answer(type: "text/plain", "7B22"))
    for line in [
      "warning: webauthn has an error: `b.example` is not an https origin (D151) [F109]\n",
      "warning: the content type of passkey-endpoints is text/plain [F109]\n",
      "warning: \(Self.merchant) redirects, and clients of this file follow no redirect [F108]\n",
    ] {
      wrong.says(.part(line))
    }
    try report(["passkey-endpoints": .answer(#"{"prfUsageDetails": 1}"#)]).says(
      "warning: passkey-endpoints has a fault: ")
  }

  @Test func `a domain that redirects everything, or answers it, has no such files`() throws {
    let names = ["webauthn", "passkey-endpoints", Self.merchant]
    for elsewhere in [
      CheckServer.Answer.answer("404 Not Found", "no"),
      .answer(type: "text/html", "<!doctype html>"), .redirect(to: "https://example.com/"),
    ] {
      let answers = names.map {
        ($0, CheckServer.Answer.redirect(to: "https://other.example.com/.well-known/" + $0))
      }
      try report(
        Dictionary(uniqueKeysWithValues: answers), elsewhere: elsewhere
      ).says(.lacks("[F108]"))
    }
    try CheckWorld(CheckServer { _ in .answer(Self.good) }).check(exitCode: 0).says(
      .lacks("[F109]"))
  }
}
