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
        app.contains("org.") ? app : "org.swift.shop:" + app,
      ] + arguments)
    #expect(
      finished.exitCode == exitCode, "\(finished.exitCode)\n\(finished.text)\(finished.errors)",
      sourceLocation: location)
    return finished.text + finished.errors
  }

  @Test func `both rights, and the origin of passkeys`() throws {
    let text = try check(.answer(Self.list()), exitCode: 0)
    #expect(
      text == """
        example.com for org.swift.shop: the app may open links, and use passwords and passkeys

        also: the statement in line 1 lets it open links
        also: the statement in line 1 lets it use passwords and passkeys
        also: a passkey server must accept the origin \
        android:apk-key-hash:Xo8WBi6jzSxKDVR4drqm84yr9iUZB02TDLH5ei1k6LA

        """, "\(text)")
  }

  @Test func `a fingerprint has any form that a tool prints`() throws {
    for form in [
      shopFingerprint.lowercased(), shopFingerprint.filter { $0 != ":" }.lowercased(),
      shopFingerprint.filter { $0 != ":" },
    ] { _ = try check(.answer(Self.list()), app: form, exitCode: 0) }
    try workspace.write(
      "keytool.txt", "Certificate fingerprints:\n\t SHA256: \(shopFingerprint)\n")
    _ = try check(.answer(Self.list()), app: "keytool.txt", exitCode: 0)
    let identity = try authority.issue("signing.example")
    try workspace.write("signing.pem", identity.chain)
    #expect(
      try check(.answer(Self.list()), app: "signing.pem", exitCode: 1).contains("another key"))
    #expect(
      try check(nil, app: "no-such-file", exitCode: 2).contains("neither a file nor a SHA-256"))
    #expect(
      try check(nil, app: "org.swift.shop", exitCode: 2).contains("is not PACKAGE:FINGERPRINT"))
  }

  @Test func `one of several fingerprints is enough`() throws {
    let other = shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    let text = try check(
      .answer(Self.list()), "--android", "org.swift.shop:" + other, exitCode: 0)
    #expect(text.components(separatedBy: "a passkey server must accept").count == 3, "\(text)")
  }

  @Test func `a right that is missing is named`() throws {
    let links = try check(.answer(Self.list(shopFingerprint, "get_login_creds")), exitCode: 1)
    #expect(
      links.contains("error: assetlinks.json does not let org.swift.shop open links [F120]"),
      "\(links)")
    let passkeys = try check(.answer(Self.list(shopFingerprint, "handle_all_urls")), exitCode: 1)
    #expect(
      passkeys.contains(
        "error: assetlinks.json does not let org.swift.shop use passwords and passkeys [F121]"),
      "\(passkeys)")
    let ignored = try check(
      .answer(Self.list(shopFingerprint, "handle_all_urls")), "--ignore", "F121", exitCode: 0)
    #expect(ignored.contains("lets it open links"), "\(ignored)")
    let upload = try check(
      .answer(Self.list(shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11"))),
      exitCode: 1)
    #expect(
      upload.contains("open links with another key than the given one [F120]")
        && upload.contains("if the given key is your upload key"), "\(upload)")
    let lower = try check(.answer(Self.list(shopFingerprint.lowercased())), exitCode: 1)
    #expect(lower.contains("in lower case, and Android compares it as text"), "\(lower)")
    #expect(try check(.answer("404 Not Found", "no"), exitCode: 1).contains("(status 404) [F100]"))
  }

  @Test func `what is not known is never green`() throws {
    #expect(try check(nil, exitCode: 4).contains("assetlinks.json could not be asked for"))
    let included = #"[{"include":"https://other.example/links.json"}]"#
    #expect(try check(.answer(included), exitCode: 4).contains("includes another list"))
    let junit = try check(nil, "--format", "junit", exitCode: 4)
    #expect(junit.contains(#"<error type="F122""#) && !junit.contains("<failure"), "\(junit)")
  }

  @Test func `Google's service is asked, and its refusal alone is a warning`() throws {
    func google(_ step: ScriptedServer.Step) throws -> ScriptedServer {
      try ScriptedServer { _ in [step] }
    }
    let refusing = try google(
      .answer("400 Bad Request", #"{"error":{"code":400,"message":"no list"}}"#))
    let text = try check(.answer(Self.list()), "--google", refusing.url, exitCode: 0)
    #expect(text.contains("warning: Google's service, which devices ask, has no list of the host"))
    #expect(refusing.requests.count == 1)
    #expect(refusing.requests.first?.contains("source.web.site=https://example.com") == true)
    let statement = { (relation: String) in
      #"{"relation":"delegate_permission/common.\#(relation)","target":{"androidApp":"#
        + #"{"packageName":"org.swift.shop","certificate":{"sha256Fingerprint":"\#(shopFingerprint)"}}}}"#
    }
    let partly = try google(.answer(#"{"statements":[\#(statement("handle_all_urls"))]}"#))
    let late = try check(.answer(Self.list()), "--google", partly.url, exitCode: 0)
    #expect(
      late.contains("does not let the app use passwords and passkeys yet [F123]")
        && !late.contains("open links yet"), "\(late)")
    // Google reads lists that are included.
    let both = try google(
      .answer(
        #"{"statements":[\#(statement("handle_all_urls")),\#(statement("get_login_creds"))]}"#))
    let included = #"[{"include":"https://other.example/links.json"}]"#
    let known = try check(.answer(included), "--google", both.url, exitCode: 0)
    #expect(known.contains("an included list lets it open links"), "\(known)")
    #expect(
      try check(.answer(Self.list()), "--google", "none", exitCode: 0).contains("may open links"))
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
