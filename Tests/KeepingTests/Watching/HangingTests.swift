import CatalogSupport
import Diagnostics
import Synchronization
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Posix
@testable import Settings

/// Reads that hang: what is served from their folder stays.
@Suite struct HangingTests {
  private let folder = TestFolder()

  init() {
    folder.write("d/a.test.json", version("v1"))
    folder.write("d/b.test.json", version("v1"))
  }

  private var loader: DomainRunner { DomainRunner(root: folder("d")) }

  private func hang(_ work: HangTolerantPool, _ path: String, since: Int64 = 0) -> Int {
    work.begin(folder(path), since: since)
  }

  private func changeBoth() {
    for name in ["a", "b"] { folder.write("d/\(name).test.json", version("v2")) }
  }

  @Test func `hosts are unknown while a read hangs before they were read once`() {
    var loader = loader
    _ = loader.scanAll()
    folder.write("d/c.test.json", version("v1"))
    let hung = hang(loader.work, "d/a.test.json")
    var outcome = loader.scan("c.test")
    #expect(outcome.again.map(\.key) == [.domainsFolder] && loader.isIncomplete)
    loader.work.end(hung)
    outcome = loader.scanAll()
    #expect(outcome.again.isEmpty && !loader.isIncomplete)
    #expect(
      loader.association("a.test") == version("v1") && loader.association("c.test") == version("v1")
    )
  }

  @Test func `a read that hangs after the listing proves nothing`() {
    var loader = loader
    _ = loader.scanAll()
    folder.remove("d/a.test.json")
    _ = loader.scan("a.test")
    #expect(loader.nextWithdrawal != nil)
    let (work, path, counter) = (loader.work, folder("d/b.test.json"), Counter())
    loader.clock = {
      // The second time is that of the listing.
      if counter.next() == 2 { _ = work.begin(path, since: 0) }
      return .now()
    }
    _ = loader.withdrawMissing()
    #expect(work.isWaiting && loader.association("a.test") == version("v1"))
  }

  @Test func `what was removed while nothing ran stays removed if the first read hangs`() throws {
    for name in ["a", "b"] { folder.write("domains/\(name).test.json", version("v1")) }
    do {
      let run = try DomainRun(folder)
      folder.write("domains/a.test.json", "{")
      run.scan()
    }
    folder.remove("domains/a.test.json")
    var loader = DomainRunner(root: folder("domains")) { $0.state = folder("state") }
    try loader.keeper.take(KeptFiles(loader.options).lastRun, at: .now())
    let (work, path, counter) = (loader.work, folder("domains/b.test.json"), Counter())
    loader.clock = {
      if counter.next() == 2 { _ = work.begin(path, since: 0) }
      return .now()
    }
    _ = loader.scanAll(.usability)
    #expect(work.isWaiting && loader.items.isEmpty)
  }

  /// Counts calls.
  private final class Counter: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  @Test func `a host that was not read and goes leaves no host unknown`() {
    var loader = loader
    _ = loader.scanAll()
    folder.write("d/c.test.json", version("v1"))
    let hung = hang(loader.work, "d/a.test.json")
    _ = loader.scan("c.test")
    #expect(loader.isIncomplete)
    folder.remove("d/c.test.json")
    loader.work.end(hung)
    _ = loader.scanAll()
    #expect(!loader.isIncomplete && loader.items.count == 2)
  }

  @Test func `a folder in which a read hangs is left as it is, and then read as a whole`() {
    var loader = loader
    _ = loader.scanAll()
    let hung = hang(loader.work, "d/other")
    #expect(loader.isWaiting && loader.isFolderChanged)
    changeBoth()
    folder.remove("d/b.test.json")
    var outcome = loader.scanAll()
    #expect(outcome.again.contains { $0.key == .domainsFolder } && outcome.failures == 0)
    outcome = loader.scan("a.test")
    #expect(outcome.again.contains { $0.key == .domainsFolder } && !outcome.hasRead)
    #expect(loader.changed(loader.items.keys) == [])
    _ = loader.withdraw()
    #expect(loader.items.count == 2 && loader.association("a.test") == version("v1"))
    loader.work.end(hung)
    #expect(loader.isFolderChanged)
    _ = loader.scanAndWithdraw()
    #expect(loader.items.count == 1 && loader.association("a.test") == version("v2"))
  }

  @Test func `what is missing is not withdrawn while the folder hangs`() {
    var loader = loader
    _ = loader.scanAll()
    folder.remove("d/b.test.json")
    _ = loader.scanAll()
    let hung = hang(loader.work, "d")
    _ = loader.withdraw()
    #expect(loader.items.count == 2)
    loader.work.end(hung)
    _ = loader.withdraw()
    #expect(loader.items.count == 1)
  }

  @Test func `certificates keep what is served, and are read when the read ends`() {
    folder.write(TestCertificate("a", names: ["a.test"]), "c/a")
    var loader = CertificateRunner(root: folder("c"))
    _ = loader.scan()
    let hung = hang(loader.work, "c/b.crt")
    folder.write(TestCertificate("b", names: ["b.test"]), "c/b")
    folder.remove("c/a.crt")
    folder.remove("c/a.key")
    #expect(loader.scan().again.contains { $0.key == .certificatesFolder } && loader.isWaiting)
    _ = loader.withdrawMissing()
    #expect(loader.covers("a.test", "b.test") == [true, false])
    loader.work.end(hung)
    _ = loader.scan()
    #expect(loader.covers("b.test") == [true])
  }

  @Test func `a read that hangs is reported once after ten seconds, and shown until it ends`() {
    var keeper = StatusKeeper(HostingOptions(), StatusPublisher())
    let (work, other) = (HangTolerantPool(), HangTolerantPool())
    let domains = DomainRunner(DomainKeeper(HostingOptions()), work: work).keeper
    #expect(!keeper.note(domains, nil, [work, other], now: 0).isStatusDue)
    let hung = hang(work, "d/a.test.json", since: 1_000)
    var change = keeper.note(domains, nil, [work, other], now: 10_999)
    #expect(change.report.diagnostics.isEmpty && change.isStatusDue)
    change = keeper.note(domains, nil, [work, other], now: 13_000)
    #expect(change.report.diagnostics.map(\.code) == ["H055"] && change.isStatusDue)
    #expect(change.report.diagnostics.first?.location?.path == folder("d/a.test.json"))
    #expect(change.report.diagnostics.first?.message.contains("12 s") == true)
    #expect(
      change.report.diagnostics.first?.note
        == "what was served before is still served, and nothing else in the folder is read")
    change = keeper.note(domains, nil, [work, other], now: 13_100)
    #expect(change.report.diagnostics.isEmpty && !change.isStatusDue && !change.isReload)
    _ = hang(other, "c/a.crt", since: 20_000)
    change = keeper.note(domains, nil, [work, other], now: 30_000)
    #expect(change.report.diagnostics.map { $0.location?.path } == [folder("c/a.crt")])
    work.end(hung)
    change = keeper.note(domains, nil, [work, other], now: 31_000)
    #expect(change.report.diagnostics.isEmpty && change.isStatusDue && !change.isReload)
    change = keeper.note(domains, nil, [], now: 32_000)
    #expect(change.isReload && change.isStatusDue)
  }
}
