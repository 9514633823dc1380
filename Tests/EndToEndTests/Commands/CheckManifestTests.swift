import AppFileSupport
import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --manifest`.
@Suite(.manyAtOnce, .needs(.openssl)) struct CheckManifestTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
  }

  private static func list(_ packageName: String, rules: String? = nil) -> String {
    statements(packageName, rules)
  }

  private func write(_ inside: String, activity: String = #"android:exported="true""#) throws {
    try workspace.write(
      "AndroidManifest.xml",
      """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.swift.shop">
        <application>
          <activity android:name=".Main" \(activity)>
            \(inside)
          </activity>
        </application>
      </manifest>
      """)
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

  private func server(_ answer: ScriptedServer.Step) throws -> ScriptedServer {
    let identity = try authority.issue("example.com")
    return try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) { _ in
      [answer]
    }
  }

  private func check(_ arguments: [String], _ server: ScriptedServer? = nil) throws -> Finished {
    let port = server?.port ?? 1
    return try workspace.aasa(
      ["check", "--manifest", "AndroidManifest.xml", "--ca", authority.rootFile] + arguments
        + (server == nil ? [] : ["--resolve", "example.com:443:127.0.0.1:\(port)"]))
  }

  @Test func `a host that names the app with its fingerprint is right`() throws {
    try write(Self.good)
    let server = try server(.answer(Self.list("org.swift.shop")))
    try check(["--fingerprint", shopFingerprint], server).says(
      .whole("example.com on Android: assetlinks.json lets org.swift.shop open links\n"), exit: 0,
      errors: .nothing)
    let paths = server.requests.map { path(of: $0) }
    #expect(paths == ["/.well-known/assetlinks.json", "/robots.txt"])
    let other = shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    try check(["--fingerprint", other, "--fingerprint", shopFingerprint], server).says(exit: 0)
    let unknown = try check([], server)
    #expect(unknown.text.contains("; its fingerprint was not compared"), "\(unknown.text)")
    let json = try check(["--json"], server)
    #expect(json.text.hasPrefix(#"{"domain":"example.com on Android","good":true"#), "\(json.text)")
  }

  @Test func `another fingerprint, another app and no file are named`() throws {
    try write(Self.good)
    let other = shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    let server = try server(.answer(Self.list("org.swift.shop")))
    let fingerprint = try check(["--fingerprint", other], server).says(
      "assetlinks.json names org.swift.shop with a fingerprint other than the app's [F102]\n",
      "help: add \(other)", exit: 1)
    try expectKept(fingerprint.text, as: "F102")
    let app = try check(["--package", "org.swift.other"], server).says("[F101]", exit: 1)
    try expectKept(app.text, as: "F101")
    let missing = try self.server(.answer("404 Not Found", "no"))
    let none = try check([], missing).says(
      "there is no list of statements for Android (status 404) [F100]", exit: 1)
    try expectKept(none.text, as: "F100")
  }

  @Test func `a list that Android gives up, or that was not read, is not green`() throws {
    try write(Self.good)
    let list = Self.list("org.swift.shop")
    let number = list.replacing("[{", with: #"[{"version": 1, "#, maxReplacements: 1)
    try check(["--fingerprint", shopFingerprint], server(.answer(number)))
      .says("a number (D112) [F100]", exit: 1)
    let included = #"[{"include": "https://other.example/x.json"}]"#
    try check([], server(.answer(included))).says("[F122]", exit: 4)
    // A proxy that is down says nothing about the host.
    try run(
      Server.program, ["check", "--manifest", "AndroidManifest.xml"],
      environment: ["HTTPS_PROXY": "http://127.0.0.1:1"], folder: workspace.root
    ).says("[F122]", exit: 4)
  }

  @Test func `a package that Gradle fills in is asked for`() throws {
    try write(Self.good)
    let path = workspace.path("AndroidManifest.xml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try workspace.write(
      "AndroidManifest.xml", text.replacing("org.swift.shop", with: "${applicationId}"))
    let server = try server(.answer(Self.list("org.swift.shop")))
    #expect(try check([], server).errors.contains("give --package"))
    try check(["--set", "applicationId=org.swift.shop"], server).says(exit: 0)
  }

  @Test func `Android compares a fingerprint as text`() throws {
    try write(Self.good)
    let lower = Self.list("org.swift.shop").replacing(
      shopFingerprint, with: shopFingerprint.lowercased())
    try check(["--fingerprint", shopFingerprint], server(.answer(lower))).says(
      .part(
        "assetlinks.json has the fingerprint of org.swift.shop in lower case, and Android compares "
          + "it as text [F102]"), exit: 1)
    try check([], server(.answer(lower))).says("[F102]", exit: 1)
  }

  @Test func `a fingerprint in lower case beside a good one is a warning`() throws {
    try write(Self.good)
    let other = shopFingerprint.replacing("5E:8F", with: "00:11").lowercased()
    let both = Self.list(fingerprint: other + "\", \"" + shopFingerprint)
    try check(["--fingerprint", shopFingerprint], server(.answer(both))).says(
      .part(
        "\nwarning: assetlinks.json has a fault in line 1: the fingerprint is in lower case (D137) "
          + "[F059]\n"), exit: 0)
  }

  @Test func `a list that is not JSON is shown at its place, and robots.txt is read`() throws {
    try write(Self.good)
    let broken = Self.list("org.swift.shop").dropLast() + ",]"
    try check([], server(.answer(String(broken)))).says(
      "Android cannot read assetlinks.json in line ",
      "a comma follows the last element of the array", "help: remove this comma", exit: 1)
    let identity = try authority.issue("example.com")
    let robots = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      path(of: $0) == "/robots.txt"
        ? [.answer(type: "text/plain", "User-agent: *\nDisallow: /\n")]
        : [.answer(Self.list("org.swift.shop"))]
    }
    #expect(
      try check([], robots).text.contains("robots.txt blocks Google from assetlinks.json [F107]"))
  }

  @Test func `mistakes in filters are named with their line`() throws {
    try write(
      Self.filter(
        #"<data android:scheme="https" android:host="https://Example.com/" android:path="buy" />"#)
        + Self.filter(
          #"<data android:scheme="https" android:host="${host}" />"#, attributes: "")
        + Self.filter(
          #"<data android:scheme="https" android:scheme2="" android:host="@string/host" />"#
            + #"<data android:scheme="shop" />"#
        ).replacingOccurrences(of: "BROWSABLE", with: "OTHER"), activity: "")
    let run = try check([]).says(
      "[F093]", "[F094]", "[F095]", "[F096]", "[F097]", "[F098]", "[F099]",
      "line 4, .Main: `https://Example.com/` is not a lowercase host name",
      "the host ${host} was not checked: the build fills it in", exit: 1)
    try expectKept(run.text, as: "F093-F099")
  }

  @Test func `a manifest without links is an error`() throws {
    try write("")
    let run = try check([]).says("no intent filter for https links of a host [F092]", exit: 1)
    try expectKept(run.text, as: "F092")
  }

  @Test func `variables are filled in`() throws {
    try write(Self.good.replacingOccurrences(of: "example.com", with: "${host}"))
    let server = try server(.answer(Self.list("org.swift.shop")))
    try check(["--set", "host=example.com"], server).says("example.com on Android", exit: 0)
  }

  @Test func `a link is decided by the filters, and by dynamic rules`() throws {
    try write(Self.good)
    let server = try server(
      .answer(Self.list("org.swift.shop", rules: #"[{"/": "/buy/?*"}]"#)))
    try check(["--url", "https://example.com/buy/42"], server).says(
      .part(
        "https://example.com/buy/42 on Android: .Main handles it through the filter in line 4: "
          + "android:pathPrefix=\"/buy/\"\n"), exit: 0)
    let left = try check(["--url", "/sell/42"], server).says(
      .part(
        "the manifest does not match it: its path is `/sell/42`, and the filters have pathPrefix "
          + "`/buy/` in line 4 [F103]\n"), exit: 1)
    try expectKept(left.text, as: "F103")
    let kept = try check(["--url", "https://example.com/buy/"], server).says(
      .part(
        "https://example.com/buy/ stays in the browser since Android 15: its only dynamic rule "
          + "does not match [F104]\n"), exit: 1)
    try expectKept(kept.text, as: "F104")
    try write(Self.good.replacingOccurrences(of: "\"example.com", with: "\"*.example.com"))
    let below = try check(["--url", "https://a.example.com/buy/"], server)
    #expect(below.text.contains("https://a.example.com/buy/ stays in the browser"), "\(below.text)")
    try write(Self.good)
    for (url, reason) in [
      ("http://example.com/buy/1", "no filter for links names http://example.com"),
      ("https://example.com:8443/buy/1", "handles it"), ("https://example.net/", "example.net"),
      ("shop://buy", "it is not a link with https or http"),
    ] {
      let run = try check(["--url", url], server)
      #expect(run.text.contains(reason), "\(url): \(run.text)")
    }
  }

  @Test func `a fingerprint may be written in any form, and nothing else is compared`() throws {
    try write(Self.good)
    let server = try server(.answer(Self.list("org.swift.shop")))
    let digits = shopFingerprint.replacing(":", with: "")
    for text in [shopFingerprint.lowercased(), digits, "SHA256: \(shopFingerprint)"] {
      try check(["--fingerprint", text], server).says(exit: 0)
    }
    for text in ["zz", "", String(shopFingerprint.prefix(59)), "none.txt"] {
      try check(["--fingerprint", text], server).says(exit: 2, errors: "nor a SHA-256 digest")
    }
  }

  private static func list(fingerprint: String) -> String {
    list("org.swift.shop").replacing(shopFingerprint, with: fingerprint)
  }

  private static let refused: [(list: String, type: String, cause: String)] = [
    // No app has such a fingerprint.
    (list(fingerprint: "TODO"), "application/json", "[F102]"),
    (list(fingerprint: shopFingerprint.replacing(":", with: "")), "application/json", "[F102]"),
    // Google's service refuses another type.
    (list("org.swift.shop"), "text/plain", "[F058]"),
    ("[{},]", "application/json", "in line 1, column 4: a comma follows"),
    ("{}", "application/json", "(the top level of assetlinks.json is not a JSON array)"),
  ]

  @Test(arguments: refused)
  func `a list by which no link opens the app is wrong, and says why`(
    list: String, type: String, cause: String
  ) throws {
    try write(Self.good)
    let run = try check([], server(.answer(type: type, list))).says(.part(cause), exit: 1)
    #expect(run.text.split(separator: "\nerror: ").count == 2, "\(run.text)")
  }

  @Test func `a fault in a statement for another app is a warning`() throws {
    try write(Self.good)
    let other = Self.list("org.swift.other").replacing(shopFingerprint, with: "TODO")
    let list = "\(Self.list("org.swift.shop").dropLast()),\(other.dropFirst())"
    try check(["--fingerprint", shopFingerprint], server(.answer(list))).says(
      .start(
        "example.com on Android: assetlinks.json lets org.swift.shop open links, with 1 warning\n"),
      exit: 0)
  }

  @Test func `a filter that asks for no verification is wrong`() throws {
    let server = try server(.answer(Self.list("org.swift.shop")))
    for filter in [
      Self.good.replacing(#"android:autoVerify="true""#, with: ""),
      Self.good.replacing("<data ", with: #"<data android:scheme="shop"/><data "#),
    ] {
      try write(filter)
      try check([], server).says(.start("2 checked: 1 is wrong, 1 is right"), exit: 1)
    }
  }

  @Test func `an app's second statement counts as its first does`() throws {
    try write(Self.good)
    let one = Self.list("org.swift.shop")
    let other = one.replacingOccurrences(of: "5E:8F", with: "00:11")
    let ruled = Self.list("org.swift.shop", rules: #"[{"/": "/buy/?*"}]"#)
    func both(_ first: String, _ second: String) -> String {
      String(first.dropLast()) + ", " + second.dropFirst()
    }
    for list in [both(one, other), both(other, one)] {
      try check(["--fingerprint", shopFingerprint], server(.answer(list))).says(exit: 0)
    }
    for list in [both(one, ruled), both(ruled, one)] {
      try check(["--url", "https://example.com/buy/"], server(.answer(list)))
        .says("[F104]", exit: 1)
    }
  }

  @Test func `dynamic rules that lie outside the manifest are named`() throws {
    try write(Self.good)
    let rules =
      #"[{"/": "/sell/*"}, {"/": "/*/item"}, {"/": "/other", "exclude": true}, {"/": "/buy/*"}]"#
    let server = try server(.answer(Self.list("org.swift.shop", rules: rules)))
    let run = try check([], server).says(
      .part(
        "warning: the dynamic rule in line 1, path /sell/*, opens no link: no filter of the "
          + "manifest has such a path [F105]\n"), exit: 0)
    try expectKept(run.text, as: "F105")
    #expect(!run.text.contains("/*/item") && !run.text.contains("/other"), "\(run.text)")
  }

  @Test func `a package is read, and a bundle says what to give`() throws {
    let manifest = BinaryManifest.bytes(of: BinaryManifest.shop(host: .text("example.com")))
    try workspace.write(
      "AndroidManifest.xml", AppFileSamples.archive([("AndroidManifest.xml", manifest)]))
    let server = try server(.answer(Self.list("org.swift.shop")))
    try check(["--url", "https://example.com:8443/buy/1"], server)
      .says("example.com on Android: assetlinks.json lets org.swift.shop", exit: 0)
    try workspace.write(
      "AndroidManifest.xml",
      AppFileSamples.archive([("base/manifest/AndroidManifest.xml", [1])]))
    try check([]).says(exit: 2, errors: "bundletool dump manifest --bundle=APP.aab")
  }

  @Test func `another filter may ask for the verification of a host`() throws {
    try write(
      Self.good + Self.good.replacingOccurrences(of: #"android:autoVerify="true""#, with: ""))
    let server = try server(.answer(Self.list("org.swift.shop")))
    let run = try check([], server)
    #expect(run.exitCode == 0 && !run.text.contains("[F094]"), "\(run.text)")
  }

  @Test func `a pattern that Android refuses, and a path that the build fills in, are named`()
    throws
  {
    try write(
      Self.filter(
        #"<data android:scheme="https" android:host="example.com" "#
          + #"android:pathAdvancedPattern="/[a" android:path="${path}" />"#))
    let server = try server(.answer(Self.list("org.swift.shop")))
    try check(["--url", "/buy"], server).says(
      "`/[a` is a pattern that Android refuses [F097]",
      "undecided: the build fills in a path [F103]", exit: 1)
    let filled = try check(["--url", "/buy", "--set", "path=/buy"], server)
    #expect(filled.text.contains("android:path=\"/buy\""), "\(filled.text)")
  }

  @Test func `wrong usage is explained`() throws {
    try workspace.aasa("check", "example.com", "--package", "a.b")
      .says(exit: 2, errors: "need --manifest")
    try check([]).says(exit: 2, errors: "cannot read AndroidManifest.xml")
    try workspace.write("AndroidManifest.xml", "<manifest/>")
    try check([]).says(exit: 2, errors: "give --package")
  }
}
