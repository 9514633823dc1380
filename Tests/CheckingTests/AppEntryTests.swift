import AppFiles
import Rules
import Testing

@testable import Checking

/// Reports on what the entries of an app ask of a domain.
@Suite struct AppEntryTests {
  @Test func `a port that the app names is the app's`() throws {
    var world = CheckWorld(CheckServer())
    world.lead("1.0.0.1", port: 8_443, to: CheckServer())
    let text = try world.check(entitlements: entitlements("applinks:example.com:8443"), exitCode: 0)
    #expect(
      text.hasPrefix(
        "example.com: the association file is served as Apple asks; Apple's CDN was not asked "
          + "(the app lists the domain with port 8443)\n"
          + "skipped: port 80, www, assetlinks.json, passkeys\n"),
      "\(text)")
    #expect(!text.contains("devices use 443"), "\(text)")
    let given = try world.check("example.com:8443", exitCode: 0)
    #expect(given.contains("(the port is 8443, but devices use 443)"), "\(given)")
  }

  // MARK: App Clips

  private static let clip = shop + ".Clip"

  /// The entitlements of an app that names example.com for links and for App Clips.
  private static func app(_ identifier: String) throws -> AppFile {
    let entries = "<string>applinks:example.com</string><string>appclips:example.com</string>"
    let text = entitlements(
      value: "<array>\(entries)</array>",
      more: "<key>application-identifier</key><string>\(identifier)</string>")
    return try AppFile(Array(text.utf8))
  }

  /// The report on the domain of an App Clip.
  private func check(clipOf file: String, exitCode: Int32) throws -> String {
    let found = AssociatedDomains(try Self.app(Self.clip), within: try Self.app(shop))
    #expect(found.findings.isEmpty)
    let world = CheckWorld(CheckServer(CheckServer.serving(file)))
    return world.says(
      try world.run(found.subjects, CheckWorld.Options()), exitCode, #_sourceLocation)
  }

  private static let whole =
    String(shopFile(components: #"[{"/":"/buy/*"}]"#).dropLast())
    + #","appclips":{"apps":["\#(clip)"]}}"#

  @Test func `an App Clip is demanded under appclips and not under applinks`() throws {
    let text = try check(clipOf: Self.whole, exitCode: 0)
    #expect(text.contains("appclips names \(Self.clip)"), "\(text)")
    #expect(!text.contains("[F070]") && !text.contains("applinks names \(Self.clip)"), "\(text)")
    let missing = try check(
      clipOf: shopFile(components: #"[{"/":"/buy/*"}]"#), exitCode: 1)
    #expect(
      missing.contains("the file does not list \(Self.clip) under appclips [F070]"),
      "\(missing)")
    #expect(!missing.contains("\(Self.clip) under applinks"), "\(missing)")
  }
}
