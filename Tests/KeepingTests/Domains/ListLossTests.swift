import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// What is served of a list of hosts that changes, is lost, or cannot be read.
@Suite struct ListLossTests {
  private typealias Served = HostsFileTests.Served

  private static let four = "a.test\nb.test\nc.test\nd.test\n"

  private func listOfFour() -> (folder: TestFolder, loader: DomainRunner) {
    let folder = TestFolder()
    folder.write("domains/links.json", small)
    folder.write("domains/links.hosts", Self.four)
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    return (folder, loader)
  }

  @Test(arguments: ["<html>502</html>\n", "a.test,b.test\n", "\u{0}\u{0}\u{0}"])
  func `a list that is overwritten with something else leaves the last good one`(
    text: String
  ) throws {
    var (folder, loader) = listOfFour()
    folder.write("domains/links.hosts", text)
    let outcome = loader.scanAll()
    #expect(loader.items[.named("links")]?.hosts.answer.version?.hosts.count == 4)
    #expect(outcome.report.removed.isEmpty && outcome.failures == 1)
    let fault = try #require(outcome.report.diagnostics.first { $0.severity == .error })
    #expect(fault.code == "H042" && fault.help?.contains("remove this file") == true)
    #expect(fault.note == "the last good version of the file is still served")
    // It is reported once, and what follows counts.
    #expect(loader.scanAll().report.isEmpty)
    folder.write("domains/links.hosts", "a.test\nb.test\n")
    #expect(loader.scanAll().report.removed == ["c.test", "d.test"])
  }

  @Test func `a list is read again before its loss is confirmed`() throws {
    var (folder, loader) = listOfFour()
    folder.write("domains/links.hosts", "a.test\n")
    _ = loader.scanAll()
    let id = try #require(loader.holds.first?.id)
    // It loses more, which nobody has seen yet.
    folder.write("domains/links.hosts", "# nobody\n")
    #expect(loader.confirm([id]).confirmed.isEmpty)
    // It is back, which nobody has seen yet.
    let next = try #require(loader.holds.first?.id)
    folder.write("domains/links.hosts", Self.four)
    #expect(loader.confirm([id, next]).report.removed.isEmpty && loader.holds.isEmpty)
  }

  @Test(arguments: ["", "# nobody\n", "a.test\n", "<html>\na.test\n"])
  func `a list that has lost most of its hosts keeps them, until that is confirmed`(
    text: String
  ) throws {
    var (folder, loader) = listOfFour()
    folder.write("domains/links.hosts", text)
    let outcome = loader.scanAll()
    #expect(outcome.report.removed.isEmpty && outcome.failures == 1)
    let fault = try #require(outcome.report.diagnostics.first { $0.severity == .error })
    let hold = try #require(loader.holds.first)
    #expect(fault.code == "H042" && fault.help?.contains("restart the server") == true)
    #expect(fault.note == "the missing hosts are still served")
    #expect(loader.scanAll().report.isEmpty)
    // Another list with more of them is no end of the loss.
    #expect(loader.confirm(["00000000"]).confirmed.isEmpty && loader.holds == [hold])
    let confirmed = loader.confirm([hold.id])
    #expect(confirmed.confirmed == [hold.id])
    #expect(Set(confirmed.report.removed).isSuperset(of: ["b.test", "c.test", "d.test"]))
    #expect(confirmed.changes.namesChanged && loader.holds.isEmpty)
    #expect(loader.problems[.named("links")]?.hasErrors != true)
  }

  @Test func `hosts of a list are withdrawn only after a while, and not if they come back`() {
    var (folder, loader) = listOfFour()
    loader.change { $0.withdrawAfter = 1_000_000 }
    folder.write("domains/links.hosts", "a.test\nb.test\nc.test\n")
    let outcome = loader.scanAll()
    #expect(
      outcome.report.removed.isEmpty && loader.keeper.lists[.named("links")]?.kept.count == 1)
    // It is scanned again when it is due.
    let due = outcome.again.first { $0.key == .domain(.named("links")) }?.time
    #expect(due.map { $0 > Posix.Clock.monotonicMilliseconds() + 900_000 } == true)
    folder.write("domains/links.hosts", Self.four)
    #expect(loader.scanAll().report.removed.isEmpty)
    #expect(loader.keeper.lists[.named("links")]?.kept.isEmpty == true)
  }

  @Test func `a last line without an end counts at the start, and later when it is old enough`() {
    var served = Served()
    served.loader.change { $0.withdrawAfter = 1_000_000 }
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", "a.test\nb.test")
    #expect(served.scan().association("b.test") == small)
    served.folder.write("links.hosts", "a.test\nb.test\nc.test")
    #expect(served.scan().association("c.test") == "no site")
    // The same bytes, some time later.
    served.loader.change { $0.withdrawAfter = 0 }
    let later = served.loader.scan("links")
    #expect(later.report.added == [.host("c.test")] && later.changes.namesChanged)
  }

  @Test func `a host that moves between two lists, removed first, is served all the time`() {
    var served = Served()
    served.loader.change { $0.withdrawAfter = 1_000_000 }
    served.folder.write("a.json", noted("a"))
    served.folder.write("b.json", noted("b"))
    served.folder.write("a.hosts", "one.test\ntwo.test\n")
    served.folder.write("b.hosts", "three.test\n")
    _ = served.scan()
    served.folder.write("a.hosts", "one.test\n")
    #expect(served.scan().association("two.test") == noted("a"))
    served.folder.write("b.hosts", "two.test\nthree.test\n")
    #expect(served.scan().association("two.test") == noted("b"))
    #expect(!served.codes.contains("H035"))
  }

  @Test func `the file of a list that goes alone is an error, and its hosts stay`() {
    var served = Served()
    served.folder.write("other.test.json", small)
    served.folder.write("links.json", small)
    served.folder.write("links.hosts", Self.four)
    _ = served.scan()
    served.folder.remove("links.json")
    #expect(served.scan().association("a.test") == small)
    #expect(served.report.removed.isEmpty)
    let fault = served.report.diagnostics.first { $0.code == "H032" && $0.severity == .error }
    #expect(fault?.help == "put the file back, or remove the list too")
    served.folder.write("links.json", small)
    #expect(served.scan().association("a.test") == small)
    #expect(served.loader.problems[.host("links")]?.hasErrors != true)
    // Together they are removed on purpose.
    served.folder.remove("links.json")
    served.folder.remove("links.hosts")
    _ = served.scan()
    #expect(served.scan().association("a.test") == "no site")
  }

  @Test func `the folder of a list that is emptied is an error too, and its hosts stay`() {
    var served = Served()
    served.folder.write("other.test.json", small)
    served.folder.write("links/apple-app-site-association", small)
    served.folder.write("links.hosts", Self.four)
    _ = served.scan()
    served.folder.remove("links/apple-app-site-association")
    _ = served.scan()
    #expect(served.scan().association("a.test") == small)
    #expect(served.report.removed.isEmpty)
    served.folder.remove("links.hosts")
    _ = served.scan()
    #expect(served.scan().association("a.test") == "no site")
    #expect(served.scan().association("links") == "absent")
  }

  @Test(arguments: [3, 10, 17, 24])
  func `a list that was cut off within a line keeps its hosts, however few they are`(
    length: Int
  ) throws {
    var (folder, loader) = listOfFour()
    loader.change { $0.withdrawAfter = 1_000_000 }
    folder.write("domains/links.hosts", String(Self.four.prefix(length)))
    let writing = loader.scanAll()
    #expect(writing.report.isEmpty && writing.failures == 0)
    // Nobody has written for a while.
    loader.change { $0.withdrawAfter = 0 }
    let found = loader.scan("links")
    #expect(found.report.removed.isEmpty && found.failures == 1)
    let fault = try #require(found.report.diagnostics.first { $0.severity == .error })
    #expect(fault.code == "H042" && fault.message.hasPrefix("this list is cut off"))
    #expect(loader.items[.named("links")]?.hosts.answer.version?.hosts.count == 4)
    #expect(!loader.keeper.atRisk.files.isEmpty)
    folder.write("domains/links.hosts", Self.four + "e.test\n")
    let whole = loader.scanAll().report
    #expect(whole.added == [.host("e.test")] && whole.removed.isEmpty)
    #expect(
      loader.problems[.named("links")]?.hasErrors != true && loader.keeper.atRisk.files.isEmpty)
  }

  @Test(arguments: [true, false])
  func `an unreadable list at the start makes other hosts unavailable while it is there`(
    isBack: Bool
  ) {
    var served = Served()
    served.folder.write("links.json", small)
    served.folder.link("links.hosts", to: "links.hosts")
    var catalog = served.scan()
    #expect(catalog.isIncomplete && catalog.association("links") == small)
    served.folder.remove("links.hosts")
    if isBack { served.folder.write("links.hosts", Self.four) }
    catalog = served.scan()
    #expect(!catalog.isIncomplete && catalog.association("a.test") == (isBack ? small : "no site"))
  }

  @Test func `the loss of a list ends with its folder`() throws {
    var (folder, loader) = listOfFour()
    folder.write("domains/links.hosts", "a.test\n")
    _ = loader.scanAll()
    #expect(loader.holds.count == 1)
    folder.remove("domains")
    _ = loader.scanAndWithdraw()
    let id = try #require(loader.folder.hold?.id)
    #expect(loader.holds.count == 2 && loader.confirm([id]).confirmed == [id])
    #expect(loader.holds.isEmpty && loader.sites.isEmpty)
  }

  @Test func `hosts that are in two lists cost one pass over them`() {
    let count = 8_000
    let text = (0..<count).map { "h\($0).test\n" }.joined()
    let file = HostsFile(SourceText(path: "l.hosts", bytes: Array(text.utf8)))
    let messages = Dictionary(uniqueKeysWithValues: file.hosts.map { ($0, "\($0) is elsewhere") })
    let start = Posix.Clock.threadMicroseconds()
    let found = file.diagnostics(messages)
    #expect(found.count == count)
    #expect(found.last?.location?.place?.line == count)
    // One pass takes some hundredths of a second; one for each host took forty.
    #expect(Posix.Clock.threadMicroseconds() - start < 10_000_000)
  }

  @Test func `a host of two lists stays with the one that had it first, also over a restart`()
    throws
  {
    let folder = TestFolder()
    var options = HostingOptions()
    options.withdrawAfter = 0
    options.domains = folder("owners")
    options.state = folder("state")
    for name in ["a", "b"] { folder.write("owners/\(name).json", version(name)) }
    folder.write("owners/b.hosts", "shared.test\n*.wild.test\n")
    var running = try RunningMaintenance(options)
    folder.write("owners/a.hosts", "own.test\nshared.test\n*.wild.test\n")
    /// Whether this is kept. The end of a server waits for the disk, but not for long.
    func isKept(_ line: String) -> Bool {
      let bytes = try? readFile(folder("state/kept/owners"), limit: 1_000)
      return bytes.map { String(decoding: $0, as: UTF8.self).contains(line) } ?? false
    }
    #expect(running.serves("own.test", version("a")))
    #expect(eventually { running.codes.contains("H035") && isKept("shared.test b\n") })
    for _ in 0..<2 {
      running.stop()
      running = try RunningMaintenance(options)
      #expect(running.serves("shared.test", version("b")))
      #expect(running.serves("x.wild.test", version("b")))
    }
    // Whoever gives the host up has no claim to it any more.
    folder.write("owners/b.hosts", "other.test\n*.wild.test\n")
    #expect(running.serves("shared.test", version("a")))
    folder.write("owners/b.hosts", "other.test\nshared.test\n*.wild.test\n")
    #expect(eventually { running.codes.count { $0 == "H035" } >= 2 && isKept("shared.test a\n") })
    running.stop()
    running = try RunningMaintenance(options)
    #expect(running.serves("shared.test", version("a")))
    #expect(running.serves("x.wild.test", version("b")))
  }
}
