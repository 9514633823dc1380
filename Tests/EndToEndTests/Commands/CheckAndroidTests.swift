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

  @Test func `both rights, and the origin of passkeys`() throws {
    let text = try check(.answer(Self.list()), exitCode: 0)
    #expect(
      text == """
        example.com for org.swift.shop: the app may open links, and use passwords and passkeys

        also: the statement in line 1 lets it open links
        also: the statement in line 1 lets it use passwords and passkeys
        also: a passkey server must accept the origin \
        android:apk-key-hash:Xo8WBi6jzSxKDVR4drqm84yr9iUZB02TDLH5ei1k6LA
        also: a passkey server must accept the origin https://example.com, which apps on Apple's \
        systems send

        """, "\(text)")
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

  @Test func `one of several fingerprints is enough`() throws {
    let other = shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    let text = try check(
      .answer(Self.list()), "--android", "org.swift.shop:" + other, exitCode: 0)
    #expect(text.components(separatedBy: "a passkey server must accept").count == 4, "\(text)")
  }

  @Test func `each of several packages is judged`() throws {
    let text = try check(
      .answer(Self.list()), "--android", "org.swift.other:" + shopFingerprint, exitCode: 1)
    #expect(text.hasPrefix("2 checked: 1 is wrong, 1 is right\n"), "\(text)")
    #expect(
      text.contains("error: assetlinks.json does not let org.swift.other open links [F120]"),
      "\(text)")
    #expect(
      text.contains(
        "\nexample.com for org.swift.shop: the app may open links, and use passwords and passkeys\n"
          + "  also: the statement in line 1 lets it open links\n"),
      "\(text)")
    #expect(text.contains("\n  also: a passkey server must accept the origin android:"), "\(text)")
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
      upload.contains("open links with a key other than the given one [F120]")
        && upload.contains("if the given key is your upload key"), "\(upload)")
    let lower = try check(.answer(Self.list(shopFingerprint.lowercased())), exitCode: 1)
    #expect(lower.contains("in lower case, and Android compares it as text"), "\(lower)")
    #expect(try check(.answer("404 Not Found", "no"), exitCode: 1).contains("(status 404) [F100]"))
  }

  @Test(arguments: [
    (#""version": 1"#, "Android cannot read a list with a number (D112)"),
    (#""more": [true]"#, "Android cannot read `true` or `false` in a list (D112)"),
  ])
  func `Android gives a list up at a value that it does not know`(member: String, words: String)
    throws
  {
    let text = try check(
      .answer(Self.list().replacing("[{", with: "[{\(member), ", maxReplacements: 1)), exitCode: 1)
    #expect(text.contains("error: Android cannot read assetlinks.json in line 1"), "\(text)")
    #expect(text.contains(words) && !text.contains("may open links"), "\(text)")
  }

  @Test func `what Android drops lets an app do nothing`() throws {
    let beside = Self.list().replacing(
      "[{", with: #"[{"include":"https://other.example/x.json", "#, maxReplacements: 1)
    #expect(try check(.answer(beside), exitCode: 4).contains("includes another list"))
    let broken = Self.list(shopFingerprint, "handle_all_urls", "Get Login")
    #expect(
      try check(.answer(broken), exitCode: 1).contains(
        "assetlinks.json does not let org.swift.shop open links [F120]"))
    let short = try check(.answer(Self.list("AA:BB")), exitCode: 1)
    #expect(
      short.contains("names org.swift.shop without a usable fingerprint"), "\(short)")
  }

  @Test func `the cure for a list that is none is the right one`() throws {
    for (step, help) in [
      (ScriptedServer.Step.answer("{}"), "help: put the statements into [ ]"),
      (.answer(""), "help: write a list of statements"),
      (.answer(type: "text/html", "<html>"), "ahead of the fallback to a page"),
      (.redirect(to: "https://www.example.com/"), "itself: Android follows no redirect"),
      (.answer("503 Service Unavailable", ""), "with status 200"),
    ] {
      let text = try check(step, exitCode: 1)
      #expect(text.contains("[F100]") && text.contains(help), "\(text)")
    }
  }

  @Test func `a fault of the host is none of this machine`() throws {
    let identity = try authority.issue("other.example")
    let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) { _ in
      [.answer(Self.list())]
    }
    let finished = try workspace.aasa(
      "check", "example.com", "--ca", authority.rootFile, "--resolve",
      "example.com:443:127.0.0.1:\(server.port)", "--android", "org.swift.shop:" + shopFingerprint
    ).says("the certificate is not for example.com", exit: 1)
    #expect(!finished.text.contains("with status 200"), "\(finished.text)")
  }

  @Test func `a right that is left out is not claimed`() throws {
    let text = try check(
      .answer(Self.list(shopFingerprint, "handle_all_urls")), "--ignore", "F121", exitCode: 0)
    #expect(text.hasPrefix("example.com for org.swift.shop: the app may open links\n"), "\(text)")
    let none = try check(
      .answer("[]"), "--ignore", "F120,F121,F059", exitCode: 0)
    #expect(none.contains("the app has no right here"), "\(none)")
  }

  @Test func `a package that is nearly the one is named`() throws {
    let text = try check(
      .answer(Self.list()), app: "org.swift.Shop:" + shopFingerprint, exitCode: 1)
    #expect(text.contains("it names org.swift.shop: did you mean that package?"), "\(text)")
    let links = try check(.answer(Self.list(shopFingerprint, "handle_all_urls")), exitCode: 1)
    #expect(links.contains("[F121]") && !links.contains("did you mean"), "\(links)")
  }

  @Test func `dynamic rules may keep a link from the app`() throws {
    let rules = statements("org.swift.shop", #"[{"/": "/buy/*", "exclude": true}, {"/": "*"}]"#)
    func found(_ arguments: String..., exitCode: Int32) throws -> String {
      let identity = try authority.issue("example.com")
      let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) { _ in
        [.answer(rules)]
      }
      return try workspace.aasa(
        [
          "check", "--ca", authority.rootFile, "--resolve",
          "example.com:443:127.0.0.1:\(server.port)", "--ignore", "F121", "--android",
          "org.swift.shop:" + shopFingerprint,
        ] + arguments
      ).says(exit: exitCode).text
    }
    let kept = try found("https://example.com/buy/1", exitCode: 1)
    #expect(
      kept.contains("https://example.com/buy/1 stays in the browser since Android 15"), "\(kept)")
    #expect(try !found("https://example.com/sell/1", exitCode: 0).contains("F104"))
  }

  @Test func `what is not known is never green`() throws {
    #expect(try check(nil, exitCode: 4).contains("assetlinks.json could not be requested"))
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
    #expect(
      text.contains("warning: Google's service, which devices query, has no list of the host"))
    let silent = try google(.answer(#"{"statements":[],"maxAge":"3s"}"#))
    let none = try check(.answer(Self.list()), "--google", silent.url, exitCode: 0)
    #expect(none.contains("has no list of the host [F123]"), "\(none)")
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
    try #expect(!found("--google", "none").contains("Google's service"))
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
