import AppFileSupport
import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --android`: an Android app of which nobody has the manifest.
@Suite(.manyAtOnce, .needs(.openssl)) struct CheckAndroidTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
  }

  private static func list(_ fingerprint: String = shopFingerprint, _ relations: String...)
    -> String
  {
    let all = relations.isEmpty ? ["handle_all_urls", "get_login_creds"] : relations
    let names = all.map { "\"delegate_permission/common.\($0)\"" }.joined(separator: ",")
    return #"[{"relation":[\#(names)],"target":{"namespace":"android_app","#
      + #""package_name":"org.swift.shop","sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#
  }

  private func check(
    _ answer: ScriptedServer.Step?, _ arguments: String..., app: String = shopFingerprint,
    exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let identity = try authority.issue("example.com")
    let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) { _ in
      [answer ?? .answer("404 Not Found", "no")]
    }
    let port = answer == nil ? 1 : server.port
    let finished = try workspace.aasa(
      [
        "check", "example.com", "--ca", authority.rootFile, "--resolve",
        "example.com:443:127.0.0.1:\(port)", "--android",
        app.contains("org.") || app.hasPrefix("./") ? app : "org.swift.shop:" + app,
      ] + arguments
    ).says(exit: exitCode, at: location)
    return finished.text + finished.errors
  }

  @Test func `a fingerprint has any form that a tool prints`() throws {
    for form in [
      shopFingerprint.lowercased(), shopFingerprint.filter { $0 != ":" }.lowercased(),
      shopFingerprint.filter { $0 != ":" }, "sha256 Fingerprint=" + shopFingerprint,
      shopFingerprint.replacing(":", with: " "), shopFingerprint.replacing(":", with: "-"),
      "[\(shopFingerprint)]",
      "Signer #1 certificate SHA-256 digest: " + shopFingerprint.filter { $0 != ":" }.lowercased(),
      "android:apk-key-hash:Xo8WBi6jzSxKDVR4drqm84yr9iUZB02TDLH5ei1k6LA",
    ] { _ = try check(.answer(Self.list()), app: form, exitCode: 0) }
    try workspace.write(
      "keytool.txt", "Certificate fingerprints:\n\t SHA256: \(shopFingerprint)\n")
    _ = try check(.answer(Self.list()), app: "keytool.txt", exitCode: 0)
    let identity = try authority.issue("signing.example")
    try workspace.write("signing.pem", identity.chain)
    #expect(
      try check(.answer(Self.list()), app: "signing.pem", exitCode: 1).contains("a key other than"))
    #expect(
      try check(nil, app: "no-such-file", exitCode: 2).contains("neither a file nor a SHA-256"))
    #expect(
      try check(nil, app: "org.swift.shop", exitCode: 2).contains("is not PACKAGE:FINGERPRINT"))
    let sha1 = String(shopFingerprint.prefix(59))
    #expect(try check(nil, app: sha1, exitCode: 2).contains("it has 20 bytes, as SHA-1 has"))
    #expect(
      try check(nil, app: "org.:" + shopFingerprint, exitCode: 2).contains(
        "org. is not a package name"))
  }

  @Test func `a package says its name and its certificate`() throws {
    // The digest of the word "certificate".
    let digest =
      "03:D6:6D:D0:88:35:C1:CA:3F:12:8C:CE:AC:D1:F3:1A:C9:41:63:09:6B:20:F4:45:AE:84:28:5B:C0:83:2D:72"
    let package = AppFileSamples.signedPackage(
      [(0x7109_871A, [Array("certificate".utf8)])],
      manifest: BinaryManifest.bytes(of: BinaryManifest.shop()))
    try Data(package).write(to: URL(fileURLWithPath: workspace.path("Shop.apk")))
    let right = try check(.answer(Self.list(digest)), app: "./Shop.apk", exitCode: 0)
    #expect(right.hasPrefix("example.com for org.swift.shop: the app may open links"), "\(right)")
    _ = try check(.answer(Self.list(digest)), app: "org.swift.shop:Shop.apk", exitCode: 0)
    let other = try check(.answer(Self.list()), app: "./Shop.apk", exitCode: 1)
    #expect(other.contains("with a key other than the given one"), "\(other)")
  }

  @Test(.needsNameServer) func `Google's own service is asked unless it is left out`() throws {
    let name = "digitalassetlinks.googleapis.com"
    let identity = try authority.issue("example.com", name)
    let pem = Array((identity.chain + identity.key).utf8)
    let server = try ScriptedServer(identity: pem) { _ in [.answer(Self.list())] }
    let known =
      #"{"statements":[{"relation":"delegate_permission/common.handle_all_urls","target":"#
      + #"{"androidApp":{"packageName":"org.swift.shop","certificate":"#
      + #"{"sha256Fingerprint":"\#(shopFingerprint)"}}}}]}"#
    let google = try ScriptedServer(identity: pem) { _ in [.answer(known)] }
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: server.port)
    world.set(name, to: "1.0.0.2")
    world.lead("1.0.0.2:443", to: google.port)
    let environment = authority.environment.merging(world.environment) { $1 }
    func found(_ arguments: String...) throws -> String {
      try run(
        Server.program,
        [
          "check", "example.com", "--timeout", "30s", "--android",
          "org.swift.shop:" + shopFingerprint,
        ] + arguments, environment: environment, folder: workspace.root
      ).says(exit: 0).text
    }
    try #expect(found("--google", "none").contains("; Google's service was not asked\n"))
    #expect(google.requests == [])
    let text = try found()
    #expect(
      text.contains(
        "warning: Google's service, which devices query, does not let the app use passwords and "
          + "passkeys yet [F123]"), "\(text)")
    #expect(google.requests.count == 1)
    let start = "GET /v1/statements:list?source.web.site=https://example.com"
    #expect(google.requests.first?.hasPrefix(start) == true, "\(google.requests)")
  }

  @Test func `a manifest without links is no fault beside it`() throws {
    try workspace.write(
      "AndroidManifest.xml",
      #"<manifest package="org.swift.shop"><application></application></manifest>"#)
    let text = try check(
      .answer(Self.list()), "--manifest", "AndroidManifest.xml", exitCode: 0)
    #expect(!text.contains("F092"), "\(text)")
  }
}
