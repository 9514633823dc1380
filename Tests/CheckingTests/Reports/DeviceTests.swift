import Rules
import Testing

@testable import Checking
@testable import Client

/// Reports on what a device recorded, and what is served now.
@Suite struct DeviceTests {
  private func check(
    _ device: String, isServed: Bool = true, links: String = statements("org.swift.shop"),
    cdn: CheckServer? = nil, exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let world = CheckWorld(
      CheckServer {
        if path(of: $0).hasSuffix("assetlinks.json") { return .answer(links) }
        return isServed ? CheckServer.good($0) : .answer("404 Not Found", "no")
      })
    var options = CheckWorld.Options()
    options.cdn = cdn
    let result = DeviceCheck(
      DeviceText(Array(device.utf8)), named: "device.txt", settings: try world.settings(options),
      cdn: try cdn.map { _ in try CDNAddress(CheckWorld.cdn) }, apple: nil, google: nil,
      policy: VerdictPolicy(), parallel: 1, form: .text
    ).run()
    return world.says(result.subjects, exitCode, location) + "\n" + result.advice + "\n"
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
        "\nto do: nothing; every recorded domain is correct now, and the device verified it\n"),
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
    #expect(text.contains("\nto do: install the app again: example.com is correct now"), "\(text)")
  }

  @Test func `each recorded domain is checked`() throws {
    let gone = Self.sysdiagnose("approved").replacing("example.com", with: "gone.example")
    let text = try check(Self.sysdiagnose("approved") + "\n" + gone, exitCode: 1)
    #expect(text.contains("\nto do: first fix gone.example (gone.example: "), "\(text)")
  }

  @Test func `a user who chose the browser can choose again`() throws {
    let text = try check(Self.sysdiagnose("approved", user: "denied"), exitCode: 1)
    #expect(text.contains("\nto do: the user chose the browser: long-press a link"), "\(text)")
    #expect(text.contains("[F131]"), "\(text)")
  }

  @Test func `a domain that is wrong comes first`() throws {
    let text = try check(Self.sysdiagnose("denied"), isServed: false, exitCode: 1)
    #expect(text.contains("\nto do: first fix example.com (example.com: "), "\(text)")
    let other = Self.sysdiagnose("approved").replacing(shop, with: "AAAAAAAAAA.org.x")
    #expect(try check(other, exitCode: 1).contains("[F070]"))
    let far = Self.sysdiagnose("approved").replacing("example.com", with: "far.example")
    _ = try check(far, cdn: CheckServer(refusing: .lost(.connect, nil)), exitCode: 4)
  }

  @Test func `each app and each service of a domain counts`() throws {
    let passwords = Self.sysdiagnose("approved").replacing("applinks", with: "webcredentials")
    for other in [
      passwords, Self.sysdiagnose("approved").replacing(shop, with: "AAAAAAAAAA.org.x"),
    ] {
      let text = try check(Self.sysdiagnose("approved") + "\n" + other, exitCode: 1)
      #expect(text.contains("[F070]") && text.contains("to do: first fix example.com"), "\(text)")
    }
    let strange = Self.sysdiagnose("approved").replacing("applinks", with: "spotlight")
    #expect(DeviceText(Array(strange.utf8)).records.isEmpty)
  }

  @Test func `developer mode has a switch on the device`() throws {
    let developer = Self.sysdiagnose("unspecified").replacing(
      "example.com", with: "example.com?mode=developer")
    let text = try check(developer, exitCode: 1)
    #expect(
      text.contains(
        "to do: turn on Associated Domains Development in Settings, Developer, then install the app "
          + "again: example.com is correct now"), "\(text)")
  }

  // MARK: Android

  @Test func `a verified host needs nothing`() throws {
    let text = try check(Self.packageManager("verified"), exitCode: 0)
    #expect(text.contains("\nto do: nothing;"), "\(text)")
    #expect(!text.contains("F132") && !text.contains("F121"), "\(text)")
  }

  @Test(arguments: ["approved", "system_configured", "restored", "migrated"])
  func `an approval without a verification is called what it is`(state: String) throws {
    let text = try check(Self.packageManager(state), exitCode: 0)
    #expect(
      text.contains("It did not verify example.com (\"\(state)\"): to see whether it can"),
      "\(text)")
    #expect(!text.contains("device: verified") && !text.contains("the device verified"), "\(text)")
    #expect(!text.contains("F132") && !text.contains("F121"), "\(text)")
  }

  @Test(arguments: ["legacy_failure", "1024", "1026", "none"])
  func `a host that was not verified is verified again`(state: String) throws {
    let text = try check(Self.packageManager(state), exitCode: 1)
    #expect(text.contains("error: the device recorded \"\(state)\" [F130]"), "\(text)")
    #expect(text.contains("(aasa explain \(state))"), "\(text)")
    #expect(
      text.contains("\nto do: run adb shell pm verify-app-links --re-verify org.swift.shop"),
      "\(text)")
  }

  @Test func `a signature that assetlinks.json lacks is named`() throws {
    let other = shopFingerprint.replacing("5E:8F", with: "00:11")
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

  @Test func `a host that was refused by force is reset`() throws {
    let text = try check(Self.packageManager("denied"), exitCode: 1)
    #expect(
      text.contains("\nto do: run adb shell pm reset-app-links org.swift.shop, then run adb"),
      "\(text)")
  }

  @Test func `a state that nobody knows is not known`() throws {
    let text = try check(Self.packageManager("always"), exitCode: 4)
    #expect(text.contains("the state \"always\" is not known [F132]"), "\(text)")
    #expect(text.contains("to do: check what the device recorded about example.com in line 5"))
  }

  @Test func `a host that Android cannot verify stands in the manifest`() throws {
    let text = try check(
      Self.packageManager("verified").replacing(
        "    Domain verification",
        with: "    Invalid autoVerify domains:\n      foo\n    Domain verification"),
      exitCode: 1)
    #expect(
      text.contains("to do: correct the host foo in the manifest of org.swift.shop"), "\(text)")
    #expect(!text.contains("F132"), "\(text)")
  }

  @Test(arguments: ["14:6D:E9:...", ""])
  func `an unknown signature is not compared`(signature: String) throws {
    let text = try check(Self.packageManager("1024", fingerprint: signature), exitCode: 1)
    #expect(!text.contains("a key other than") && text.contains("is unknown"), "\(text)")
    let green = try check(Self.packageManager("verified", fingerprint: signature), exitCode: 4)
    #expect(green.contains("[F122]"), "\(green)")
  }

  @Test func `a fingerprint in lower case is no other key`() throws {
    let lower = statements("org.swift.shop", fingerprint: shopFingerprint.lowercased())
    let text = try check(Self.packageManager("1026"), links: lower, exitCode: 1)
    #expect(text.contains("to do: first fix example.com"), "\(text)")
    #expect(text.contains("in lower case"), "\(text)")
  }

  @Test func `what is not understood is named by its line`() throws {
    let text = try check("what is this?\n" + Self.packageManager("verified"), exitCode: 0)
    #expect(text.contains("device.txt: line 1 was not understood"), "\(text)")
  }
}
