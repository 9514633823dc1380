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
    _ device: String, isServed: Bool = true, links: String = statements("org.swift.shop", nil),
    _ arguments: String..., exitCode: Int32, at location: SourceLocation = #_sourceLocation
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
    let finished = try run(
      Server.program,
      ["check", "--device", "device.txt", "--ca", authority.rootFile, "--timeout", "30s"]
        + arguments, environment: world.environment, folder: workspace.root)
    #expect(
      finished.exitCode == exitCode, "\(finished.exitCode)\n\(finished.text)\(finished.errors)",
      sourceLocation: location)
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

  @Test func `an approved domain that is right needs nothing`() throws {
    let text = try check(Self.sysdiagnose("approved"), exitCode: 0)
    #expect(
      text.hasSuffix(
        "\nto do: nothing; every recorded domain is right now, and the device verified it\n"),
      "\(text)")
    #expect(!text.contains("F132"), "\(text)")
  }

  @Test func `a device that asked too early asks again when the app is installed again`() throws {
    let text = try check(
      Self.sysdiagnose("denied", error: "Error Domain=SWCErrorDomain Code=7"), exitCode: 1)
    #expect(
      text.contains(
        "error: the device recorded \"denied\" (last checked 2026-08-24 10:09:00 +0000)"),
      "\(text)")
    #expect(text.contains("Error Domain=SWCErrorDomain Code=7") && text.contains("device.txt:1"))
    #expect(text.contains("\nto do: install the app again; example.com is right now"), "\(text)")
  }

  @Test func `a user who chose the browser can choose again`() throws {
    let text = try check(Self.sysdiagnose("approved", user: "denied"), exitCode: 1)
    #expect(text.contains("\nto do: the user chose the browser: press a link"), "\(text)")
  }

  @Test func `a domain that is wrong comes first`() throws {
    let text = try check(Self.sysdiagnose("denied"), isServed: false, exitCode: 1)
    #expect(text.contains("\nto do: first get example.com right (example.com: "), "\(text)")
    let other = Self.sysdiagnose("approved").replacingOccurrences(
      of: shop, with: "AAAAAAAAAA.org.x")
    #expect(try check(other, exitCode: 1).contains("[F070]"))
    let far = Self.sysdiagnose("approved").replacingOccurrences(
      of: "example.com", with: "far.example")
    _ = try check(far, "--cdn", "https://cdn.example/a/v1", exitCode: 4)
  }

  // MARK: Android

  @Test func `a verified host needs nothing`() throws {
    for state in ["verified", "approved", "system_configured", "restored", "migrated"] {
      let text = try check(Self.packageManager(state), exitCode: 0)
      #expect(text.contains("\nto do: nothing;"), "\(text)")
      #expect(!text.contains("F132") && !text.contains("F121"), "\(text)")
    }
  }

  @Test(arguments: ["legacy_failure", "1024", "1026", "none"])
  func `a host that was not verified is verified again`(state: String) throws {
    let text = try check(Self.packageManager(state), exitCode: 1)
    #expect(text.contains("error: the device recorded \"\(state)\" [F130]"), "\(text)")
    #expect(text.contains("(aasa explain \(state))"), "\(text)")
    #expect(
      text.contains("\nto do: run adb shell pm verify-app-links --re-verify org.swift.shop"),
      "\(text)")
    let page = try workspace.aasa("explain", state)
    #expect(page.exitCode == 0 && page.text.contains("grade O"), "\(page.text)\(page.errors)")
  }

  @Test func `a signature that assetlinks.json lacks is named`() throws {
    let other = shopFingerprint.replacingOccurrences(of: "5E:8F", with: "00:11")
    let text = try check(Self.packageManager("1024", fingerprint: other), exitCode: 1)
    #expect(
      text.contains("\nto do: add the signature that the device has, \(other), to assetlinks.json"),
      "\(text)")
    #expect(text.contains("if it is the upload key, install the app from Google Play"), "\(text)")
  }

  @Test func `links that are turned off are turned on in the settings`() throws {
    let text = try check(Self.packageManager("verified", handling: "false"), exitCode: 1)
    #expect(text.contains("\nto do: turn on \"Open supported links\""), "\(text)")
  }

  // MARK: Texts

  @Test func `what is not understood is named by its line`() throws {
    let text = try check("what is this?\n" + Self.packageManager("verified"), exitCode: 0)
    #expect(text.contains("device.txt: line 1 was not understood"), "\(text)")
    #expect(try check("nothing of the kind\n", exitCode: 2).contains("nothing was recognised"))
    #expect(try check("", exitCode: 2).contains("nothing was recognised"))
    let json = try check(Self.packageManager("verified"), "--json", exitCode: 0)
    #expect(json.contains(#"{"advice":"to do: nothing;"#), "\(json)")
  }
}
