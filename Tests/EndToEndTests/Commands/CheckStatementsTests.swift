import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// What `aasa check` says about a domain's `assetlinks.json`.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckStatementsTests {
  private let authority: TestAuthority
  private let workspace: Workspace
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  init() throws {
    authority = try TestAuthority()
    workspace = try Workspace()
  }

  private func server(_ script: @escaping ScriptedServer.Script) throws -> ScriptedServer {
    let identity = try authority.issue("example.com")
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  /// A report with the parts that differ from run to run made equal.
  private func check(
    _ server: ScriptedServer, _ arguments: String..., exitCode: Int32, errors: Said = .nothing,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var world = try NameServer()
    world.lead("1.0.0.1:443", to: server.port)
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.2:443", to: server.port)
    world.set("other.example.com", to: "1.0.0.2")
    let finished = try run(
      Server.program,
      ["check", "example.com", "--ca", authority.rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment, folder: workspace.root
    ).says(exit: exitCode, errors: errors, at: location)
    return finished.text.replacing(/for \d+ more days/, with: "for N more days")
  }

  @Test func `the served assetlinks.json must be equivalent to the given one`() throws {
    let origin = try server { request in
      path(of: request).hasSuffix("assetlinks.json")
        ? [
          .answer(
            type: "application/json; charset=utf-8",
            statements("org.swift.shop", #"[{"/": "/buy/*"}]"#))
        ] : [.answer(Self.good)]
    }
    try workspace.write("same.json", " " + statements("org.swift.shop", #"[{"/": "/buy/*"}]"#))
    try workspace.write("site.json", Self.good)
    let same = try check(
      origin, "--file", "same.json", "--file", "site.json", exitCode: 0)
    #expect(same.contains("assetlinks.json is equivalent to same.json"), "\(same)")
    #expect(!same.contains("[F058]"), "\(same)")
    try workspace.write("other.json", statements("org.swift.shop", #"[{"/": "/sell/*"}]"#))
    let other = try check(origin, "--file", "other.json", exitCode: 1)
    #expect(
      other.contains("error: assetlinks.json differs in meaning from other.json [F106]"), "\(other)"
    )
    #expect(other.contains("org.swift.shop: opens → browser, for example "), "\(other)")
    try expectKept(other, as: "F106")
    try workspace.write("gone.json", statements("org.swift.other", nil))
    let gone = try check(origin, "--file", "gone.json", exitCode: 1)
    #expect(
      gone.contains("gone: delegate_permission/common.handle_all_urls org.swift.other 5E:8F:"),
      "\(gone)")
    _ = try check(
      origin, "--file", "same.json", "--file", "other.json", exitCode: 2,
      errors: "give one association file and one assetlinks.json at most")
    let without = try server { request in
      path(of: request).hasSuffix("assetlinks.json")
        ? [.answer("404 Not Found", "no")] : [.answer(Self.good)]
    }
    let missing = try check(without, "--file", "same.json", exitCode: 1)
    #expect(
      missing.contains("assetlinks.json is not served (status 404), and same.json should be"),
      "\(missing)")
  }

  @Test func `robots_txt that keeps Google from assetlinks_json is noted`() throws {
    let origin = try server { request in
      switch path(of: request) {
      case "/robots.txt": [.answer("User-agent: *\nDisallow: /.well-known/\n")]
      case "/.well-known/assetlinks.json": [.answer(statements("org.swift.shop", nil))]
      default: [.answer(Self.good)]
      }
    }
    let text = try check(origin, exitCode: 0)
    #expect(
      text.contains("note: robots.txt blocks Google from assetlinks.json [F107]\n"), "\(text)")
    try expectKept(text, as: "F107")
  }

  @Test func `faults of files about passkeys, and redirects of Apple's, are warnings`() throws {
    func report(
      _ answers: [String: ScriptedServer.Step],
      elsewhere: ScriptedServer.Step = .answer("404 Not Found", "no")
    ) throws -> String {
      let origin = try server { request in
        if request.contains("Host: other.example.com") { return [elsewhere] }
        return [
          answers[path(of: request).replacingOccurrences(of: "/.well-known/", with: "")]
            ?? .answer("404 Not Found", "no")
        ]
      }
      return try check(origin, exitCode: 0)
    }
    let good: [String: ScriptedServer.Step] = [
      "apple-app-site-association": .answer(Self.good),
      "/apple-app-site-association": .answer(Self.good),
    ]
    let merchant = "apple-developer-merchantid-domain-association"
    let right = try report(
      good.merging([
        "webauthn": .answer(#"{"origins": ["https://b.example"]}"#),
        "passkey-endpoints": .answer(#"{"enroll": "https://b.example/a"}"#),
        merchant: .answer("7B"),
      ]) { $1 })
    #expect(!right.contains("warning"), "\(right)")
    let wrong = try report(
      good.merging([
        "webauthn": .answer(#"{"origins": ["b.example"]}"#),
        "passkey-endpoints": .answer(
          type: "text/plain", #"{"enroll": "https://b.example/a"}"#),
        merchant: .redirect(to: "https://other.example.com/.well-known/" + merchant),
      ]) { $1 }, elsewhere: .answer(type: "text/plain", "7B22"))
    for line in [
      "warning: webauthn has an error: `b.example` is not an https origin (D151) [F109]\n",
      "warning: the content type of passkey-endpoints is text/plain [F109]\n",
      "warning: \(merchant) redirects, and clients of such files follow no redirect [F108]\n",
    ] {
      #expect(wrong.contains(line), "\(wrong)")
    }
    let odd = try report(
      good.merging(["passkey-endpoints": .answer(#"{"prfUsageDetails": 1}"#)]) { $1 })
    #expect(odd.contains("warning: passkey-endpoints has a fault: "), "\(odd)")
    // A domain that redirects all the rest, and nobody has such a file.
    for elsewhere in [
      ScriptedServer.Step.answer("404 Not Found", "no"),
      .answer(type: "text/html", "<!doctype html>"),
      .redirect(to: "https://example.com/"),
    ] {
      let names = ["webauthn", "passkey-endpoints", merchant]
      let redirecting = try report(
        good.merging(
          names.map { ($0, .redirect(to: "https://other.example.com/.well-known/" + $0)) }
        ) { $1 }, elsewhere: elsewhere)
      #expect(!redirecting.contains("[F108]"), "\(redirecting)")
    }
    let everything = try server { _ in [.answer(Self.good)] }
    let any = try check(everything, exitCode: 0)
    #expect(!any.contains("[F109]"), "\(any)")
  }
}
