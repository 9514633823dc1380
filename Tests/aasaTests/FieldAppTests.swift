import AppFiles
import Diagnostics
import Foundation
import Testing

@testable import Checking

/// Files of apps and records of devices as people have them, in Tests/Corpus/field.
@Suite struct FieldAppTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus/field").path

  /// A file of entitlements, its findings, the number of its domains, and how the help begins.
  static let entitlements: [(file: String, codes: [String], domains: Int, help: [String])] = [
    ("leading-dot", ["F082"], 0, ["write webcredentials:example.com: "]),
    (
      "path", ["F082", "F082"], 0,
      [
        "write applinks:example.com: paths belong in the association file",
        "write webcredentials:example.com: ",
      ]
    ),
    ("idn-ascii", ["F134"], 1, ["serve the file also on a host with an ASCII name"]),
    ("port", [], 1, []), ("localhost", [], 1, []), ("address-developer", [], 1, []),
    ("mode-unknown", ["F083"], 0, ["write ?mode=developer"]), ("wildcard-only", [], 1, []),
  ]

  @Test(arguments: entitlements)
  func `entries are judged`(file: String, codes: [String], domains: Int, help: [String]) throws {
    let app = try AppFile(reading: "\(Self.folder)/\(file).entitlements")
    let found = AssociatedDomains(app)
    #expect(found.findings.map(\.code) == codes)
    #expect(found.subjects.count == domains)
    for (finding, beginning) in zip(found.findings, help) {
      #expect(finding.help?.hasPrefix(beginning) == true, "\(finding.help ?? "")")
    }
  }

  @Test(arguments: [
    ("http-only-verified", ["F136"], ["example.com"]),
    (
      "http-only-and-mime", ["F098", "F135", "F098", "F136", "F094"],
      ["timeline.app.example.com", "oauth-redirect.example.com"]
    ),
    (
      "several-hosts", [], ["example.com", "peer.example.net", "oauth-redirect.example.com"]
    ),
  ])
  func `filters are judged`(file: String, codes: [String], hosts: [String]) throws {
    let manifest = try AndroidManifest(reading: "\(Self.folder)/\(file).AndroidManifest.xml")
    let found = ManifestLinks(manifest)
    #expect(found.findings.map(\.code) == codes && found.hosts == hosts)
  }

  private func text(_ name: String) throws -> DeviceText {
    let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/device/\(name)"))
    return DeviceText(Array(data))
  }

  @Test func `a record of a port is about that port`() throws {
    let record = try #require(try text("swcutil-sso.txt").records.last)
    #expect(record.host == "example.com:8443" && record.state == .verified)
    #expect(record.isForDevelopers)
  }

  @Test func `links that the user turned off are refused`() throws {
    let records = try text("pm-user.txt").records
    #expect(records.map(\.state) == [.refused("the settings of the app"), .failed("none")])
  }
}
