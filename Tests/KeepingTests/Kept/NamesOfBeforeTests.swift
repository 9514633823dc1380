import Catalog
import CatalogSupport
import Diagnostics
import Settings
import Testing

@testable import Keeping
@testable import Posix

/// A start without its folder, or without most of it.
@Suite struct NamesOfBeforeTests {
  private let folder = TestFolder("domains")

  private func names(_ range: Range<Int>) -> Set<DomainName> {
    Set(range.map { .host("h\($0).test") })
  }

  private func write(_ range: Range<Int>) {
    for index in range { folder.write("domains/h\(index).test.json", small) }
  }

  /// A start of a server whose last run knew these names.
  private func start(knowing names: Set<DomainName>) -> DomainRunner {
    var loader = DomainRunner(root: folder("domains")) { $0.withdrawAfter = 0 }
    var state = LastRun()
    state.known = names
    loader.keeper.take(state, at: .now())
    return loader
  }

  @Test func `an empty folder is awaited if the last run knew names in it`() {
    var loader = start(knowing: names(0..<2))
    let first = loader.scanAndWithdraw()
    #expect(loader.isIncomplete && loader.sites.isEmpty && first.failures > 0)
    #expect(first.codes == ["H001"])
    #expect(first.report.diagnostics.first?.message.contains("is empty") == true)
    #expect(loader.holds.count == 1)
    // It stays so, and is reported once.
    #expect(loader.scanAndWithdraw().codes == [] && loader.isIncomplete)
    write(0..<2)
    _ = loader.scanAndWithdraw()
    #expect(!loader.isIncomplete && loader.sites.count == 2 && loader.holds == [])
    #expect(loader.folder.held == nil)
  }

  @Test func `a missing folder is awaited, and what is found then is old`() {
    folder.rename("domains", to: "away")
    var loader = start(knowing: names(0..<8))
    #expect(loader.scanAndWithdraw().codes == ["H001"] && loader.isIncomplete)
    folder.rename("away", to: "domains")
    write(0..<8)
    _ = loader.scanAndWithdraw()
    #expect(!loader.isIncomplete && loader.holds == [])
    // All names count, although they came a moment ago.
    for index in 0..<6 { folder.remove("domains/h\(index).test.json") }
    #expect(loader.scanAndWithdraw().report.removed.isEmpty && loader.holds.count == 1)
  }

  @Test func `a start with less than half of its names waits for the others`() {
    write(0..<3)
    var loader = start(knowing: names(0..<9))
    let first = loader.scanAndWithdraw()
    #expect(loader.sites.count == 3 && loader.isIncomplete && first.failures > 0)
    #expect(first.report.diagnostics.map(\.message).first?.hasPrefix("6 of 9 domains are") == true)
    let id = loader.holds.first?.id
    // They come back one by one, slowly; another one comes too.
    write(3..<8)
    folder.write("domains/new.test.json", small)
    _ = loader.scanAndWithdraw()
    #expect(loader.isIncomplete && loader.holds.map(\.id) == [id ?? ""])
    #expect(loader.holds.first?.fault.message.hasPrefix("1 of 9 domains is") == true)
    write(8..<9)
    _ = loader.scanAndWithdraw()
    #expect(!loader.isIncomplete && loader.holds == [] && loader.sites.count == 10)
  }

  @Test(arguments: [0, 3])
  func `the others are gone if that is confirmed`(found: Int) {
    write(0..<found)
    var loader = start(knowing: names(0..<9))
    _ = loader.scanAndWithdraw()
    _ = loader.confirmAll()
    #expect(!loader.isIncomplete && loader.holds == [] && loader.sites.count == found)
    #expect(loader.scanAndWithdraw().failures == 0 && !loader.isIncomplete)
  }

  @Test(arguments: [(0, 0), (5, 9)])
  func `names that were removed while nothing ran are gone, if they are few`(
    found: Int, known: Int
  ) {
    write(0..<found)
    var loader = start(knowing: names(0..<known))
    #expect(loader.scanAndWithdraw().failures == 0 && !loader.isIncomplete && loader.holds == [])
  }

  @Test func `what was kept is served while the folder hangs at the start`() throws {
    folder.write("domains/a.test.json", small)
    do {
      let run = try DomainRun(folder)
      folder.write("domains/a.test.json", "{")
      run.scan()
    }
    var loader = DomainRunner(root: folder("domains")) { $0.state = folder("state") }
    try loader.keeper.take(KeptFiles(loader.options).lastRun, at: .now())
    let hang = loader.work.begin(folder("domains"), since: 0)
    _ = loader.scanAll(.usability)
    #expect(loader.association("a.test") == small && loader.isIncomplete)
    loader.work.end(hang)
  }
}
