import Foundation
import ScriptedServer
import Synchronization
import TestRunning
import Testing

@testable import EndToEnd

/// The edges of `aasa check`: an alias, a summary of several domains, what could not be found out.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckEdgeTests {
  private let authority = Result { try TestAuthority() }
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)

  private static func answer(_ file: String = good) -> ScriptedServer.Script {
    {
      path(of: $0).hasSuffix("site-association")
        ? [.answer(file)] : [.answer("404 Not Found", "no")]
    }
  }

  private func server(
    validity: ClosedRange<Int> = -1...365, _ script: @escaping ScriptedServer.Script = answer()
  ) throws -> ScriptedServer {
    let identity = try authority.get().issue(
      "example.com", "www.example.com", validity: validity)
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  private func world(_ addresses: (String, UInt16)...) throws -> NameServer {
    var world = try NameServer()
    world.set("example.com", to: addresses.map(\.0).joined(separator: ","))
    for (address, port) in addresses { world.lead("\(address):443", to: port) }
    return world
  }

  private func check(
    _ world: NameServer, _ arguments: String..., exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try run(
      Server.program,
      ["check", "--ca", authority.get().rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment, folder: workspace.get().root
    ).says(exit: exitCode, at: location).text
  }

  private func cdn(_ reason: String) throws -> ScriptedServer {
    try ScriptedServer { _ in
      [.answer("404 Not Found", fields: ["Apple-Failure-Reason: \(reason)"], "")]
    }
  }

  // MARK: What is asked

  @Test func `a name that leads to nothing is named, end to end`() throws {
    var world = try NameServer()
    world.setAlias(of: "example.com", to: "shop.hosting.example")
    let text = try check(world, "example.com", exitCode: 1)
    #expect(
      text.contains(
        "example.com is an alias (CNAME) of shop.hosting.example, which has no address"),
      "\(text)")
  }

  // MARK: Answers

  @Test func `a summary tells an old copy from a failure that the CDN remembers`() throws {
    let origin = try server()
    var world = try world(("1.0.0.1", origin.port))
    world.set("www.example.com", to: "1.0.0.1")
    let cdn = try cdn("SWCERR00101 Bad HTTP Response: 404")
    let text = try check(
      world, "example.com", "www.example.com", "--cdn", cdn.url + "/a/v1", exitCode: 0)
    #expect(
      text.hasPrefix("2 checked: 2 are right, and Apple's CDN caches a failure\n"), "\(text)")
  }

  @Test func `what could not be found out is an error in JUnit's words`() throws {
    let text = try check(
      world(("2606:4700::1", 0)), "example.com", "--format", "junit", exitCode: 4)
    #expect(
      text.contains(#"tests="1" failures="0" errors="1""#) && text.contains(#"<error type="F008""#)
        && !text.contains("<failure"), "\(text)")
  }
}
