import Foundation
import ScriptedServer
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check --device`: what a device recorded, and what is served now.
@Suite(.manyAtOnce, .needsNameServer, .needs(.openssl)) struct CheckDeviceTests {
  private let workspace: Workspace
  private let authority: TestAuthority

  init() throws {
    workspace = try Workspace()
    authority = try TestAuthority()
  }

  private func check(
    _ device: String, isServed: Bool = true, isPiped: Bool = false,
    links: String = statements("org.swift.shop", nil), _ arguments: String..., exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let identity = try authority.issue("example.com")
    let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      if path(of: $0).hasSuffix("assetlinks.json") { return [.answer(links)] }
      return path(of: $0).hasSuffix("site-association") && isServed
        ? [.answer(shopFile(components: #"[{"/":"/buy/*"}]"#))] : [.answer("404 Not Found", "no")]
    }
    var world = try NameServer()
    world.set("example.com", to: "1.0.0.1")
    world.lead("1.0.0.1:443", to: server.port)
    try workspace.write("device.txt", device)
    let name = isPiped ? "-" : "device.txt"
    let finished = try run(
      Server.program,
      ["check", "--device", name, "--ca", authority.rootFile, "--timeout", "30s"] + arguments,
      environment: world.environment, folder: workspace.root, input: isPiped ? device : nil
    ).says(exit: exitCode, at: location)
    return finished.text + finished.errors
  }

  private static func sysdiagnose(
    _ approval: String, user: String = "unspecified", error: String? = nil
  ) -> String {
    """
    Service:              applinks
    App ID:               \(shop)
    App Version:          1.0
    App PI:               <LSPersistentIdentifier 0x115e1a390> { v = 0, t = 0x8, u = 0xc98 }
    Domain:               example.com
    User Approval:        \(user)
    Site/Fmwk Approval:   \(approval)
    Flags:                
    Last Checked:         2026-08-24 10:09:00 +0000
    Next Check:           2026-08-29 21:00:19 +0000
    \(error.map { "Error:                \($0)\n" } ?? "")--------
    """
  }

  private static func packageManager(
    _ state: String, handling: String = "true", fingerprint: String = shopFingerprint
  ) -> String {
    """
      org.swift.shop:
        ID: 7782a8e9-350f-4080-8a4e-dec398f323d3
        Signatures: [\(fingerprint)]
        Domain verification state:
          example.com: \(state)
        User 0:
          Verification link handling allowed: \(handling)
          Selection state:
            Disabled:
              example.com
    """
  }

  // MARK: Apple

  @Test func `each recorded domain is checked, end to end`() throws {
    let gone = Self.sysdiagnose("approved").replacing("example.com", with: "gone.example")
    let text = try check(Self.sysdiagnose("approved") + "\n" + gone, exitCode: 1)
    #expect(text.hasPrefix("4 checked: 1 is wrong, 3 are right\n"), "\(text)")
    #expect(text.contains("\nto do: first fix gone.example (gone.example: "), "\(text)")
  }

  @Test func `a server is asked before DNS moves`() throws {
    let identity = try authority.issue("example.com")
    let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      path(of: $0).hasSuffix("site-association")
        ? [.answer(shopFile(components: #"[{"/":"/buy/*"}]"#))] : [.answer("404 Not Found", "no")]
    }
    try workspace.write("device.txt", Self.sysdiagnose("approved"))
    try workspace.aasa(
      "check", "--device", "device.txt", "--ca", authority.rootFile, "--resolve",
      "example.com:443:127.0.0.1:\(server.port)"
    ).says(exit: 0)
  }

  // MARK: Android

  @Test(arguments: ["legacy_failure", "1024", "1026", "none"])
  func `a host that was not verified is verified again, end to end`(state: String) throws {
    let text = try check(Self.packageManager(state), exitCode: 1)
    #expect(text.contains("error: the device recorded \"\(state)\" [F130]"), "\(text)")
    #expect(text.contains("(aasa explain \(state))"), "\(text)")
    #expect(
      text.contains("\nto do: run adb shell pm verify-app-links --re-verify org.swift.shop"),
      "\(text)")
    try workspace.aasa("explain", state).says("grade O", exit: 0)
  }

  // MARK: Texts

  @Test func `the standard input is read as a file is`() throws {
    let text = try check(Self.sysdiagnose("approved"), isPiped: true, exitCode: 0)
    #expect(text.contains("\nto do: nothing;"), "\(text)")
    let denied = try check(Self.sysdiagnose("denied"), isPiped: true, exitCode: 1)
    #expect(denied.contains("\n  standard input:1\n"), "\(denied)")
    #expect(denied.contains("\nto do: install the app again: example.com is correct"), "\(denied)")
  }

  @Test func `what is not understood is named by its line, end to end`() throws {
    let text = try check("what is this?\n" + Self.packageManager("verified"), exitCode: 0)
    #expect(text.contains("device.txt: line 1 was not understood"), "\(text)")
    #expect(try check("nothing of the kind\n", exitCode: 2).contains("nothing was recognised"))
    #expect(try check("", exitCode: 2).contains("nothing was recognised"))
    let json = try check(Self.packageManager("verified"), "--json", exitCode: 0)
    #expect(json.contains(#"{"advice":"to do: nothing;"#), "\(json)")
  }
}
