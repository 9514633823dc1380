import Diagnostics
import Testing

@testable import Hosting

@Suite struct DomainFolderTests {
  enum Expected: Equatable {
    case part(DomainName, DomainFolder.Part)
    case skipped
    case unknown
  }

  struct Row: CustomTestStringConvertible {
    let name: String
    let isDirectory: Bool
    let expected: Expected
    var testDescription: String { name + (isDirectory ? "/" : "") }

    init(_ name: String, _ expected: Expected) {
      isDirectory = name.hasSuffix("/")
      self.name = isDirectory ? String(name.dropLast()) : name
      self.expected = expected
    }
  }

  static let rows = [
    Row("example.com.json", .part(.host("example.com"), .file)),
    Row("EXAMPLE.com.JSON", .part(.host("example.com"), .file)),
    Row("_wildcard.example.com.json", .part(.wildcard("example.com"), .file)),
    Row("*.example.com.json", .part(.wildcard("example.com"), .file)),
    Row("_default.json", .part(.any, .file)),
    Row("localhost.json", .part(.host("localhost"), .file)),
    Row("192.0.2.1.json", .part(.host("192.0.2.1"), .file)),
    // a host in the top-level domain of that name would be written so
    Row("example.json.json", .part(.host("example.json"), .file)),

    Row("example.com/", .part(.host("example.com"), .folder)),
    Row("Example.com/", .part(.host("example.com"), .folder)),
    Row("_wildcard.example.com/", .part(.wildcard("example.com"), .folder)),
    Row("*.example.com/", .part(.wildcard("example.com"), .folder)),
    Row("_default/", .part(.any, .folder)),

    Row("example.com.assetlinks.json", .part(.host("example.com"), .assetLinks)),
    Row("_default.assetlinks.json", .part(.any, .assetLinks)),
    Row("*.example.com.assetlinks.json", .part(.wildcard("example.com"), .assetLinks)),

    // hidden: Kubernetes mounts have `..data`
    Row(".hidden.json", .skipped),
    Row("..data/", .skipped),
    Row("..2026_11_21/", .skipped),
    Row(".git/", .skipped),
    Row(".example.com.json.swp", .skipped),
    // what editors and file systems leave, and what explains a folder
    Row("lost+found/", .skipped),
    Row("example.com.json~", .skipped),
    Row("example.com.json.tmp", .skipped),
    Row("example.com.json.swp", .skipped),
    Row("README.md", .skipped),
    Row("readme", .skipped),
    Row("LICENSE", .skipped),

    // mistakes
    Row("example.com", .unknown),
    Row("apple-app-site-association", .unknown),
    Row("assetlinks.json.bak", .unknown),
    Row("example.com.txt", .unknown),
    Row("bücher.example.json", .unknown),
    Row("bücher.example/", .unknown),
    Row("https:example.com.json", .unknown),
    Row(".json", .skipped),
    Row("a..b.json", .unknown),
    Row("not a host/", .unknown),
  ]

  @Test(arguments: rows)
  func `a name in the folder says what it is`(_ row: Row) {
    let found: Expected =
      switch DomainFolder.classify(row.name, isDirectory: row.isDirectory) {
      case .part(let domain, let part): .part(domain, part)
      case .skipped: .skipped
      case .unknown: .unknown
      }
    #expect(found == row.expected)
  }

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

  struct Conflict: CustomTestStringConvertible {
    let names: [String]
    /// What is served, and what is told of.
    let used: String
    let unused: String
    var testDescription: String { names.description }
  }

  static let conflicts = [
    // two cases of letters
    Conflict(names: ["a.test.json", "A.test.json"], used: "A.test.json", unused: "a.test.json"),
    // two forms of a wildcard
    Conflict(
      names: ["_wildcard.a.test.json", "*.a.test.json"], used: "*.a.test.json",
      unused: "_wildcard.a.test.json"),
    Conflict(names: ["a.test/", "A.TEST/"], used: "A.TEST", unused: "a.test"),
  ]

  @Test(arguments: conflicts)
  func `of two names for one host one is used, whatever their order`(_ row: Conflict) throws {
    for names in [row.names, row.names.reversed()] {
      let folder = Self.folder(names)
      #expect(folder.entries.count == 1)
      let entry = try #require(folder.entries.values.first)
      #expect(entry.names == [row.used])
      #expect(folder.diagnostics.map(\.code) == ["H005"])
      #expect(folder.diagnostics.first?.location?.path == "d/" + row.unused)
    }
  }

  @Test(
    arguments: [
      // what the help proposes
      ("apple-app-site-association", "example.com/apple-app-site-association"),
      ("assetlinks.json", nil),
      ("example.com", "example.com.json"),
      ("bücher.example.json", "xn--"),
      ("bücher.example/", "xn--"),
      ("x y.json", "example.com.json"),
    ] as [(String, String?)])
  func `what is probably a mistake is told of, with help`(_ name: String, _ help: String?) {
    let diagnostics = Self.folder([name]).diagnostics
    // `assetlinks.json` is the file of a host called assetlinks.
    #expect(diagnostics.map(\.code) == (help == nil ? [] : ["H004"]))
    if let help { #expect(diagnostics.first?.help?.contains(help) == true) }
  }
}
