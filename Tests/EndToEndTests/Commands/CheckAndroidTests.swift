import AppFileSupport
import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --android`, and `--manifest`: an Android app with its manifest or without.
@Suite(.manyAtOnce, .needsNameServer) struct CheckAndroidTests {
  private static func list(_ fingerprint: String = shopFingerprint) -> String {
    statements("org.swift.shop", nil).replacing(shopFingerprint, with: fingerprint).replacing(
      #"["delegate_permission/common.handle_all_urls"]"#,
      with:
        #"["delegate_permission/common.handle_all_urls","delegate_permission/common.get_login_creds"]"#
    )
  }

  private static let app = ["--android", "org.swift.shop:" + shopFingerprint]

  /// A world in which example.com serves a list of statements; nil: it has no server.
  private func site(_ list: String? = list()) throws -> CheckSite {
    var site = try CheckSite(list.map { CheckSite.serving(links: $0) })
    // There is a name, but no server.
    if list == nil { site.network.set("example.com", to: "1.0.0.1") }
    return site
  }

  // MARK: Without a manifest

  @Test func `a fingerprint has any form that a tool prints`() throws {
    let site = try site()
    try site.workspace.write(
      "keytool.txt", "Certificate fingerprints:\n\t SHA256: \(shopFingerprint)\n")
    try site.workspace.write("signing.pem", site.authority.issue("signing.example").chain)
    for form in [
      shopFingerprint.lowercased(), shopFingerprint.filter { $0 != ":" }.lowercased(),
      shopFingerprint.filter { $0 != ":" }, "sha256 Fingerprint=" + shopFingerprint,
      shopFingerprint.replacing(":", with: " "), shopFingerprint.replacing(":", with: "-"),
      "[\(shopFingerprint)]",
      "Signer #1 certificate SHA-256 digest: " + shopFingerprint.filter { $0 != ":" }.lowercased(),
      "android:apk-key-hash:Xo8WBi6jzSxKDVR4drqm84yr9iUZB02TDLH5ei1k6LA", "keytool.txt",
    ] { try site.check("example.com", "--android", "org.swift.shop:" + form).says(exit: 0) }
    try site.check("example.com", "--android", "org.swift.shop:signing.pem")
      .says("a key other than", exit: 1)
    for (app, words) in [
      ("org.swift.shop:no-such-file", "neither a file nor a SHA-256"),
      ("org.swift.shop", "is not PACKAGE:FINGERPRINT"),
      ("org.swift.shop:" + shopFingerprint.prefix(59), "this digest has 20 bytes, like SHA-1"),
      ("org.:" + shopFingerprint, "org. is not a package name"),
    ] { try site.check("example.com", "--android", app).says(exit: 2, errors: .part(words)) }
  }

  @Test func `the origins of passkeys are printed for each of several packages`() throws {
    try site().check(
      "example.com", "--android", "org.swift.shop:" + shopFingerprint, "--android",
      "org.swift.other:" + shopFingerprint
    ).says(
      "2 checked: ", "org.swift.shop: the app may open links",
      "  also: a passkey server must accept the origin android:apk-key-hash:Xo8WBi6jzSxKDVR4",
      exit: 1)
  }

  @Test func `a package says its name and its certificate`() throws {
    // The digest of the word "certificate".
    let digest =
      "03:D6:6D:D0:88:35:C1:CA:3F:12:8C:CE:AC:D1:F3:1A:C9:41:63:09:6B:20:F4:45:AE:84:28:5B:C0:83:2D:72"
    let package = AppFileSamples.signedPackage(
      [(0x7109_871A, [Array("certificate".utf8)])],
      manifest: BinaryManifest.bytes(of: BinaryManifest.shop()))
    let site = try site(Self.list(digest))
    try site.workspace.write("Shop.apk", package)
    try site.check("example.com", "--android", "./Shop.apk")
      .says(.start("example.com for org.swift.shop: the app may open links"), exit: 0)
    try site.check("example.com", "--android", "org.swift.shop:Shop.apk").says(exit: 0)
    let other = try self.site()
    try other.workspace.write("Shop.apk", package)
    try other.check("example.com", "--android", "./Shop.apk")
      .says("with a key other than the given key", exit: 1)
  }

  @Test func `Google's own service is asked unless it is left out`() throws {
    var site = try site()
    let known =
      #"{"statements":[{"relation":"delegate_permission/common.handle_all_urls","target":"#
      + #"{"androidApp":{"packageName":"org.swift.shop","certificate":"#
      + #"{"sha256Fingerprint":"\#(shopFingerprint)"}}}}]}"#
    let google = try site.serve("digitalassetlinks.googleapis.com", at: "1.0.0.2") { _ in
      [.answer(known)]
    }
    // Without --ca, as for a domain in public: the authority is one of the system's.
    let environment = site.network.environment.merging(site.authority.environment) { $1 }
    func found(_ arguments: String...) throws -> Finished {
      try run(
        Server.program, ["check", "example.com", "--timeout", "30s"] + Self.app + arguments,
        environment: environment, folder: site.workspace.root)
    }
    try found("--google", "none").says(
      "may open links", "; Google's service for asset links was not queried\n", exit: 0)
    #expect(google.requests == [])
    try found().says(
      .part(
        "warning: Google's service, which devices query, has no statement yet that lets the app "
          + "use passwords and passkeys [F123]"), exit: 0)
    #expect(google.requests.count == 1)
    let start = "GET /v1/statements:list?source.web.site=https://example.com"
    #expect(google.requests.first?.hasPrefix(start) == true, "\(google.requests)")
    // A refusal is an answer: it is not asked again.
    let refusing = try ScriptedServer { _ in
      [.answer("400 Bad Request", #"{"error":{"code":400,"message":"no list"}}"#)]
    }
    try found("--google", refusing.url).says(
      "warning: Google's service, which devices query, has no assetlinks.json of the host", exit: 0)
    #expect(refusing.requests.count == 1)
  }

  @Test func `what is not known is never green, in any form and by any road`() throws {
    var site = try site(nil)
    try site.check(["example.com", "--format", "junit"] + Self.app).says(
      #"<error type="F122""#, .lacks("<failure"), exit: 4)
    // A proxy that is down says nothing about the host.
    site.network.set("127.0.0.1", to: "127.0.0.1")
    site.variables["HTTPS_PROXY"] = "http://127.0.0.1:1"
    try write(Self.good, site)
    for arguments in [["example.com"] + Self.app, Self.manifest] {
      try site.check(arguments).says("[F122]", exit: 4)
    }
  }

  // MARK: With a manifest

  private static let manifest = ["--manifest", "AndroidManifest.xml"]
  private static let good = """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.swift.shop">
      <application>
        <activity android:name=".Main" android:exported="true">
          <intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data android:scheme="https" android:host="example.com" android:pathPrefix="/buy/" />
          </intent-filter>
        </activity>
      </application>
    </manifest>
    """

  private func write(_ manifest: String, _ site: CheckSite) throws {
    try site.workspace.write("AndroidManifest.xml", manifest)
  }

  @Test func `a manifest without links is no fault beside it`() throws {
    let site = try site()
    try write(
      #"<manifest package="org.swift.shop"><application></application></manifest>"#, site)
    try site.check(["example.com"] + Self.app + Self.manifest).says(.lacks("F092"), exit: 0)
  }

  @Test func `a host that names the app with its fingerprint is right, end to end`() throws {
    let site = try site()
    try write(Self.good, site)
    try site.check(Self.manifest + ["--fingerprint", shopFingerprint]).says(
      .whole("example.com on Android: assetlinks.json lets org.swift.shop open links\n"), exit: 0,
      errors: .nothing)
    #expect(
      site.servers[0].requests.map(path(of:)) == ["/.well-known/assetlinks.json", "/robots.txt"])
    try site.check(Self.manifest).says(
      "; the fingerprint of the app's certificate was not", exit: 0)
    try site.check(Self.manifest + ["--json"])
      .says(.start(#"{"domain":"example.com on Android","good":true"#), exit: 0)
  }

  @Test func `a package that Gradle fills in is asked for, and variables are filled in`() throws {
    let site = try site()
    try write(Self.good.replacing("org.swift.shop", with: "${applicationId}"), site)
    try site.check(Self.manifest).says(exit: 2, errors: "the application ID with --package")
    try site.check(Self.manifest + ["--set", "applicationId=org.swift.shop"]).says(exit: 0)
    try write(Self.good.replacing("example.com", with: "${host}"), site)
    try site.check(Self.manifest + ["--set", "host=example.com"])
      .says("example.com on Android", exit: 0)
  }

  @Test func `a fingerprint may be written in any form, and nothing else is compared`() throws {
    let site = try site()
    try write(Self.good, site)
    let digits = shopFingerprint.replacing(":", with: "")
    for text in [shopFingerprint.lowercased(), digits, "SHA256: \(shopFingerprint)"] {
      try site.check(Self.manifest + ["--fingerprint", text]).says(exit: 0)
    }
    // One of several is enough.
    let other = shopFingerprint.replacing("5E:8F", with: "00:11")
    try site.check(Self.manifest + ["--fingerprint", other, "--fingerprint", shopFingerprint])
      .says(exit: 0)
    for text in ["zz", "", String(shopFingerprint.prefix(59))] {
      try site.check(Self.manifest + ["--fingerprint", text])
        .says(exit: 2, errors: "nor a SHA-256 digest")
    }
    try site.check(Self.manifest + ["--fingerprint", "none.txt"])
      .says(exit: 2, errors: "cannot read none.txt: No such file or directory")
  }

  @Test func `a summary counts a link beside its host, and faults come first`() throws {
    let site = try site(statements("org.swift.shop", #"[{"/": "/buy/?*"}]"#))
    try write(Self.good, site)
    let wrong = try site.check(Self.manifest + ["--url", "https://example.com/sell/42"])
      .says(.start("2 checked: 2 are wrong\n\n"), exit: 1)
    try expectKept(String(wrong.text.dropFirst("2 checked: 2 are wrong\n\n".count)), as: "F103")
    try site.check(Self.manifest + ["--url", "https://example.com/buy/"]).says(
      .start(
        "2 checked: 1 is wrong, 1 is right\n\nexample.com on Android: https://example.com/buy/ "
          + "stays in "
          + "the browser on Android 15 and later: the only dynamic rule does not match [F104]\n"),
      .end(
        "\n\nhttps://example.com/buy/ on Android: .Main handles the link through the filter in "
          + "line 4: android:pathPrefix=\"/buy/\"\n"), exit: 1)
  }

  @Test func `a package is read, and a bundle says what to give`() throws {
    let site = try site()
    let manifest = BinaryManifest.bytes(of: BinaryManifest.shop(host: .text("example.com")))
    try site.workspace.write(
      "AndroidManifest.xml", AppFileSamples.archive([("AndroidManifest.xml", manifest)]))
    try site.check(Self.manifest + ["--url", "https://example.com:8443/buy/1"])
      .says("example.com on Android: assetlinks.json lets org.swift.shop", exit: 0)
    try site.workspace.write(
      "AndroidManifest.xml", AppFileSamples.archive([("base/manifest/AndroidManifest.xml", [1])]))
    try site.check(Self.manifest)
      .says(exit: 2, errors: "bundletool dump manifest --bundle=APP.aab")
  }

  @Test func `wrong usage is explained`() throws {
    let site = try site()
    try site.check("example.com", "--package", "a.b").says(exit: 2, errors: "need --manifest")
    try site.check(Self.manifest).says(exit: 2, errors: "cannot read AndroidManifest.xml")
    try write("<manifest/>", site)
    try site.check(Self.manifest).says(exit: 2, errors: "the application ID with --package")
  }
}
