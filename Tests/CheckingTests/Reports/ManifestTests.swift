import AppFiles
import Diagnostics
import Rules
import TestRunning
import Testing

@testable import Checking
@testable import Client

/// Reports on an Android manifest and the hosts that it names.
@Suite struct ManifestTests {
  private static func manifest(
    _ inside: String, activity: String = #"android:exported="true""#
  ) -> String {
    """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.swift.shop">
      <application>
        <activity android:name=".Main" \(activity)>
          \(inside)
        </activity>
      </application>
    </manifest>
    """
  }

  private static func filter(_ data: String, attributes: String = #"android:autoVerify="true""#)
    -> String
  {
    """
    <intent-filter \(attributes)>
      <action android:name="android.intent.action.VIEW" />
      <category android:name="android.intent.category.DEFAULT" />
      <category android:name="android.intent.category.BROWSABLE" />
      \(data)
    </intent-filter>
    """
  }

  private static let good = filter(
    #"<data android:scheme="https" android:host="example.com" android:pathPrefix="/buy/" />"#)
  private static let list = statements("org.swift.shop")
  private static let other = shopFingerprint.replacing("5E:8F", with: "00:11")

  private func check(
    _ filters: String = good, _ answer: CheckServer.Answer = .answer(list),
    fingerprints: [String] = [], package name: String = "org.swift.shop", urls: [String] = [],
    variables: [String: String] = [:], activity: String = #"android:exported="true""#,
    world: CheckWorld? = nil, overlaps: Budget = CheckLimits.overlaps, exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let world = world ?? CheckWorld(CheckServer { _ in answer })
    let text = Self.manifest(filters, activity: activity)
    let read = try AndroidManifest(Array(text.utf8))
      .filling(variables)
    let check = AndroidLinkCheck(
      read, at: "AndroidManifest.xml", packageName: name, fingerprints: fingerprints, links: urls,
      overlaps: overlaps)
    return world.says(check.results(try world.context()).subjects, exitCode, location)
  }

  @Test func `a host that names the app with its fingerprint is right`() throws {
    #expect(
      try check(fingerprints: [shopFingerprint], exitCode: 0)
        == "example.com on Android: assetlinks.json lets org.swift.shop open links\n")
    _ = try check(fingerprints: [Self.other, shopFingerprint], exitCode: 0)
    #expect(
      try check(exitCode: 0).contains("; the fingerprint of the app's certificate was not"))
  }

  @Test func `another fingerprint, another app and no file are named`() throws {
    try expectKept(check(fingerprints: [Self.other], exitCode: 1), as: "F102")
    try expectKept(check(package: "org.swift.other", exitCode: 1), as: "F101")
    try expectKept(check(Self.good, .answer("404 Not Found", "no"), exitCode: 1), as: "F100")
  }

  @Test func `a list that Android gives up, or that was not read, is not green`() throws {
    let number = Self.list.replacing("[{", with: #"[{"version": 1, "#, maxReplacements: 1)
    #expect(try check(Self.good, .answer(number), exitCode: 1).contains("a number (D112) [F100]"))
    let included = #"[{"include": "https://other.example/x.json"}]"#
    #expect(try check(Self.good, .answer(included), exitCode: 4).contains("[F122]"))
    // A network that is down says nothing about the host.
    try check(world: CheckWorld(("1.0.0.1", nil)), exitCode: 4).says("[F122]")
  }

  @Test func `Android compares a fingerprint as text`() throws {
    let lower = CheckServer.Answer.answer(
      statements("org.swift.shop", fingerprint: shopFingerprint.lowercased()))
    try check(Self.good, lower, fingerprints: [shopFingerprint], exitCode: 1).says(
      .part(
        "assetlinks.json has the fingerprint of org.swift.shop in lower case, but Android expects "
          + "upper case, so the app may not open links [F102]"))
    #expect(try check(Self.good, lower, exitCode: 1).contains("[F102]"))
    let both = statements(
      "org.swift.shop", fingerprint: Self.other.lowercased() + "\", \"" + shopFingerprint)
    try check(
      Self.good, .answer(both), fingerprints: [shopFingerprint], exitCode: 0
    ).says(
      .part(
        "\nwarning: assetlinks.json has a fault in line 1: the fingerprint is in lower case (D137) "
          + "[F059]\n"))
  }

  @Test func `a list that is not JSON is shown at its place, and robots.txt is read`() throws {
    let text = try check(Self.good, .answer(String(Self.list.dropLast()) + ",]"), exitCode: 1)
    for words in [
      "Android cannot read assetlinks.json in line ",
      "a comma follows the last element of the array", "help: remove this comma",
    ] { #expect(text.contains(words), "\(text)") }
    let robots = CheckServer {
      path(of: $0) == "/robots.txt"
        ? .answer(type: "text/plain", "User-agent: *\nDisallow: /\n") : .answer(Self.list)
    }
    try check(world: CheckWorld(robots), exitCode: 0).says(
      "robots.txt does not let Google's robot fetch assetlinks.json [F107]")
  }

  @Test func `mistakes in filters are named with their line`() throws {
    let filters =
      Self.filter(
        #"<data android:scheme="https" android:host="https://Example.com/" android:path="buy" />"#)
      + Self.filter(#"<data android:scheme="https" android:host="${host}" />"#, attributes: "")
      + Self.filter(
        #"<data android:scheme="https" android:scheme2="" android:host="@string/host" />"#
          + #"<data android:scheme="shop" />"#
      ).replacing("BROWSABLE", with: "OTHER")
    try expectKept(check(filters, activity: "", exitCode: 1), as: "F093-F099")
    try expectKept(check("", exitCode: 1), as: "F092")
  }

  @Test func `variables are filled in`() throws {
    try check(
      Self.good.replacing("example.com", with: "${host}"), variables: ["host": "example.com"],
      exitCode: 0
    ).says("example.com on Android")
  }

  private static func ruled(_ rules: String) -> CheckServer.Answer {
    .answer(statements("org.swift.shop", rules: rules))
  }

  @Test func `a link is decided by the filters, and by dynamic rules`() throws {
    let answer = Self.ruled(#"[{"/": "/buy/?*"}]"#)
    try check(Self.good, answer, urls: ["https://example.com/buy/42"], exitCode: 0).says(
      .part(
        "https://example.com/buy/42 on Android: .Main handles the link through the filter in line "
          + "4: android:pathPrefix=\"/buy/\"\n"))
    let left = try check(Self.good, answer, urls: ["https://example.com/sell/42"], exitCode: 1)
    try expectKept(left, as: "F103")
    let kept = try check(Self.good, answer, urls: ["https://example.com/buy/"], exitCode: 1)
    try expectKept(kept, as: "F104")
    try check(
      Self.good.replacing("\"example.com", with: "\"*.example.com"), answer,
      urls: ["https://a.example.com/buy/"], exitCode: 1
    ).says("https://a.example.com/buy/ stays in the browser")
    for (url, reason, exitCode) in [
      ("http://example.com/buy/1", "no filter for links lists http://example.com", 1),
      ("https://example.com:8443/buy/1", "handles the link", 0),
      ("https://example.net/", "example.net", 1),
      ("shop://buy", "the text is not a valid https or http link", 1),
    ] as [(String, String, Int32)] {
      let text = try check(Self.good, answer, urls: [url], exitCode: exitCode)
      #expect(text.contains(reason), "\(url): \(text)")
    }
  }

  private static func list(fingerprint: String) -> String {
    statements("org.swift.shop", fingerprint: fingerprint)
  }

  private static let refused: [(list: String, type: String, cause: String)] = [
    // No app has such a fingerprint.
    (list(fingerprint: "TODO"), "application/json", "[F102]"),
    (list(fingerprint: shopFingerprint.replacing(":", with: "")), "application/json", "[F102]"),
    // Google's service refuses another type.
    (list, "text/plain", "[F058]"),
    ("[{},]", "application/json", "in line 1, column 4: a comma follows"),
    ("{}", "application/json", "(the top level of assetlinks.json is not a JSON array)"),
  ]

  @Test(arguments: refused)
  func `a list by which no link opens the app is wrong, and says why`(
    list: String, type: String, cause: String
  ) throws {
    let text = try check(Self.good, .answer(type: type, list), exitCode: 1)
    #expect(text.contains(cause) && !text.contains("\nerror: "), "\(text)")
  }

  @Test func `a fault in a statement for another app is a warning`() throws {
    let other = statements("org.swift.other", fingerprint: "TODO")
    let list = "\(Self.list.dropLast()),\(other.dropFirst())"
    try check(
      Self.good, .answer(list), fingerprints: [shopFingerprint], exitCode: 0
    ).says(
      .start(
        "example.com on Android: assetlinks.json lets org.swift.shop open links, with 1 warning\n"))
  }

  @Test func `a filter that asks for no verification is wrong`() throws {
    let silent = Self.good.replacing(#"android:autoVerify="true""#, with: "")
    _ = try check(silent, exitCode: 1)
    _ = try check(
      Self.good.replacing("<data ", with: #"<data android:scheme="shop"/><data "#), exitCode: 1)
    // Another filter may ask for the verification of the host.
    #expect(try !check(Self.good + silent, exitCode: 0).contains("[F094]"))
  }

  @Test func `an app's second statement counts as its first does`() throws {
    func both(_ first: String, _ second: String) -> CheckServer.Answer {
      .answer(String(first.dropLast()) + ", " + second.dropFirst())
    }
    let other = Self.list(fingerprint: Self.other)
    for list in [both(Self.list, other), both(other, Self.list)] {
      _ = try check(Self.good, list, fingerprints: [shopFingerprint], exitCode: 0)
    }
    let ruled = statements("org.swift.shop", rules: #"[{"/": "/buy/?*"}]"#)
    for list in [both(Self.list, ruled), both(ruled, Self.list)] {
      try check(Self.good, list, urls: ["https://example.com/buy/"], exitCode: 1).says("[F104]")
    }
  }

  @Test func `dynamic rules that lie outside the manifest are named`() throws {
    let rules =
      #"[{"/": "/sell/*"}, {"/": "/*/item"}, {"/": "/other", "exclude": true}, {"/": "/buy/*"}]"#
    let text = try check(Self.good, Self.ruled(rules), exitCode: 0)
    try expectKept(text, as: "F105")
    text.says(.lacks("/*/item"), .lacks("/other"))
    // What there is no budget for may be right.
    let unspent = Budget(operations: 0)
    try check(Self.good, Self.ruled(rules), overlaps: unspent, exitCode: 0).says(.lacks("F105"))
  }

  @Test func `a pattern that Android refuses, and a path that the build fills in, are named`()
    throws
  {
    let filter = Self.filter(
      #"<data android:scheme="https" android:host="example.com" "#
        + #"android:pathAdvancedPattern="/[a" android:path="${path}" />"#)
    let url = "https://example.com/buy"
    try check(filter, urls: [url], exitCode: 1).says(
      "`/[a` is a pattern that Android refuses [F097]",
      "undecided: a path in a filter has a placeholder that only the build replaces [F103]")
    try check(filter, urls: [url], variables: ["path": "/buy"], exitCode: 1).says(
      "android:path=\"/buy\"")
  }
}
