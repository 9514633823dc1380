import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct DomainFolderTests {
  static func folder(_ names: [String]) -> DomainFolder {
    DomainFolder(
      path: "d",
      names: names.map {
        $0.hasSuffix("/") ? (name: String($0.dropLast()), isDirectory: true) : ($0, false)
      })
  }

  @Test func `names of one host are one entry`() throws {
    let folder = Self.folder(["a.test.json", "a.test/", "a.test.assetlinks.json", "b.test/"])
    #expect(folder.diagnostics.isEmpty)
    #expect(folder.entries.count == 2)
    let entry = try #require(folder.entries[.host("a.test")])
    #expect(entry.file == "a.test.json")
    #expect(entry.folder == "a.test")
    #expect(entry.assetLinksFile == "a.test.assetlinks.json")
  }

  /// Two names, of which the first is used.
  static let conflicts = [
    // the usual spelling, whatever sorts first
    ("a.test.json", "A.test.json"), ("case.test.json", "CASE.TEST.JSON"),
    // of two unusual ones the first
    ("A.test.json", "a.TEST.json"),
    // two forms of a wildcard
    ("*.a.test.json", "_wildcard.a.test.json"), ("a.test/", "A.TEST/"),
  ]

  @Test(arguments: conflicts)
  func `of two names for one host one is used, whatever their order`(
    used: String, unused: String
  ) throws {
    func plain(_ name: String) -> String { String(name.prefix { $0 != "/" }) }
    for names in [[used, unused], [unused, used]] {
      let folder = Self.folder(names)
      #expect(folder.entries.count == 1)
      let entry = try #require(folder.entries.values.first)
      #expect([entry.file, entry.folder].compactMap(\.self) == [plain(used)])
      #expect(folder.diagnostics.map(\.code) == ["H005"])
      #expect(folder.diagnostics.first?.location?.path == "d/" + plain(unused))
    }
  }

  @Test func `of many names for one host one is used, and each other is reported`() {
    let names = ["a.test.json", "A.test.json", "a.Test.json", "a.test.JSON"]
    for first in names.indices {
      let folder = Self.folder(Array(names[first...] + names[..<first]))
      #expect(folder.entries.values.map(\.file) == ["a.test.json"])
      #expect(folder.diagnostics.map(\.code) == ["H005", "H005", "H005"])
    }
  }

  @Test func `expectations alone serve nothing, and are not mistake`() {
    let folder = Self.folder(["example.com.cases"])
    #expect(folder.entries.isEmpty && folder.diagnostics.isEmpty)
  }

  @Test func `hosts alone serve nothing, and that is reported`() {
    let folder = Self.folder(["links.hosts", "links.cases"])
    #expect(folder.entries.isEmpty)
    #expect(folder.diagnostics.map(\.code) == ["H032"])
    #expect(folder.diagnostics.first?.location?.path == "d/links.hosts")
    #expect(folder.diagnostics.first?.help?.contains("links.json") == true)
  }

  @Test(arguments: ["links.page.html", "_default.page.html"])
  func `a page alone serves nothing, and that is reported`(_ name: String) {
    let folder = Self.folder([name])
    #expect(folder.entries.isEmpty)
    #expect(folder.diagnostics.map(\.code) == ["H048"])
    #expect(folder.diagnostics.first?.location?.path == "d/" + name)
  }

  @Test(arguments: ["links.json", "links/", "links.assetlinks.json"])
  func `hosts and expectations belong to the file or folder of their name`(_ name: String) throws {
    let folder = Self.folder(["links.hosts", name, "links.cases"])
    let entry = try #require(folder.entries[.host("links")])
    #expect(entry.hostsFile == "links.hosts" && entry.casesFile == "links.cases")
    #expect(folder.diagnostics.isEmpty)
  }

  @Test func `diagnostics come in the order of names, whatever the folder's`() {
    let names = ["c.txt", "a b", "B.test.json", "b.test.json", "x.hosts"]
    let paths = Self.folder(names).diagnostics.compactMap(\.location?.path)
    #expect(paths == ["d/B.test.json", "d/a b", "d/c.txt", "d/x.hosts"])
    #expect(Self.folder(names.reversed()).diagnostics.compactMap(\.location?.path) == paths)
  }
}
