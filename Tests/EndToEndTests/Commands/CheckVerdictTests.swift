import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// The colour and the first line of `aasa check`: never red for faults of this machine, never green
/// if some devices cannot get the file.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckVerdictTests {
  private let authority = Result { try TestAuthority() }
  private let workspace = Result { try Workspace() }
  private static let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let served = "example.com: the association file is served as Apple asks"

  private static func answer(
    _ file: String = good
  ) -> @Sendable (String) -> [ScriptedServer.Step] {
    { request in
      path(of: request).hasSuffix("assetlinks.json")
        ? [.answer("404 Not Found", "no")] : [.answer(file)]
    }
  }

  private func server(
    validity: ClosedRange<Int> = -1...365,
    _ script: @escaping ScriptedServer.Script = answer()
  ) throws -> ScriptedServer {
    let identity = try authority.get().issue(
      "example.com", "www.example.com", validity: validity)
    return try ScriptedServer(
      identity: Array((identity.chain + identity.key).utf8), script: script)
  }

  /// A network in which example.com has these addresses; a port of 0 means that there is no route.
  private func world(_ addresses: (String, UInt16)...) throws -> NameServer {
    var world = try NameServer()
    var names = ""
    for (address, port) in addresses {
      names += names.isEmpty ? address : "," + address
      world.lead("\(address):443", to: port)
    }
    world.set("example.com", to: names)
    return world
  }

  private func check(
    _ world: NameServer, _ arguments: String..., exitCode: Int32, errors: Said = .nothing,
    variables: [String: String] = [:], at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try run(
      Server.program,
      ["check", "--ca", authority.get().rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment.merging(variables) { $1 }, folder: workspace.get().root
    ).says(exit: exitCode, errors: errors, at: location).text
  }

  @Test func `without IPv6 the IPv4 addresses decide, end to end`() throws {
    let origin = try server()
    let text = try check(
      world(("1.0.0.1", origin.port), ("2606:4700::1", 0)), "example.com", exitCode: 0)
    #expect(text.hasPrefix(Self.served + "; Apple's CDN was not asked\n"), "\(text)")
    #expect(
      text.contains("the IPv6 addresses were not checked: this machine has no IPv6 route"),
      "\(text)")
  }

  @Test func `a proxy of another kind is not ignored in silence`() throws {
    let origin = try server()
    let text = try check(
      world(("1.0.0.1", origin.port)), "example.com", exitCode: 0,
      errors: "HTTPS_PROXY=socks5://127.0.0.1:1080 is not used",
      variables: ["HTTPS_PROXY": "socks5://127.0.0.1:1080"])
    #expect(text.hasPrefix(Self.served))
  }

  @Test func `an app may be named under another service, end to end`() throws {
    let file = #"{"webcredentials":{"apps":["\#(shop)"]}}"#
    let origin = try server(Self.answer(file))
    let text = try check(
      world(("1.0.0.1", origin.port)), "example.com", "--expect", shop, exitCode: 0)
    #expect(text.contains("webcredentials names \(shop)"), "\(text)")
  }

  @Test func `the served file must be equivalent to the given one, end to end`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    try workspace.get().write("same.json", " " + Self.good)
    let same = try check(world, "example.com", "--file", "same.json", exitCode: 0)
    #expect(same.contains("it is equivalent to same.json"), "\(same)")
    try workspace.get().write("other.json", shopFile(components: #"[{"/":"/sell/*"}]"#))
    let other = try check(world, "example.com", "--file", "other.json", exitCode: 1)
    #expect(
      other.contains("error: the file differs in meaning from other.json [F074]"), "\(other)")
  }

  @Test func `a requirement for another domain is an error, and a URL adds its domain`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    let workspace = try workspace.get()
    try workspace.write("other.cases", "https://other.com/buy/1 opens \(shop)\n")
    _ = try check(
      world, "example.com", "--cases", "other.cases", exitCode: 2,
      errors: "other.cases: no line is about a domain that is checked")
    _ = try check(
      world, "example.com", "--resolve", "other.com:443:192.0.2.1", exitCode: 2,
      errors: "other.com is not checked")
    let text = try check(
      world, "example.com", "--url", "https://other.com/buy/1", exitCode: 1)
    #expect(text.hasPrefix("2 checked: 1 is wrong, 1 is right\n"), "\(text)")
    #expect(text.contains("\nother.com: universal links will not work: the name"), "\(text)")
  }

  @Test func `entitlements with variables are never a green check of nothing`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    func write(_ entries: String) throws {
      try workspace.get().write(
        "App.entitlements",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
        <array>\(entries)</array></dict></plist>
        """)
    }
    try write("<string>applinks:$(DOMAIN)</string>")
    let unfilled = try check(
      world, "--entitlements", "App.entitlements", exitCode: 2, errors: "nothing was checked")
    #expect(
      unfilled.contains("applinks:$(DOMAIN) was not checked: the build fills in DOMAIN [F087]"),
      "\(unfilled)")
    for form in ["$(DOMAIN)", "${DOMAIN}"] {
      try write("<string>applinks:\(form)</string>")
      let text = try check(
        world, "--entitlements", "App.entitlements", "--set", "DOMAIN=example.com", exitCode: 0)
      #expect(text.hasPrefix(Self.served), "\(text)")
    }
    try write("")
    let empty = try check(world, "--entitlements", "App.entitlements", exitCode: 1)
    #expect(empty.contains("[F086]"), "\(empty)")
  }

  @Test func `one bad line of a list is one finding`() throws {
    let origin = try server()
    let world = try world(("1.0.0.1", origin.port))
    try workspace.get().write("list", "example.com\n\na..b\n")
    let text = try check(world, "--from", "list", exitCode: 1)
    #expect(text.hasPrefix("2 checked: 1 is wrong, 1 is right\n"), "\(text)")
    #expect(text.contains("\nlist:3: a..b is not a host"), "\(text)")
    #expect(text.hasSuffix("\n\(Self.served); Apple's CDN was not asked\n"), "\(text)")
    let quiet = try check(world, "--from", "list", "--quiet", exitCode: 1)
    #expect(!quiet.contains(Self.served), "\(quiet)")
    let table = try check(world, "--from", "list", "--format", "markdown", exitCode: 1)
    #expect(table.hasPrefix("| domain | verdict |\n|---|---|\n| ❌ list:3 | a..b is"), "\(table)")
    let notes = try check(world, "--from", "list", "--format", "github", exitCode: 1)
    #expect(notes.hasPrefix("::error title=F090::list:3: a..b is not a host"), "\(notes)")
  }

  // MARK: Apple's CDN

  private func cdnCheck(
    _ step: ScriptedServer.Step, origin: String = good, _ arguments: String..., exitCode: Int32
  ) throws -> String {
    let missing: ScriptedServer.Script = { _ in [.answer("404 Not Found", "no")] }
    let server = try server(origin.isEmpty ? missing : Self.answer(origin))
    let cdn = try ScriptedServer { _ in [step] }
    return try run(
      Server.program,
      [
        "check", "--ca", authority.get().rootFile, "example.com", "--cdn", cdn.url + "/a/v1",
        "--timeout", "30s",
      ] + arguments,
      environment: world(("1.0.0.1", server.port)).environment, folder: workspace.get().root
    ).says(exit: exitCode).text
  }

  @Test func `an old copy is a notice, and fails on request, end to end`() throws {
    let older = ScriptedServer.Step.answer(
      fields: ["Cache-Control: max-age=21600", "Age: 20000"],
      shopFile(components: #"[{"/":"/old"}]"#))
    let text = try cdnCheck(older, exitCode: 0)
    #expect(
      text.hasPrefix(
        Self.served + "; Apple's CDN keeps another version for at most 26 minutes more\n"),
      "\(text)")
    _ = try cdnCheck(older, "--fail-on", "cdn", exitCode: 3)
  }
}
