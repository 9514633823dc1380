import AppFileSupport
import AppFiles
import Diagnostics
import Foundation
import TLSTestSupport
import Testing

@testable import Checking
@testable import aasa

/// The findings of `--entitlements` about the entitlements that an app was signed with.
@Suite struct SigningFindingTests {
  private static let app = "K27TX9P4QD.org.swift.shop"

  private func profile(_ app: String, team: String = "K27TX9P4QD", permitsDomains: Bool = true)
    throws -> AssociatedDomains
  {
    let bytes = TestSignedMessage.der(
      AppFileSamples.profile(app: app, team: team, permitsDomains: permitsDomains),
      signers: [TestCertificate("signer")])
    return AssociatedDomains(try AppFile(bytes))
  }

  private func lines(_ domains: AssociatedDomains) -> [String] {
    domains.findings.map { "\($0.severity.rawValue) \($0.code): \($0.message); \($0.help ?? "")" }
  }

  @Test func `a good profile names the app, and no domains`() throws {
    let found = try profile(Self.app)
    #expect(found.findings.isEmpty && found.subjects.isEmpty && found.app == Self.app)
  }

  @Test func `a profile without the capability is an error`() throws {
    #expect(
      lines(try profile(Self.app, permitsDomains: false)) == [
        "error F088: the provisioning profile \"Shop Store\" does not permit associated domains; "
          + "turn on Associated Domains for the App ID, in Xcode's Signing & Capabilities or in "
          + "the developer account, and make the profile again; personal teams cannot use "
          + "Associated Domains"
      ])
    let wildcard = try profile("K27TX9P4QD.*", permitsDomains: false)
    #expect(wildcard.app == nil)
    #expect(lines(wildcard).first?.contains("is for every app of the team") == true)
  }

  @Test func `a prefix that is not the Team ID is a note`() throws {
    #expect(
      lines(try profile("A1B2C3D4E5.org.swift.shop")) == [
        "note F089: the app's prefix A1B2C3D4E5 is not its Team ID K27TX9P4QD; write "
          + "A1B2C3D4E5.org.swift.shop in the association file: devices compare the prefix, not "
          + "the Team ID"
      ])
  }

  @Test func `an entry for developer mode has no effect in a release`() throws {
    for (more, codes) in [("", ["F091"]), ("<key>get-task-allow</key><true/>", [])] {
      let entitlements = AppFileSamples.entitlements(
        app: Self.app, domains: ["applinks:example.com?mode=developer"], more: more)
      let path = FileManager.default.temporaryDirectory.path + "/run-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let executable = AppFileSamples.executable(signedWith: entitlements)
      try Data(executable).write(to: URL(fileURLWithPath: path))
      let found = AssociatedDomains(try AppFile(reading: path))
      #expect(found.findings.map(\.code) == codes)
      #expect(found.subjects.map(\.isDirect) == [true])
    }
  }

  @Test func `a browser that names domains for links is a note`() throws {
    let entitlements = AppFileSamples.entitlements(
      app: Self.app, domains: ["applinks:example.com"],
      more: "<key>com.apple.developer.web-browser</key><true/>")
    let found = lines(AssociatedDomains(try AppFile(entitlements)))
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("note F116: applinks:example.com: the app is a web browser") == true,
      "\(found)")
  }

  @Test func `init takes the services of an archive, and Expo's settings`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/init-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func file(_ bytes: [UInt8], _ more: String...) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/in"))
      let output = folder + "/out.json"
      let arguments = ["init", "--entitlements", folder + "/in", "-o", output, "--force"]
      #expect(Program.run(arguments + more, output: { _ in }, errors: { _ in }) == 0)
      return try String(contentsOfFile: output, encoding: .utf8)
    }
    let entitlements = AppFileSamples.entitlements(
      app: Self.app, domains: ["webcredentials:example.com"])
    let archive = AppFileSamples.archive([
      ("Payload/Shop.app/Info.plist", AppFileSamples.plist("<dict/>")),
      ("Payload/Shop.app/Shop", AppFileSamples.executable(signedWith: entitlements)),
    ])
    let signed = try file(archive)
    #expect(signed.contains("webcredentials") && signed.contains(Self.app))
    #expect(!signed.contains("applinks"))
    let clip = AppFileSamples.entitlements(app: Self.app + ".Clip", domains: ["appclips:a.com"])
    let information = AppFileSamples.plist("<dict/>")
    let withClip = try file(
      AppFileSamples.archive([
        ("Payload/Shop.app/Info.plist", information),
        ("Payload/Shop.app/Shop", AppFileSamples.executable(signedWith: entitlements)),
        ("Payload/Shop.app/AppClips/Clip.app/Info.plist", information),
        (
          "Payload/Shop.app/AppClips/Clip.app/Clip", AppFileSamples.executable(signedWith: clip)
        ),
      ]))
    #expect(withClip.contains(#""appclips": { "apps": ["\#(Self.app).Clip"] }"#), "\(withClip)")
    let expo = #"{"ios": {"bundleIdentifier": "a.b", "associatedDomains": ["applinks:a.com"]}}"#
    let made = try file(Array(expo.utf8), "--team", "K27TX9P4QD")
    #expect(made.contains("applinks") && made.contains("K27TX9P4QD.a.b"))
  }
}
