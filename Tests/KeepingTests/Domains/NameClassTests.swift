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

  /// A name, which ends with `/` if it is a folder.
  static let rows: [(String, Expected)] = [
    ("example.com.json", .part(.file, .host("example.com"))),
    ("EXAMPLE.com.JSON", .part(.file, .host("example.com"))),
    ("_wildcard.example.com.json", .part(.file, .wildcard("example.com"))),
    ("*.example.com.json", .part(.file, .wildcard("example.com"))),
    ("_default.json", .part(.file, .any)),
    ("localhost.json", .part(.file, .host("localhost"))),
    ("192.0.2.1.json", .part(.file, .host("192.0.2.1"))),

    ("example.com/", .part(.folder, .host("example.com"))),
    ("Example.com/", .part(.folder, .host("example.com"))),
    ("_wildcard.example.com/", .part(.folder, .wildcard("example.com"))),
    ("*.example.com/", .part(.folder, .wildcard("example.com"))),
    ("_default/", .part(.folder, .any)),

    // A directory in the place of a file: it cannot be read.
    ("example.com.json/", .part(.file, .host("example.com"))),
    ("example.com.HOSTS/", .part(.hosts, .host("example.com"))),
    ("example.com.cases/", .part(.cases, .host("example.com"))),
    ("example.com.page.html/", .part(.page, .host("example.com"))),
    ("example.com.assetlinks.json/", .part(.assetLinks, .host("example.com"))),

    ("example.com.assetlinks.json", .part(.assetLinks, .host("example.com"))),
    ("_default.assetlinks.json", .part(.assetLinks, .any)),
    ("*.example.com.assetlinks.json", .part(.assetLinks, .wildcard("example.com"))),

    ("example.com.page.html", .part(.page, .host("example.com"))),
    ("*.example.com.PAGE.html", .part(.page, .wildcard("example.com"))),
    ("_default.page.html", .part(.page, .any)),

    ("example.com.hosts", .part(.hosts, .host("example.com"))),
    ("links.hosts", .part(.hosts, .host("links"))),
    ("_default.HOSTS", .part(.hosts, .any)),
    ("example.com.cases", .part(.cases, .host("example.com"))),
    ("*.example.com.cases", .part(.cases, .wildcard("example.com"))),
    // expectations for something else
    ("not a host.cases", .ignored),

    // hidden: Kubernetes mounts have `..data`
    (".hidden.json", .ignored),
    ("..data/", .ignored),
    ("..2026_11_21/", .ignored),
    (".git/", .ignored),
    (".example.com.json.swp", .ignored),
    // files of editors and file systems, and explanations of a folder
    ("lost+found/", .ignored),
    ("example.com.json~", .ignored),
    ("example.com.json.tmp", .ignored),
    ("example.com.json.swp", .ignored),
    ("#example.com.json#", .ignored),
    (".#example.com.json", .ignored),
    ("example.com.json___jb_tmp___", .ignored),
    ("example.com.json___jb_old___", .ignored),
    ("README.md", .ignored),
    ("readme", .ignored),
    ("LICENSE", .ignored),

    // of editors and sed: reported only if they stay
    ("4913", .unknown),
    ("sedAbC123", .unknown),

    // mistakes
    ("example.com", .unknown),
    ("apple-app-site-association", .unknown),
    ("assetlinks.json.bak", .unknown),
    ("example.com.txt", .unknown),
    ("page.html", .unknown),
    ("example.com.json.page.html", .unknown),
    ("bücher.example.json", .unknown),
    ("bücher.example/", .unknown),
    ("https:example.com.json", .unknown),
    (".json", .ignored),
    ("a..b.json", .unknown),
    ("not a host/", .unknown),
    ("not a host.hosts", .unknown),
    // the protocol's own names are not hosts, in any letters
    ("apple-app-site-association.json", .unknown),
    ("Apple-App-Site-Association.JSON", .unknown),
    ("apple-app-site-association.json.json", .unknown),
    ("apple-app-site-association/", .unknown),
    ("apple-app-site-association.hosts", .unknown),
    ("assetlinks.json", .unknown),
    ("assetlinks.json.json", .unknown),
    ("assetlinks.json/", .unknown),
    // endings that are not top-level domains
    ("example.com.json.json", .unknown),
    ("example.com.txt.json", .unknown),
    ("Example.com.TXT.json", .unknown),
    ("example.com.bak/", .unknown),
    ("example.com.old.assetlinks.json", .unknown),
    ("*.html.json", .unknown),
    // a label of that name is not one of them
    ("json.example.com.json", .part(.file, .host("json.example.com"))),
    ("txt/", .part(.folder, .host("txt"))),
  ]

  @Test(arguments: rows)
  func `a name in the folder has a meaning`(name: String, expected: Expected) {
    let isDirectory = name.hasSuffix("/")
    let found: Expected =
      switch NameClass(isDirectory ? String(name.dropLast()) : name, isDirectory: isDirectory) {
      case .part(let part, let domain): .part(part, domain)
      case .ignored: .ignored
      case .unknown: .unknown
      }
    #expect(found == expected)
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
      ("example.com.JSON.txt", ["name it example.com.json"]),
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
