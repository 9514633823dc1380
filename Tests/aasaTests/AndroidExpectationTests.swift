import Diagnostics
import Foundation
import Rules
import Testing

@testable import aasa

/// `aasa test` with expectations about both platforms.
@Suite struct AndroidExpectationTests {
  private static let association =
    #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"#
    + #""components":[{"/":"/buy/*"}]}]}}"#
  private static let links =
    #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"#
    + #""namespace":"android_app","package_name":"org.swift.shop","sha256_cert_fingerprints":[]},"#
    + #""relation_extensions":{"delegate_permission/common.handle_all_urls":{"#
    + #""dynamic_app_link_components":[{"/":"/buy/*"}]}}}]"#

  private static func code(_ cases: String, _ places: (String, String)) throws -> Int32 {
    let base = FileManager.default.temporaryDirectory.path + "/aasa-cases-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: base) }
    for (name, text) in [(places.0, association), (places.1, links), ("x.cases", cases)] {
      let file = base + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    let isFolder = places.0.hasPrefix("domains/")
    let file = isFolder ? base + "/domains" : base + "/" + places.0
    return Program.run(
      ["test", base + "/x.cases", "--file", file], output: { _ in }, errors: { _ in })
  }

  private static let places = [
    ("a.example.json", "a.example.assetlinks.json"),
    ("site/apple-app-site-association", "site/assetlinks.json"),
    ("domains/a.example.json", "domains/a.example.assetlinks.json"),
    (
      "domains/a.example/.well-known/apple-app-site-association",
      "domains/a.example/.well-known/assetlinks.json"
    ),
  ]

  @Test(arguments: places)
  func `both files decide about their apps`(association: String, links: String) throws {
    let url = "https://a.example"
    let both = "ios:K27TX9P4QD.org.swift.shop android:org.swift.shop"
    func code(_ cases: String) throws -> Int32 { try Self.code(cases, (association, links)) }
    try #expect(code("\(url)/buy/1 opens \(both)") == 0)
    try #expect(code("\(url)/sell browser \(both)") == 0)
    try #expect(code("\(url)/sell opens android:org.swift.shop") == 1)
    try #expect(code("\(url)/buy/1 opens android:org.swift.other") == 1)
  }

  /// Each expectation costs eight for the app, and one for its rule.
  @Test(arguments: [
    (18, [true, true, false]), (17, [true, false, false]), (27, [true, true, true]),
  ])
  func `expectations beyond the budget are not met, and say why`(budget: Int, met: [Bool]) throws {
    let base = FileManager.default.temporaryDirectory.path + "/aasa-budget-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: base) }
    try Data(Self.association.utf8).write(to: URL(filePath: base))
    var files = try #require(
      AssociationFiles(path: base, domain: nil, budget: Budget(operations: budget)))
    let cases = CaseFile(
      SourceText(path: "x.cases", bytes: Array("/a browser\n/b browser\n/c browser\n".utf8)))
    let verdicts = cases.expectations(on: .apple).map { files.failure(of: $0, owner: nil) }
    for (verdict, isMet) in zip(verdicts, met) {
      switch verdict {
      case .met: #expect(isMet)
      case .failed(let message, _):
        #expect(!isMet && message.contains("test fewer expectations at once"), "\(message)")
      }
    }
  }

  @Test func `without a file for Android its expectations are not met`() throws {
    let cases = "/buy/1 opens android:org.swift.shop"
    try #expect(Self.code(cases, ("a.example.json", "elsewhere/assetlinks.json")) == 1)
  }
}
