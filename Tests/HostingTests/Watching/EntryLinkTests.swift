import Testing

@testable import Hosting

/// Where an entry's links lead decides what there is to watch for it.
@Suite struct EntryLinkTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  static let name = "apple-app-site-association"
  static let good = #"{"applinks":{"details":[]}}"#
  static let cases = "/x opens nothing\n"

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var files: [String] = []
    /// Each with what it says.
    var links: [(String, String)] = []
    let leadsOutside: Bool
  }

  static let rows = [
    Row(testDescription: "a file", files: ["a.test.json"], leadsOutside: false),
    Row(
      testDescription: "both files of a folder",
      files: ["a.test/\(name)", "a.test/.well-known/\(name)"], leadsOutside: false),
    Row(testDescription: "no file at all", files: ["a.test/other"], leadsOutside: false),
    Row(
      testDescription: "the usual link from one place to the other",
      files: ["a.test/.well-known/\(name)"],
      links: [("a.test/\(name)", ".well-known/\(name)")], leadsOutside: false),
    Row(
      testDescription: "the same link, its end not there",
      links: [("a.test/\(name)", ".well-known/\(name)")], leadsOutside: false),
    Row(
      testDescription: "the usual link, its end a link too",
      files: ["../store/file"],
      links: [
        ("a.test/\(name)", ".well-known/\(name)"),
        ("a.test/.well-known/\(name)", "../../../store/file"),
      ],
      leadsOutside: true),
    Row(
      testDescription: "the same words, elsewhere",
      files: ["a.test/.well-known/.well-known/\(name)"],
      links: [("a.test/.well-known/\(name)", ".well-known/\(name)")], leadsOutside: true),
    Row(
      testDescription: "a link to the other place by a longer way",
      files: ["a.test/.well-known/\(name)"],
      links: [("a.test/\(name)", "../a.test/.well-known/\(name)")], leadsOutside: true),
    Row(
      testDescription: "a mounted ConfigMap", files: ["a.test/..1/\(name)"],
      links: [("a.test/..data", "..1"), ("a.test/\(name)", "..data/\(name)")],
      leadsOutside: true),
    Row(
      testDescription: "a linked file", files: ["../store/file"],
      links: [("a.test.json", "../store/file")], leadsOutside: true),
    Row(
      testDescription: "a linked folder", files: ["../store/a/\(name)"],
      links: [("a.test", "../store/a")], leadsOutside: true),
    Row(
      testDescription: "a linked .well-known", files: ["a.test/other", "../store/a/\(name)"],
      links: [("a.test/.well-known", "../../store/a")], leadsOutside: true),
    Row(
      testDescription: "a link that leads nowhere", files: ["a.test/other"],
      links: [("a.test/\(name)", "missing")], leadsOutside: true),
    Row(
      testDescription: "linked expectations", files: ["a.test/\(name)", "../store/file.cases"],
      links: [("a.test/\(name).cases", "../../store/file.cases")], leadsOutside: true),
    Row(
      testDescription: "linked expectations beside the folder",
      files: ["a.test/\(name)", "../store/file.cases"],
      links: [("a.test.cases", "../store/file.cases")], leadsOutside: true),
    Row(
      testDescription: "a linked assetlinks.json",
      files: ["a.test/\(name)", "../store/links.json"],
      links: [("a.test/assetlinks.json", "../../store/links.json")], leadsOutside: true),
  ]

  func make(_ row: Row) -> DomainLoader {
    folder.makeFolder("domains/a.test")
    if !(row.files + row.links.map(\.0)).contains(where: { $0.hasPrefix("a.test/") }) {
      folder.remove("domains/a.test")
    }
    for file in row.files {
      let text =
        file.hasSuffix(".cases") ? Self.cases : file.hasSuffix("links.json") ? "[]" : Self.good
      folder.write("domains/" + file, text)
    }
    for (link, target) in row.links {
      if let slash = link.lastIndex(of: "/") {
        folder.makeFolder("domains/" + link[..<slash])
      }
      folder.link("domains/" + link, to: target)
    }
    return DomainLoader(root: folder("domains"), cacheControl: "no-cache", threads: 1)
  }

  @Test(arguments: rows)
  func `a link that leads out of an entry's folders is known`(row: Row) throws {
    folder.makeFolder("domains")
    var loader = make(row)
    _ = loader.loadAll()
    let entry = try #require(loader.count == 1 ? loader.entry(at: 0) : nil)
    #expect(loader.leadsOutside(entry) == row.leadsOutside)
    // To look again finds the same as to read.
    #expect(loader.staleEntries().isEmpty)
  }

  @Test(arguments: rows.filter { !$0.links.isEmpty })
  func `a link that is replaced is noticed, even by one to the same end`(row: Row) throws {
    folder.makeFolder("domains")
    var loader = make(row)
    _ = loader.loadAll()
    for (link, target) in row.links where link != "a.test/..data" {
      folder.link("domains/" + link, to: "./" + target)
      #expect(!loader.staleEntries().isEmpty)
      _ = loader.loadAll()
      #expect(loader.staleEntries().isEmpty)
    }
  }

  @Test func `a file that becomes a link, and a link that becomes a file, are noticed`() throws {
    folder.write("domains/a.test/\(Self.name)", Self.good)
    folder.makeFolder("domains/a.test/.well-known")
    var loader = DomainLoader(root: folder("domains"), cacheControl: "no-cache", threads: 1)
    _ = loader.loadAll()
    let entry = loader.entry(at: 0)
    #expect(!loader.leadsOutside(entry))
    folder.rename("domains/a.test/.well-known", to: "elsewhere")
    folder.link("domains/a.test/.well-known", to: "../../elsewhere")
    #expect(loader.isStale(entry))
    _ = loader.reload(names: ["a.test"])
    #expect(loader.leadsOutside(entry) && !loader.isStale(entry))
    folder.remove("domains/a.test/.well-known")
    #expect(loader.isStale(entry))
    _ = loader.reload(names: ["a.test"])
    #expect(!loader.leadsOutside(entry) && !loader.isStale(entry))
  }
}
