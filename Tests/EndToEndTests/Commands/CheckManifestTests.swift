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

  @Test func `a host that names the app with its fingerprint is right, end to end`() throws {
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

  @Test func `variables are filled in, end to end`() throws {
    try write(Self.good.replacingOccurrences(of: "example.com", with: "${host}"))
    let server = try server(.answer(Self.list("org.swift.shop")))
    try check(["--set", "host=example.com"], server).says("example.com on Android", exit: 0)
  }

  @Test func `a fingerprint may be written in any form, and nothing else is compared`() throws {
    try write(Self.good)
    let server = try server(.answer(Self.list("org.swift.shop")))
    let digits = shopFingerprint.replacing(":", with: "")
    for text in [shopFingerprint.lowercased(), digits, "SHA256: \(shopFingerprint)"] {
      try check(["--fingerprint", text], server).says(exit: 0)
    }
    for text in ["zz", "", String(shopFingerprint.prefix(59))] {
      try check(["--fingerprint", text], server).says(exit: 2, errors: "nor a SHA-256 digest")
    }
    try check(["--fingerprint", "none.txt"], server)
      .says(exit: 2, errors: "cannot read none.txt: No such file or directory")
  }

  private static func list(fingerprint: String) -> String {
    list("org.swift.shop").replacing(shopFingerprint, with: fingerprint)
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

  @Test func `wrong usage is explained`() throws {
    try workspace.aasa("check", "example.com", "--package", "a.b")
      .says(exit: 2, errors: "need --manifest")
    try check([]).says(exit: 2, errors: "cannot read AndroidManifest.xml")
    try workspace.write("AndroidManifest.xml", "<manifest/>")
    try check([]).says(exit: 2, errors: "give --package")
  }
}
