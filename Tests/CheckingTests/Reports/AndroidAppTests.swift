import DigitalAssetLinks
import Rules
import TestRunning
import Testing

@testable import Checking
@testable import Client
@testable import TLS

/// Reports on the rights that a host gives an Android app.
@Suite struct AndroidAppTests {
  private static func list(_ fingerprint: String = shopFingerprint, _ relations: String...)
    -> String
  {
    let all = relations.isEmpty ? ["handle_all_urls", "get_login_creds"] : relations
    let names = all.map { "\"delegate_permission/common.\($0)\"" }.joined(separator: ",")
    return #"[{"relation":[\#(names)],"target":{"namespace":"android_app","#
      + #""package_name":"org.swift.shop","sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#
  }

  private static func app(_ fingerprints: String..., named name: String = "org.swift.shop")
    -> AndroidApp
  {
    AndroidApp(packageName: name, fingerprints: fingerprints)
  }

  private static let other = shopFingerprint.replacing("5E:8F", with: "00:11")
  private static let included = #"[{"include":"https://other.example/links.json"}]"#

  private static func ignoring(_ codes: String...) -> VerdictPolicy {
    var policy = VerdictPolicy()
    policy.ignored = Set(codes)
    return policy
  }

  private func check(
    _ answer: CheckServer.Answer, _ apps: AndroidApp..., policy: VerdictPolicy = VerdictPolicy(),
    exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try CheckWorld(CheckServer { _ in answer }).checkAndroid(
      apps.isEmpty ? [Self.app(shopFingerprint)] : apps, policy: policy, exitCode: exitCode,
      at: location)
  }

  @Test func `both rights, and the origin of passkeys`() throws {
    #expect(
      try check(.answer(Self.list()), exitCode: 0) == """
        example.com for org.swift.shop: the app may open links, and use passwords and passkeys; \
        Google's service for asset links was not queried

        also:
          the statement in line 1 lets the app open links
          the statement in line 1 lets the app use passwords and passkeys
          a passkey server must accept the origin \
        android:apk-key-hash:Xo8WBi6jzSxKDVR4drqm84yr9iUZB02TDLH5ei1k6LA
          a passkey server must accept the origin https://example.com, which apps on Apple's \
        systems send

        """)
  }

  @Test func `one of several fingerprints is enough`() throws {
    let text = try check(
      .answer(Self.list()), Self.app(shopFingerprint, Self.other), exitCode: 0)
    #expect(text.components("a passkey server must accept") == 3, "\(text)")
  }

  @Test func `each of several packages is judged`() throws {
    try check(
      .answer(Self.list()), Self.app(shopFingerprint),
      Self.app(shopFingerprint, named: "org.swift.other"), exitCode: 1
    ).says(
      "assetlinks.json does not let org.swift.other open links [F120]",
      .start(
        "example.com for org.swift.shop: the app may open links, and use passwords and passkeys; "))
  }

  @Test func `a right that is missing is named`() throws {
    let links = try check(.answer(Self.list(shopFingerprint, "get_login_creds")), exitCode: 1)
    links.says("assetlinks.json does not let org.swift.shop open links [F120]")
    try check(.answer(Self.list(shopFingerprint, "handle_all_urls")), exitCode: 1).says(
      "assetlinks.json does not let org.swift.shop use passwords and passkeys [F121]")
    try check(.answer(Self.list(Self.other)), exitCode: 1).says(
      "open links only if the app is signed with a key other than the given key [F120]",
      "if the given key is the upload key"
    )
    try check(.answer(Self.list(shopFingerprint.lowercased())), exitCode: 1).says(
      "in lower case, but Android expects upper case")
    #expect(try check(.answer("404 Not Found", "no"), exitCode: 1).contains("(status 404) [F100]"))
  }

  @Test(arguments: [
    (#""version": 1"#, "Android cannot read a list with a number (D112)"),
    (#""more": [true]"#, "Android cannot read `true` or `false` in a list (D112)"),
  ])
  func `Android gives a list up at a value that it does not know`(member: String, words: String)
    throws
  {
    try check(
      .answer(Self.list().replacing("[{", with: "[{\(member), ", maxReplacements: 1)), exitCode: 1
    ).says(
      "Android cannot read assetlinks.json in line 1", .part(words), .lacks("may open links")
    )
  }

  @Test func `what Android drops lets an app do nothing`() throws {
    let beside = Self.list().replacing(
      "[{", with: #"[{"include":"https://other.example/x.json", "#, maxReplacements: 1)
    #expect(try check(.answer(beside), exitCode: 4).contains("includes another list"))
    let broken = Self.list(shopFingerprint, "handle_all_urls", "Get Login")
    #expect(
      try check(.answer(broken), exitCode: 1).contains(
        "assetlinks.json does not let org.swift.shop open links [F120]"))
    try check(.answer(Self.list("AA:BB")), exitCode: 1).says(
      "lists org.swift.shop without a usable fingerprint")
  }

  private static let cures: [(answer: CheckServer.Answer, help: String)] = [
    (.answer("{}"), "help: put the statements into [ ]"),
    (.answer(""), "help: write a list of statements"),
    (.answer(type: "text/html", "<html>"), "must not answer this path with its fallback page"),
    (.redirect(to: "https://www.example.com/"), "itself: Android follows no redirect"),
    (.answer("503 Service Unavailable", ""), "with status 200"),
  ]

  @Test(arguments: cures.indices) func `the cure for a list that is none is the right one`(
    index: Int
  ) throws {
    try check(Self.cures[index].answer, exitCode: 1).says("[F100]", .part(Self.cures[index].help))
  }

  @Test func `a fault of the host is none of this machine`() throws {
    let server = CheckServer(CheckCertificate(names: ["other.example"])) { _ in
      .answer(Self.list())
    }
    try CheckWorld(server).checkAndroid(exitCode: 1).says(
      "the certificate is not for example.com", .lacks("with status 200"))
  }

  @Test func `a right that is left out is not claimed`() throws {
    try check(
      .answer(Self.list(shopFingerprint, "handle_all_urls")), policy: Self.ignoring("F121"),
      exitCode: 0
    ).says(
      .start("example.com for org.swift.shop: the app may open links; "), "lets the app open links")
    try check(
      .answer("[]"), policy: Self.ignoring("F120", "F121", "F059"), exitCode: 0
    ).says("the app has no permission from this host")
  }

  @Test func `a package that is nearly the one is named`() throws {
    try check(
      .answer(Self.list()), Self.app(shopFingerprint, named: "org.swift.Shop"), exitCode: 1
    ).says("assetlinks.json lists org.swift.shop: did you mean this package?")
    try check(
      .answer(Self.list()), Self.app(shopFingerprint, named: "ORG.SWIFT.SHOP"), exitCode: 1
    ).says("assetlinks.json lists org.swift.shop: did you mean this")
    try check(.answer(Self.list(shopFingerprint, "handle_all_urls")), exitCode: 1).says(
      "[F121]", .lacks("did you mean"))
  }

  @Test func `dynamic rules may keep a link from the app`() throws {
    let list = statements(
      "org.swift.shop", rules: #"[{"/": "/buy/*", "exclude": true}, {"/": "*"}]"#)
    let world = CheckWorld(CheckServer { _ in .answer(list) })
    try world.checkAndroid(
      links: ["https://example.com/buy/1"], policy: Self.ignoring("F121"), exitCode: 1
    ).says("https://example.com/buy/1 stays in the browser on Android 15 and later")
    try world.checkAndroid(
      links: ["https://example.com/sell/1"], policy: Self.ignoring("F121"), exitCode: 0
    ).says(.lacks("F104"))
  }

  @Test func `what is not known is never green`() throws {
    #expect(
      try CheckWorld(("1.0.0.1", nil)).checkAndroid(exitCode: 4).contains(
        "assetlinks.json could not be requested"))
    try check(.answer(Self.included), exitCode: 4).says("includes another list", "[F122]")
  }

  // MARK: Google

  private static func statement(_ relation: String) -> String {
    #"{"relation":"delegate_permission/common.\#(relation)","target":{"androidApp":"#
      + #"{"packageName":"org.swift.shop","certificate":{"sha256Fingerprint":"\#(shopFingerprint)"}}}}"#
  }

  private func check(
    _ list: String = list(), google: CheckServer.Answer,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var world = CheckWorld(CheckServer { _ in .answer(list) })
    world.lead(
      "127.0.0.1", port: 9_998,
      to: .plain { request in
        path(of: request).hasSuffix("source.web.site=https://example.com")
          ? google : .answer("404 Not Found", "")
      })
    return try world.checkAndroid(
      google: try HostTarget("http://127.0.0.1:9998"), exitCode: 0, at: location)
  }

  @Test func `Google's service is asked, and its refusal alone is a warning`() throws {
    try check(
      google: .answer("400 Bad Request", #"{"error":{"code":400,"message":"no list"}}"#)
    ).says(
      .part(
        "warning: Google's service, which devices query, has no assetlinks.json of the host "
          + "(no list) [F123]"))
    try check(google: .answer(#"{"statements":[],"maxAge":"3s"}"#)).says(
      "has no assetlinks.json of the host [F123]")
    try check(
      google: .answer(#"{"statements":[\#(Self.statement("handle_all_urls"))]}"#)
    ).says(
      "no statement yet that lets the app use passwords and passkeys [F123]",
      .lacks("lets the app open links [F123]"))
    try check(google: .fault(.lost(.response, nil))).says(
      "note: Google's service could not be queried: ", "[F124]")
  }

  @Test func `Google reads lists that are included`() throws {
    let both = ["handle_all_urls", "get_login_creds"].map(Self.statement).joined(separator: ",")
    try check(Self.included, google: .answer(#"{"statements":[\#(both)]}"#)).says(
      "a list that assetlinks.json includes lets the app open links")
  }
}
