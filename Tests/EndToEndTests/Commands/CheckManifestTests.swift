import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --manifest`.
@Suite(.manyAtOnce, .needs(.openssl)) struct CheckManifestTests {
  private let workspace: Workspace
  private let authority: TestAuthority
  private static let fingerprint =
    "5E:8F:16:06:2E:A3:CD:2C:4A:0D:54:78:76:BA:A6:F3:8C:AB:F6:25:19:07:4D:93:0C:B1:F9:7A:2D:64:E8:B0"

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
  }

  private static func list(_ packageName: String) -> String {
    #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"#
      + #""namespace": "android_app", "package_name": "\#(packageName)", "#
      + #""sha256_cert_fingerprints": ["\#(fingerprint.lowercased())"]}}]"#
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
    let run = try check(["--fingerprint", Self.fingerprint], server)
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(
      run.text == "example.com on Android: assetlinks.json lets org.swift.shop open links\n",
      "\(run.text)")
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET /.well-known/assetlinks.json ") })
    let unknown = try check([], server)
    #expect(unknown.text.contains("; its fingerprint was not compared"), "\(unknown.text)")
    let json = try check(["--json"], server)
    #expect(json.text.hasPrefix(#"{"domain":"example.com on Android","good":true"#), "\(json.text)")
  }

  @Test func `another fingerprint, another app and no file are named`() throws {
    try write(Self.good)
    let other = Self.fingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    let server = try server(.answer(Self.list("org.swift.shop")))
    let fingerprint = try check(["--fingerprint", other], server)
    #expect(fingerprint.exitCode == 1)
    #expect(
      fingerprint.text.contains(
        "assetlinks.json names org.swift.shop with another fingerprint than the app's [F102]\n"),
      "\(fingerprint.text)")
    #expect(fingerprint.text.contains("help: add \(other)"))
    let app = try check(["--package", "org.swift.other"], server)
    #expect(app.exitCode == 1 && app.text.contains("[F101]"), "\(app.text)")
    let missing = try self.server(.answer("404 Not Found", "no"))
    let none = try check([], missing)
    #expect(none.exitCode == 1)
    #expect(
      none.text.contains("there is no list of statements for Android (status 404) [F100]"),
      "\(none.text)")
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
    let run = try check([])
    #expect(run.exitCode == 1)
    for code in ["F093", "F094", "F095", "F096", "F097", "F098", "F099"] {
      #expect(run.text.contains("[\(code)]"), "\(code): \(run.text)")
    }
    #expect(run.text.contains("line 4, .Main: `https://Example.com/` is not a host"))
    #expect(run.text.contains("the host ${host} was not checked: the build fills it in"))
  }

  @Test func `a manifest without links is an error`() throws {
    try write("")
    let run = try check([])
    #expect(run.exitCode == 1)
    #expect(run.text.contains("no intent filter for https links of a host [F092]"), "\(run.text)")
  }

  @Test func `variables are filled in`() throws {
    try write(Self.good.replacingOccurrences(of: "example.com", with: "${host}"))
    let server = try server(.answer(Self.list("org.swift.shop")))
    let run = try check(["--set", "host=example.com"], server)
    #expect(run.exitCode == 0 && run.text.contains("example.com on Android"), "\(run.text)")
  }

  @Test func `wrong usage is explained`() throws {
    let without = try workspace.aasa(["check", "example.com", "--package", "a.b"])
    #expect(without.exitCode == 2 && without.errors.contains("need --manifest"))
    let missing = try check([])
    #expect(missing.exitCode == 2)
    #expect(missing.errors.contains("cannot read AndroidManifest.xml"))
    try workspace.write("AndroidManifest.xml", "<manifest/>")
    let unnamed = try check([])
    #expect(unnamed.exitCode == 2 && unnamed.errors.contains("give --package"))
  }
}
