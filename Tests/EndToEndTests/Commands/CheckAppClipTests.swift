import AppFileSupport
import Foundation
import ScriptedServer
import Testing

@testable import EndToEnd

/// `aasa check --entitlements` of an app that contains an App Clip.
@Suite(.needsNameServer, .needs(.openssl)) struct CheckAppClipTests {
  private let workspace = Result { try Workspace() }
  private static let clip = shop + ".Clip"

  private func pack(clipDomains: [String]) throws {
    func signed(_ app: String, _ domains: [String]) -> [UInt8] {
      AppFileSamples.executable(
        signedWith: AppFileSamples.entitlements(app: app, domains: domains))
    }
    let information = AppFileSamples.plist("<dict/>")
    let archive = AppFileSamples.archive([
      ("Payload/Shop.app/Info.plist", information),
      ("Payload/Shop.app/Shop", signed(shop, ["applinks:example.com", "appclips:example.com"])),
      ("Payload/Shop.app/AppClips/Clip.app/Info.plist", information),
      ("Payload/Shop.app/AppClips/Clip.app/Clip", signed(Self.clip, clipDomains)),
    ])
    try Data(archive).write(
      to: URL(fileURLWithPath: workspace.get().root + "/Shop.ipa"))
  }

  /// The report on example.com, which serves the association file.
  private func check(_ file: String, exitCode: Int32) throws -> String {
    let authority = try TestAuthority()
    let identity = try authority.issue("example.com", "www.example.com")
    let server = try ScriptedServer(identity: Array((identity.chain + identity.key).utf8)) {
      path(of: $0).hasSuffix("assetlinks.json")
        ? [.answer("404 Not Found", "no")] : [.answer(file)]
    }
    var world = try NameServer()
    world.lead("1.0.0.1:443", to: server.port)
    world.set("example.com", to: "1.0.0.1")
    return try run(
      Server.program,
      ["check", "--entitlements", "Shop.ipa", "--ca", authority.rootFile, "--timeout", "30s"],
      environment: world.environment, folder: workspace.get().root
    ).says(exit: exitCode).text
  }

  private func file(clips: String...) -> String {
    let apps = clips.map { "\"\($0)\"" }.joined(separator: ",")
    return String(shopFile(components: #"[{"/":"/buy/*"}]"#).dropLast())
      + ",\"appclips\":{\"apps\":[\(apps)]}}"
  }

  @Test func `the file names the app under applinks and its App Clip under appclips`() throws {
    try pack(clipDomains: ["appclips:example.com"])
    let text = try check(file(clips: Self.clip), exitCode: 0)
    #expect(text.contains("applinks names \(shop), appclips names \(Self.clip)"), "\(text)")
  }

  @Test func `an App Clip that the file does not name is missed by its own identifier`() throws {
    try pack(clipDomains: ["appclips:example.com"])
    let text = try check(file(clips: shop), exitCode: 1)
    #expect(
      text.contains("error: the file does not name \(Self.clip) under appclips [F070]"), "\(text)")
    #expect(!text.contains("does not name \(shop) "), "\(text)")
  }

  @Test func `an App Clip without the domain of its app is named by its folder`() throws {
    try pack(clipDomains: [])
    let text = try check(file(clips: Self.clip), exitCode: 1)
    #expect(
      text.contains(
        "Shop.ipa: AppClips/Clip.app: the App Clip names no associated domains, and its app names "
          + "appclips:example.com\n"), "\(text)")
  }
}
