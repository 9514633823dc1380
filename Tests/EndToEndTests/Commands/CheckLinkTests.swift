import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// Links that should open an app: in any form in which people paste them, and with the hosts that the
/// app names.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckLinkTests {
  private let authority: TestAuthority
  private let workspace: Workspace
  private let server: ScriptedServer
  private let world: NameServer

  init() throws {
    authority = try TestAuthority()
    workspace = try Workspace()
    let names = ["example.com", "www.example.com", "auth.example.com", "xn--bcher-kva.example"]
    let identity = try authority.issue(names[0], names[1], names[2], names[3])
    let file =
      #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":[{"/":"/buy/*"}]}]},"#
      + #""webcredentials":{"apps":["\#(shop)"]}}"#
    server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      path(of: $0).hasSuffix("site-association")
        ? [.answer(file)] : [.answer("404 Not Found", "no")]
    }
    var world = try NameServer()
    for name in names { world.set(name, to: "1.0.0.1") }
    world.lead("1.0.0.1:443", to: server.port)
    self.world = world
  }

  private func check(
    _ arguments: String..., exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let finished = try run(
      Server.program, ["check", "--ca", authority.rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment, folder: workspace.root
    ).says(exit: exitCode, at: location)
    return finished.text + finished.errors
  }

  private func write(_ value: String) throws {
    try workspace.write(
      "App.entitlements",
      "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key>\(value)"
        + "</dict></plist>")
  }

  private func writeEntries(_ entries: String...) throws {
    try write("<array>\(entries.map { "<string>\($0)</string>" }.joined())</array>")
  }

  // MARK: Forms

  @Test(arguments: [
    "https://example.com./nope", "https://EXAMPLE.com:443/nope", "https://b\u{FC}cher.example/nope",
    "https://B\u{DC}CHER.example/nope",
  ])
  func `a URL is judged in each form of its host, end to end`(url: String) throws {
    let text = try check("--url", url, exitCode: 1)
    #expect(text.contains("the file does not permit \(url) to open any app [F071]"), "\(text)")
    let open = try check("--url", url.replacing("nope", with: "buy/1"), exitCode: 0)
    #expect(open.contains("buy/1 opens an app"), "\(open)")
  }

  @Test func `what is neither a link nor a path is refused`() throws {
    for url in ["buy/1", "example.com/buy/1"] {
      let text = try check("example.com", "--url", url, exitCode: 2)
      #expect(text.contains("--url \(url) is neither a link such as https://"), "\(text)")
    }
    #expect(
      try check("example.com/buy/1", exitCode: 2).contains(
        "give the host alone, or the whole link: https://example.com/buy/1"))
  }

  // MARK: The hosts of an app

  @Test func `a domain and a link of it are one check, end to end`() throws {
    try writeEntries("applinks:example.com")
    let text = try check(
      "https://example.com/buy/1", "--entitlements", "App.entitlements", exitCode: 0)
    #expect(text.hasPrefix("example.com: the association file is served"), "\(text)")
    #expect(text.contains("also: /buy/1 opens an app"), "\(text)")
    let two = try check("https://example.com/buy/1", "https://example.com/nope", exitCode: 1)
    #expect(two.hasPrefix("2 checked: 1 is wrong, 1 is right"), "\(two)")
  }

  // MARK: Entries

  @Test func `files of another kind are named`() throws {
    try write("<string>applinks:example.com</string>")
    let text = try check("--entitlements", "App.entitlements", exitCode: 1)
    #expect(
      text.contains("the associated domains are the text applinks:example.com, and not an array")
        && text.contains("write <array><string>applinks:example.com</string></array>"), "\(text)")
    try workspace.write(
      "Info.plist",
      "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>")
    #expect(
      try check("--entitlements", "Info.plist", exitCode: 2).contains("this is an Info.plist"))
    try workspace.write("site.json", shopFile(components: "[]"))
    #expect(
      try check("--entitlements", "site.json", exitCode: 2).contains(
        "this is an association file, JSON without"))
  }
}
