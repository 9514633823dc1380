import Diagnostics
import Rules
import TestRunning
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
    let result = DeviceCheck(DeviceText(Array(device.utf8)), named: "device.txt")
      .results(try world.context(options))
    let advice = try #require(result.advice)
    return world.says(result.subjects, exitCode, location) + "\n" + advice + "\n"
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
    try check(Self.sysdiagnose("approved"), exitCode: 0).says(
      .end(
        "\nto do: nothing; every recorded domain is correct now, and the device verified every "
          + "domain\n"),
      .lacks("F132"))
  }

  @Test func `a device that asked too early asks again when the app is installed again`() throws {
    try check(
      Self.sysdiagnose("denied", error: "Error Domain=SWCErrorDomain Code=7"), exitCode: 1
    ).says(
      "the device recorded \"denied\" (last checked 2026-08-24 10:09:00 +0000)",
      "Error Domain=SWCErrorDomain Code=7", "device.txt:1",
      "\nto do: install the app again: example.com is correct now")
  }

  @Test func `each recorded domain is checked`() throws {
    let gone = Self.sysdiagnose("approved").replacing("example.com", with: "gone.example")
    try check(Self.sysdiagnose("approved") + "\n" + gone, exitCode: 1).says(
      "\nto do: first fix gone.example (gone.example: ")
  }

  @Test func `a user who chose the browser can choose again`() throws {
    try check(Self.sysdiagnose("approved", user: "denied"), exitCode: 1).says(
      "\nto do: the user chose the browser: long-press a link", "[F131]")
  }

  @Test func `a domain that is wrong comes first`() throws {
    try check(Self.sysdiagnose("denied"), isServed: false, exitCode: 1).says(
      "\nto do: first fix example.com (example.com: ")
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
      try check(Self.sysdiagnose("approved") + "\n" + other, exitCode: 1).says(
        "[F070]", "to do: first fix example.com")
    }
    let strange = Self.sysdiagnose("approved").replacing("applinks", with: "spotlight")
    #expect(DeviceText(Array(strange.utf8)).records.isEmpty)
  }

  @Test func `developer mode has a switch on the device`() throws {
    let developer = Self.sysdiagnose("unspecified").replacing(
      "example.com", with: "example.com?mode=developer")
    try check(developer, exitCode: 1).says(
      .part(
        "to do: turn on Associated Domains Development in Settings, Developer, then install the app "
          + "again: example.com is correct now"))
  }

  // MARK: Android

  @Test func `a verified host needs nothing`() throws {
    try check(Self.packageManager("verified"), exitCode: 0).says(
      "\nto do: nothing;", .lacks("F132"), .lacks("F121"))
  }

  @Test(arguments: ["approved", "system_configured", "restored", "migrated"])
  func `an approval without a verification is called what it is`(state: String) throws {
    try check(Self.packageManager(state), exitCode: 0).says(
      "The device did not verify example.com (\"\(state)\"): to see whether the device can",
      .lacks("device: verified"), .lacks("the device verified"), .lacks("F132"), .lacks("F121"))
  }

  @Test(arguments: ["legacy_failure", "1024", "1026", "none"])
  func `a host that was not verified is verified again`(state: String) throws {
    try check(Self.packageManager(state), exitCode: 1).says(
      "the device recorded \"\(state)\" [F130]", "(aasa explain \(state))",
      "\nto do: run adb shell pm verify-app-links --re-verify org.swift.shop")
  }

  @Test func `a signature that assetlinks.json lacks is named`() throws {
    let other = shopFingerprint.replacing("5E:8F", with: "00:11")
    try check(Self.packageManager("1024", fingerprint: other), exitCode: 1).says(
      "\nto do: the device shows the fingerprint \(other): if the fingerprint belongs to the app",
      "belongs to the upload key, install the app from Google Play")
  }

  @Test func `links that are turned off are turned on in the settings`() throws {
    try check(Self.packageManager("verified", handling: "false"), exitCode: 1).says(
      "\nto do: turn on \"Open supported links\"")
  }

  @Test func `a host that was refused by force is reset`() throws {
    try check(Self.packageManager("denied"), exitCode: 1).says(
      "\nto do: run adb shell pm reset-app-links org.swift.shop, then run adb")
  }

  @Test func `a state that nobody knows is not known`() throws {
    try check(Self.packageManager("always"), exitCode: 4).says(
      "aasa does not know the state \"always\" [F132]",
      "to do: read line 5: aasa does not know the state that the device recorded for example.com")
  }

  @Test func `a host that Android cannot verify stands in the manifest`() throws {
    try check(
      Self.packageManager("verified").replacing(
        "    Domain verification",
        with: "    Invalid autoVerify domains:\n      foo\n    Domain verification"),
      exitCode: 1
    ).says("to do: correct the host foo in the manifest of org.swift.shop", .lacks("F132"))
  }

  @Test(arguments: ["14:6D:E9:...", ""])
  func `an unknown signature is not compared`(signature: String) throws {
    try check(Self.packageManager("1024", fingerprint: signature), exitCode: 1).says(
      .lacks("a key other than"), "is unknown")
    try check(Self.packageManager("verified", fingerprint: signature), exitCode: 4).says("[F122]")
  }

  @Test func `a fingerprint in lower case is no other key`() throws {
    let lower = statements("org.swift.shop", fingerprint: shopFingerprint.lowercased())
    try check(Self.packageManager("1026"), links: lower, exitCode: 1).says(
      "to do: first fix example.com", "in lower case")
  }

  @Test func `what is not understood is named by its line`() throws {
    try check("what is this?\n" + Self.packageManager("verified"), exitCode: 0).says(
      "device.txt: line 1 was not understood")
  }
}
