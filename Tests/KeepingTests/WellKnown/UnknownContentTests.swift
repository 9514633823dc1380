import CatalogSupport
import Diagnostics
import Foundation
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// What the program does not know keeps no version from being served.
@Suite struct UnknownContentTests {
  let folder = TestFolder("domains")

  private static func corpus(_ name: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: tests.appending(path: "Corpus/field/" + name), encoding: .utf8)
  }

  private func loader(_ added: [WellKnownFile] = []) -> DomainRunner {
    DomainRunner(root: folder("domains")) { $0.wellKnown = added }
  }

  private static let future = #"{"futureservice":{"apps":["K27TX9P4QD.org.swift.shop"]}}"#

  @Test(arguments: [
    "sso-authsrv-only.json", "sso-authsrv-and-links.json", "spotlight-image.json", "",
  ])
  func `an association file with another service replaces an older version`(name: String) throws {
    folder.write("domains/a.test.json", small)
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    let text = name.isEmpty ? Self.future : try Self.corpus(name)
    folder.write("domains/a.test.json", text)
    #expect(loader.scanAll().codes == [])
    #expect(loader.association("a.test") == text)
  }

  @Test(arguments: [
    "assetlinks/app-and-query-webapk.json", "assetlinks/other-relations.json", "namespace",
    "relation",
  ])
  func `statements of other kinds replace an older list`(name: String) throws {
    folder.write("domains/a.test.assetlinks.json", #"[{"include":"https://b.test/links.json"}]"#)
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    let app = try Self.corpus("assetlinks/app-and-query-webapk.json")
    let text =
      switch name {
      case "namespace":
        #"[{"relation":["a/b.c"],"target":{"namespace":"television","name":"x"}}]"#
      case "relation": app.replacing("common.query_webapk", with: "other.future_relation")
      default: try Self.corpus(name)
      }
    folder.write("domains/a.test.assetlinks.json", text)
    #expect(loader.scanAll().codes == [])
    #expect(loader.assetLinks("a.test") == text)
  }

  @Test func `an endpoint that is not https is served, with a warning`() throws {
    folder.write("domains/a.test/.well-known/passkey-endpoints", "{}")
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    folder.write("domains/a.test/.well-known/passkey-endpoints", #"{"enroll":"/passkeys"}"#)
    #expect(loader.scanAll().codes == ["D161"])
    try #expect(loader.served("passkey-endpoints") == #"{"enroll":"/passkeys"}"#)
    #expect(loader.problems.all.values.allSatisfy { !$0.isLastGood })
  }

  @Test(arguments: ["", "[]", "7", "\"text\"", "null"])
  func `a file whose type was given by hand may be any JSON`(given: String) throws {
    let text = given.isEmpty ? try Self.corpus("traffic-advice") : given
    let added = [WellKnownFile("traffic-advice", "application/trafficadvice+json")]
    folder.write("domains/a.test/.well-known/traffic-advice", text)
    var loader = loader(added)
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("traffic-advice") == text)
    folder.write("domains/a.test/.well-known/traffic-advice", "[,]")
    #expect(loader.scanAll().codes.allSatisfy { $0.hasPrefix("J") })
    try #expect(loader.served("traffic-advice") == text)
  }

  @Test func `files of other names are noted once, with the first names`() {
    let path = "domains/a.test/.well-known/"
    for name in [
      "b", "a", "f", "e", "d", "c", ".hidden", "x.swp", "y~", "security.txt.bak", "#z#",
    ] { folder.write(path + name, "x") }
    folder.makeFolder(path + "acme-challenge")
    folder.write(path + "security.txt", "Contact: mailto:a@a.test\n")
    var loader = loader()
    let first = loader.scanAll().report.diagnostics
    #expect(first.map(\.code) == ["H049"] && first.map(\.severity) == [.note])
    #expect(first.first?.message == "not served from this folder: a, b, c, d, e and 1 more")
    #expect(first.first?.help?.contains("--well-known a=TYPE") == true)
    #expect(first.first?.location?.path.hasSuffix("a.test/.well-known") == true)
    // It is not a fault, and is not said again.
    #expect(loader.problems.all.isEmpty)
    folder.write(path + "security.txt", "Contact: mailto:b@a.test\n")
    #expect(loader.scanAll().codes == [])
    folder.write(path + "g", "x")
    #expect(loader.scanAll().codes == ["H049"])
  }
}
