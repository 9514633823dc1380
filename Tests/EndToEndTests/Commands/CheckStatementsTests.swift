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

  @Test func `the served assetlinks.json must be equivalent to the given one, end to end`() throws {
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
}
