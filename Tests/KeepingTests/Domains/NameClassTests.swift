import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// The meaning of names in the domains folder.
@Suite struct NameClassTests {
  enum Expected: Equatable {
    case part(DomainFolder.Part, DomainName)
    case ignored
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
    Row("example.com.json", .part(.file, .host("example.com"))),
    Row("EXAMPLE.com.JSON", .part(.file, .host("example.com"))),
    Row("_wildcard.example.com.json", .part(.file, .wildcard("example.com"))),
    Row("*.example.com.json", .part(.file, .wildcard("example.com"))),
    Row("_default.json", .part(.file, .any)),
    Row("localhost.json", .part(.file, .host("localhost"))),
    Row("192.0.2.1.json", .part(.file, .host("192.0.2.1"))),

    Row("example.com/", .part(.folder, .host("example.com"))),
    Row("Example.com/", .part(.folder, .host("example.com"))),
    Row("_wildcard.example.com/", .part(.folder, .wildcard("example.com"))),
    Row("*.example.com/", .part(.folder, .wildcard("example.com"))),
    Row("_default/", .part(.folder, .any)),

    // A directory in the place of a file: it cannot be read.
    Row("example.com.json/", .part(.file, .host("example.com"))),
    Row("example.com.HOSTS/", .part(.hosts, .host("example.com"))),
    Row("example.com.cases/", .part(.cases, .host("example.com"))),
    Row("example.com.page.html/", .part(.page, .host("example.com"))),
    Row("example.com.assetlinks.json/", .part(.assetLinks, .host("example.com"))),

    Row("example.com.assetlinks.json", .part(.assetLinks, .host("example.com"))),
    Row("_default.assetlinks.json", .part(.assetLinks, .any)),
    Row("*.example.com.assetlinks.json", .part(.assetLinks, .wildcard("example.com"))),

    Row("example.com.page.html", .part(.page, .host("example.com"))),
    Row("*.example.com.PAGE.html", .part(.page, .wildcard("example.com"))),
    Row("_default.page.html", .part(.page, .any)),

    Row("example.com.hosts", .part(.hosts, .host("example.com"))),
    Row("links.hosts", .part(.hosts, .host("links"))),
    Row("_default.HOSTS", .part(.hosts, .any)),
    Row("example.com.cases", .part(.cases, .host("example.com"))),
    Row("*.example.com.cases", .part(.cases, .wildcard("example.com"))),
    // expectations for something else
    Row("not a host.cases", .ignored),

    // hidden: Kubernetes mounts have `..data`
    Row(".hidden.json", .ignored),
    Row("..data/", .ignored),
    Row("..2026_11_21/", .ignored),
    Row(".git/", .ignored),
    Row(".example.com.json.swp", .ignored),
    // files of editors and file systems, and explanations of a folder
    Row("lost+found/", .ignored),
    Row("example.com.json~", .ignored),
    Row("example.com.json.tmp", .ignored),
    Row("example.com.json.swp", .ignored),
    Row("#example.com.json#", .ignored),
    Row(".#example.com.json", .ignored),
    Row("example.com.json___jb_tmp___", .ignored),
    Row("example.com.json___jb_old___", .ignored),
    Row("README.md", .ignored),
    Row("readme", .ignored),
    Row("LICENSE", .ignored),

    // of editors and sed: reported only if they stay
    Row("4913", .unknown),
    Row("sedAbC123", .unknown),

    // mistakes
    Row("example.com", .unknown),
    Row("apple-app-site-association", .unknown),
    Row("assetlinks.json.bak", .unknown),
    Row("example.com.txt", .unknown),
    Row("page.html", .unknown),
    Row("example.com.json.page.html", .unknown),
    Row("bücher.example.json", .unknown),
    Row("bücher.example/", .unknown),
    Row("https:example.com.json", .unknown),
    Row(".json", .ignored),
    Row("a..b.json", .unknown),
    Row("not a host/", .unknown),
    Row("not a host.hosts", .unknown),
    // the protocol's own names are not hosts, in any letters
    Row("apple-app-site-association.json", .unknown),
    Row("Apple-App-Site-Association.JSON", .unknown),
    Row("apple-app-site-association/", .unknown),
    Row("apple-app-site-association.hosts", .unknown),
    Row("assetlinks.json", .unknown),
    Row("assetlinks.json.json", .unknown),
    Row("assetlinks.json/", .unknown),
    // endings that are not top-level domains
    Row("example.com.json.json", .unknown),
    Row("example.com.txt.json", .unknown),
    Row("Example.com.TXT.json", .unknown),
    Row("example.com.bak/", .unknown),
    Row("example.com.old.assetlinks.json", .unknown),
    Row("*.html.json", .unknown),
    // a label of that name is not one of them
    Row("json.example.com.json", .part(.file, .host("json.example.com"))),
    Row("txt/", .part(.folder, .host("txt"))),
  ]

  @Test(arguments: rows)
  func `a name in the folder has a meaning`(_ row: Row) {
    let found: Expected =
      switch NameClass(row.name, isDirectory: row.isDirectory) {
      case .part(let part, let domain): .part(part, domain)
      case .ignored: .ignored
      case .unknown: .unknown
      }
    #expect(found == row.expected)
  }

  @Test(
    arguments: [
      // Each with a part of the advice.
      (
        "apple-app-site-association",
        ["example.com/apple-app-site-association", "example.com.json"]
      ),
      (
        "apple-app-site-association.json",
        ["example.com/apple-app-site-association", "example.com.json"]
      ),
      (
        "Apple-App-Site-Association.JSON",
        ["example.com/apple-app-site-association", "example.com.json"]
      ),
      ("assetlinks.json", ["example.com/assetlinks.json", "example.com.assetlinks.json"]),
      ("example.com", ["name it example.com.json"]),
      ("example.com.txt", ["name it example.com.json"]),
      ("example.com.json.txt", ["name it example.com.json"]),
      ("example.com.json.bak", ["name it example.com.json"]),
      ("example.com.json.json", ["name it example.com.json"]),
      ("Example.com.TXT", ["name it example.com.json"]),
      ("_wildcard.example.com.txt", ["name it *.example.com.json"]),
      ("bücher.example.json", ["xn--"]),
      ("bücher.example/", ["example.com/", "xn--"]),
      ("example.com.html", ["name it example.com.page.html", "example.com.json"]),
      ("example.com.page.htm", ["name it example.com.page.html"]),
      ("example.com.json.page.html", ["name it example.com.page.html"]),
      ("page.html", ["example.com.page.html", "page.html into the folder example.com"]),
      ("x y.json", ["example.com.json"]),
      ("x y.hosts", ["example.com.hosts"]),
      ("x y/", ["folder", "example.com/"]),
    ] as [(String, [String])])
  func `a probable mistake is reported with the right name`(
    _ name: String, _ advice: [String]
  ) {
    let isDirectory = name.hasSuffix("/")
    let folder = DomainFolder(
      path: "d", names: [(isDirectory ? String(name.dropLast()) : name, isDirectory)])
    #expect(folder.entries.isEmpty)
    #expect(folder.diagnostics.map(\.code) == ["H004"])
    let help = folder.diagnostics.first?.help ?? ""
    for text in advice { #expect(help.contains(text)) }
    // Never the mistake once more.
    #expect(!help.contains(".txt") && !help.contains(".json.json"))
  }
}
