import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// `NAME.hosts`: many names for one file.
@Suite struct HostsFileTests {
  private static func read(_ text: String) -> HostsFile {
    HostsFile(SourceText(path: "links.hosts", bytes: Array(text.utf8)))
  }

  /// The file, its hosts, and the lines that are reported.
  static let rows: [(text: String, hosts: [String], [Int])] = [
    ("", [], []),
    ("a.test", ["a.test"], []),
    ("a.test\nb.test\n", ["a.test", "b.test"], []),
    // the order is the file's
    ("b.test\na.test\n", ["b.test", "a.test"], []),
    // empty lines, blanks, tabs
    ("\n\n  a.test\t\n\t\n \n", ["a.test"], []),
    // comments, alone and after a host
    ("# one\na.test # two\n#b.test\nc.test#three # four\n", ["a.test", "c.test"], []),
    // line endings of Windows
    ("a.test\r\n# one\r\n\r\nb.test\r\n", ["a.test", "b.test"], []),
    // an editor's byte order mark
    ("\u{FEFF}a.test\nb.test\nA.test\n", ["a.test", "b.test"], [3]),
    // capitals
    ("A.Test\n", ["a.test"], []),
    // all below a domain, in both spellings
    ("*.a.test\n_wildcard.b.test\n", ["*.a.test", "*.b.test"], []),
    // the same host twice, however it is spelt
    ("a.test\nb.test\nA.TEST\n", ["a.test", "b.test"], [3]),
    ("*.a.test\n_wildcard.a.test\na.test\n", ["*.a.test", "a.test"], [2]),
    // a faulty line takes nothing from the others
    ("a..test\nb.test\nc test\nd.test", ["b.test", "d.test"], [1, 3]),
    // no host: any other host, a URL, a port, a pattern, an international name
    ("_default\na.test\n", ["a.test"], [1]),
    ("https://a.test\na.test:443\na.*.test\nbücher.test\n", [], [1, 2, 3, 4]),
    // an address is not a host, in whatever form
    ("192.0.2.1\na.test\n2001:db8::1\n", ["a.test"], [1, 3]),
    // line numbers count ignored lines too
    ("# one\r\n\r\n\n\ta b\r\n", [], [4]),
    // one label, and as long as a label may be
    (
      "localhost\n" + String(repeating: "a", count: 63) + "\n",
      ["localhost", String(repeating: "a", count: 63)], []
    ),
    (String(repeating: "a", count: 64) + "\n", [], [1]),
    // a lone carriage return ends no line
    ("a.test\rb.test\n", [], [1]),
    ("\u{0}\na.test\u{0}\nb.test", ["b.test"], [1, 2]),
  ]

  @Test(arguments: rows)
  func `one host a line, and comments`(text: String, hosts: [String], lines: [Int]) {
    let file = Self.read(text)
    #expect(file.hosts == hosts.map { .named($0) })
    #expect(file.diagnostics.map(\.location?.place?.line) == lines)
    #expect(file.diagnostics.allSatisfy { $0.severity == .warning && $0.help != nil })
  }

  @Test func `a fault points at the text in its line`() {
    let found = Self.read("a.test\n  b c # why\n").diagnostics.first?.location?.place
    #expect(found?.line == 2 && found?.column == 3)
    #expect(found?.range == 9..<12)
  }

  @Test func `bytes that are not text are a fault of their line`() {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x0A] + Array("a.test".utf8)
    let file = HostsFile(SourceText(path: "links.hosts", bytes: bytes))
    #expect(file.hosts == [.host("a.test")])
    #expect(file.diagnostics.map(\.location?.place?.line) == [1])
  }

  @Test func `of many faulty lines the first are reported and the others counted`() {
    let limit = HostsFile.reportedLines
    func diagnostics(_ count: Int) -> [Diagnostic] {
      Self.read(String(repeating: "no host\n", count: count)).diagnostics
    }
    #expect(diagnostics(limit).count == limit)
    #expect(diagnostics(limit).allSatisfy { $0.location?.place != nil })
    let more = diagnostics(limit + 5)
    #expect(more.count == limit + 1)
    #expect(more.last?.message.contains("more lines with faults in this file: 5") == true)
    #expect(more.last?.location?.place == nil)
  }

  @Test func `a hundred thousand lines are read`() {
    let text = (0..<100_000).map { "customer-\($0).example\n" }.joined() + "customer-7.example\n"
    let file = Self.read(text)
    #expect(file.hosts.count == 100_000)
    #expect(file.hosts.last == .host("customer-99999.example"))
    #expect(file.diagnostics.map(\.location?.place?.line) == [100_001])
  }

  @Test func `a host is reported with its line, whatever else is in it`() {
    let file = Self.read("# a.test\nb.test # a.test\n\tA.TEST # here\na.test.example\n")
    let found = file.diagnostics([
      .host("a.test"): "it is elsewhere", .host("c.test"): "it is elsewhere",
    ])
    #expect(found.map(\.location?.place?.line) == [3])
    #expect(found.map(\.severity) == [.warning])
  }

  // MARK: In the folder

  /// A loader and the maker of its catalogs.
  struct Served {
    let folder: TestFolder
    var loader: DomainRunner
    var maker: CatalogMaker
    var report = Report()

    init(aliases: [(from: DomainName, to: String)] = []) {
      folder = TestFolder()
      var options = HostingOptions()
      options.domains = folder.path
      options.withdrawAfter = 0
      options.aliases = aliases
      loader = DomainRunner(DomainKeeper(options), work: .untiring)
      maker = CatalogMaker(options)
    }

    /// Scans everything, as maintenance does.
    mutating func scan() -> Catalog {
      let outcome = loader.scanAndWithdraw()
      report = outcome.report
      var made = Report()
      let catalog =
        outcome.changes.isEmpty
        ? maker.catalog : maker.make(outcome.changes, loader.keeper, nil, at: .now(), &made)
      if maker.isDiagnosisDue { maker.diagnose(&made) }
      report.add(made)
      return catalog
    }

    var codes: [String] { report.folderCodes }
  }

  @Test func `hosts of a list are served the file beside it, and follow the list`() {
    var served = Served()
    served.folder.write("links.json", small)
    served.folder.write("links.assetlinks.json", statements)
    _ = served.scan()
    served.folder.write("links.hosts", "a.test\n*.b.test\n")
    var catalog = served.scan()
    #expect(served.report.added == [.host("a.test"), .wildcard("b.test")])
    for host in ["links", "a.test", "b.test", "x.b.test"] {
      #expect(catalog.association(host) == small)
      #expect(bodyText(catalog.site(for: host)?.assetLinks) == statements)
    }
    #expect(catalog.association("c.test") == "no site")
    #expect(catalog.sites.count == 1)
    // Another list.
    served.folder.write("links.hosts", "c.test\na.test\n")
    catalog = served.scan()
    #expect(catalog.association("c.test") == small && catalog.association("a.test") == small)
    #expect(catalog.association("b.test") == "no site")
    #expect(served.report.added == [.host("c.test")])
    #expect(served.report.removed == ["*.b.test"])
    // Another file: the same hosts.
    served.folder.write("links.json", small + " ")
    catalog = served.scan()
    #expect(catalog.association("c.test") == small + " ")
    // The list goes, the file stays.
    served.folder.remove("links.hosts")
    catalog = served.scan()
    #expect(
      catalog.association("links") == small + " " && catalog.association("a.test") == "no site")
  }

  @Test func `the same list again changes nothing`() {
    var served = Served()
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\n")
    let catalog = served.scan()
    served.folder.write("links.hosts", "a.test\n")
    #expect(served.scan() === catalog)
    #expect(served.report.isEmpty)
  }

  @Test func `a list overrides no other entry, and that is reported`() {
    var served = Served()
    for (name, text) in [("a.test", "1"), ("_wildcard.b.test", "2"), ("_default", "3")] {
      served.folder.write(name + ".json", noted("own\(text)"))
    }
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\n*.b.test\nlinks\nx.b.test\nnew.test\n")
    let catalog = served.scan()
    #expect(catalog.association("a.test") == noted("own1"))
    #expect(catalog.association("y.b.test") == noted("own2"))
    #expect(catalog.association("other.test") == noted("own3"))
    // A host of its own goes before a wildcard.
    #expect(catalog.association("x.b.test") == small && catalog.association("new.test") == small)
    let found = served.report.diagnostics.filter { $0.code == "H035" }
    #expect(found.compactMap(\.location?.place?.line).sorted() == [1, 2, 3])
    #expect(found.allSatisfy { $0.location?.path == served.folder("links.hosts") })
    // Reported once.
    served.folder.write("links.json", small + " ")
    _ = served.scan()
    #expect(!served.codes.contains("H035"))
  }

  @Test func `of two lists with one host the first in the order of names is used`() {
    var served = Served()
    for name in ["b", "a", "c"] {
      served.folder.write("\(name).json", noted("name\(name)"))
      served.folder.write("\(name).hosts", "shared.test\n")
    }
    let catalog = served.scan()
    #expect(catalog.association("shared.test") == noted("namea"))
    let found = served.report.diagnostics.filter { $0.code == "H035" }
    #expect(
      found.compactMap(\.location?.path) == [served.folder("b.hosts"), served.folder("c.hosts")])
    #expect(found.allSatisfy { $0.message.contains(served.folder("a.hosts")) })
  }

  @Test func `of many hosts that another list has, the first are named and the others counted`() {
    var served = Served()
    let list = (0..<100).map { "h\($0).test\n" }.joined()
    for name in ["a", "b"] {
      served.folder.write("\(name).json", small)
      served.folder.write("\(name).hosts", list)
    }
    _ = served.scan()
    let found = served.report.diagnostics.filter { $0.code == "H035" }
    #expect(found.count == LoadingLimits.reportedPerCode)
    #expect(found.last?.message == "more hosts of this list that other entries serve: 91")
  }

  @Test func `a list is read up to its limit of hosts`() {
    func read(_ count: Int, limit: Int) -> HostsFile {
      let text = (0..<count).map { "h\($0).test\n" }.joined()
      return HostsFile(SourceText(path: "l.hosts", bytes: Array(text.utf8)), limit: limit)
    }
    #expect(!read(7, limit: 7).isTooLong && read(7, limit: 7).hosts.count == 7)
    #expect(read(8, limit: 7).isTooLong)
    #expect(read(1_000, limit: 7).hosts.count == 8)
  }

  @Test func `lists that are too many together keep their last versions`() {
    let file = { (count: Int) in
      HostsFile(
        SourceText(
          path: "l.hosts", bytes: Array((0..<count).map { "h\($0).test\n" }.joined().utf8)))
    }
    var decision = DomainDecision(DomainReading())
    let first = decision.decideHosts(FileState(), .usable(file(3)), room: 3)
    #expect(first.answer.version?.hosts.count == 3 && decision.diagnostics.isEmpty)
    let second = decision.decideHosts(first, .usable(file(4)), room: 3)
    #expect(second.answer.version?.hosts.count == 3)
    #expect(decision.diagnostics.map(\.code) == ["H034"])
    // The same list again is no larger than it was.
    var again = DomainDecision(DomainReading())
    _ = again.decideHosts(first, .usable(file(3)), room: 0)
    #expect(again.diagnostics.isEmpty)
  }

  @Test func `a list goes before aliases`() {
    var served = Served(aliases: [(.host("a.test"), "other.test")])
    served.folder.write("other.test.json", small + " ")
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\n")
    #expect(served.scan().association("a.test") == small)
  }

  @Test func `faults of a list are reported with their lines, and the others are served`() {
    var served = Served()
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\nb test\na.test\n")
    #expect(served.scan().association("a.test") == small)
    let found = served.report.diagnostics.filter { $0.code == "H033" }
    #expect(found.map(\.location?.place?.line) == [2, 3])
    #expect(served.loader.problems[.host("links")]?.hasErrors == false)
  }

  @Test func `a list that becomes unreadable stays in force`() {
    var served = Served()
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\n")
    _ = served.scan()
    served.folder.remove("links.hosts")
    served.folder.link("links.hosts", to: "links.hosts")
    #expect(served.scan().association("a.test") == small)
    #expect(served.codes == ["H003"])
    #expect(served.loader.problems[.host("links")]?.isLastGood == true)
  }

  @Test func `a list may have 32 MiB, and one that has more changes nothing`() {
    var served = Served()
    served.folder.write("links.json", small)
    let limit = HostsFile.largestFile
    let list = Array("a.test\n#".utf8)
    served.folder.write(
      "links.hosts", bytes: list + Array(repeating: 0x20, count: limit - list.count))
    #expect(served.scan().association("a.test") == small)
    #expect(!served.codes.contains("H034"))
    let longer = Array("b.test\n#".utf8)
    served.folder.write(
      "links.hosts", bytes: longer + Array(repeating: 0x20, count: limit + 1 - longer.count))
    let catalog = served.scan()
    #expect(served.codes == ["H034"])
    #expect(catalog.association("a.test") == small && catalog.association("b.test") == "no site")
  }

  @Test func `a line without a host is never removed, and the last line need not end`() throws {
    var list = HostsList(
      SourceText(path: "links.hosts", bytes: Array("a.test b\na.test # one\nb.test".utf8)))
    let host = try #require(HostsList.host("a.test"))
    let other = try #require(HostsList.host("c.test"))
    #expect(list.add([other, host]) == [other])
    #expect(text(list.bytes) == "a.test b\na.test # one\nb.test\nc.test\n")
    #expect(list.remove([host]) == [host])
    #expect(text(list.bytes) == "a.test b\nb.test\nc.test\n")
  }

  @Test func `long remarks take of the limit for all lists`() {
    func weight(_ text: String) -> Int {
      HostsFile(SourceText(path: "x.hosts", bytes: Array(text.utf8))).weight
    }
    #expect(weight("a.example\nb.example\n") == 2)
    #expect(weight("a.example\n#" + String(repeating: "x", count: 40_000)) == 100)
  }
}
