import CatalogSupport
import Diagnostics
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Posix
@testable import Settings

/// Reads that hang: what is served stays, and the rest goes on.
@Suite struct HangingTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.write("d/a.test.json", version("v1"))
    folder.write("d/b.test.json", version("v1"))
  }

  private var loader: DomainLoader { DomainLoader(root: folder("d")) }

  private func hang(_ work: PatientWork, _ path: String, since: Int64 = 0) -> Int {
    work.begin(folder(path), since: since)
  }

  private func served(_ loader: DomainLoader, _ host: String) -> String {
    bodyText(loader.site(host)?.association)
  }

  private func changeBoth() {
    for name in ["a", "b"] { folder.write("d/\(name).test.json", version("v2")) }
  }

  @Test func `a domain that hangs keeps its answer, and the others are read`() {
    var loader = loader
    _ = loader.scanAll()
    let hung = hang(loader.work, "d/a.test.json")
    changeBoth()
    let outcome = loader.scan("a.test", "b.test")
    #expect(outcome.domainsAgain == [.named("a.test")] && outcome.failures == 0)
    #expect(served(loader, "a.test") == version("v1"))
    #expect(served(loader, "b.test") == version("v2") && !loader.isIncomplete)
    #expect(loader.changed(loader.states.keys) == [])
    loader.work.end(hung)
    #expect(loader.changed(loader.states.keys) == [.named("a.test")])
    #expect(loader.scan("a.test").domainsAgain == [])
    #expect(served(loader, "a.test") == version("v2"))
  }

  @Test func `hosts are unknown while a domain hangs that was never read`() {
    var loader = loader
    let hung = hang(loader.work, "d/a.test.json")
    #expect(loader.scanAll().domainsAgain == [.named("a.test")])
    #expect(loader.isIncomplete && served(loader, "b.test") == version("v1"))
    loader.work.end(hung)
    #expect(loader.scan("a.test").domainsAgain == [])
    #expect(!loader.isIncomplete && served(loader, "a.test") == version("v1"))
  }

  @Test func `a domain that hangs and goes leaves no host unknown`() {
    var loader = loader
    let hung = hang(loader.work, "d/a.test.json")
    _ = loader.scanAll()
    folder.remove("d/a.test.json")
    loader.work.end(hung)
    _ = loader.scanAll()
    #expect(!loader.isIncomplete && loader.states.count == 1)
  }

  @Test(arguments: [1, 8])
  func `a folder that hangs is left as it is, and so is one in which eight reads hang`(count: Int) {
    var loader = loader
    _ = loader.scanAll()
    let paths = count == 1 ? ["d"] : (0..<count).map { "d/other\($0)" }
    let hung = paths.map { hang(loader.work, $0) }
    #expect(loader.isWaiting && loader.isFolderAnother == nil)
    changeBoth()
    folder.remove("d/b.test.json")
    var outcome = loader.scanAll()
    #expect(outcome.again.contains { $0.key == .domainsFolder })
    outcome = loader.scan("a.test")
    #expect(outcome.again.contains { $0.key == .domainsFolder } && !outcome.hasRead)
    _ = loader.withdraw()
    #expect(loader.states.count == 2 && served(loader, "a.test") == version("v1"))
    for hang in hung { loader.work.end(hang) }
    #expect(loader.isFolderChanged)
    _ = loader.scanAndWithdraw()
    #expect(loader.states.count == 1 && served(loader, "a.test") == version("v2"))
  }

  @Test func `what is missing is not withdrawn while the folder hangs`() {
    var loader = loader
    _ = loader.scanAll()
    folder.remove("d/b.test.json")
    _ = loader.scanAll()
    let hung = hang(loader.work, "d")
    _ = loader.withdraw()
    #expect(loader.states.count == 2)
    loader.work.end(hung)
    _ = loader.withdraw()
    #expect(loader.states.count == 1)
  }

  @Test func `certificates keep what is served, and the others are read`() {
    folder.write(TestCertificate("a", names: ["a.test"]), "c/a")
    var loader = CertificateLoader(root: folder("c"))
    _ = loader.scan()
    let hung = hang(loader.work, "c/b.crt")
    folder.write(TestCertificate("b", names: ["b.test"]), "c/b")
    folder.write(TestCertificate("c", names: ["c.test"]), "c/c")
    #expect(loader.scan().again.contains { $0.key == .certificatesFolder })
    #expect(loader.covers("a.test", "b.test", "c.test") == [true, false, true])
    let root = hang(loader.work, "c")
    folder.remove("c/a.crt")
    folder.remove("c/a.key")
    #expect(loader.scan().again.contains { $0.key == .certificatesFolder } && loader.isWaiting)
    _ = loader.withdraw()
    #expect(loader.covers("a.test", "b.test", "c.test") == [true, false, true])
    loader.work.end(root)
    loader.work.end(hung)
    _ = loader.scan()
    #expect(loader.covers("b.test") == [true])
  }

  @Test func `a read that hangs is reported once after ten seconds, and shown until it ends`() {
    var keeper = StatusKeeper(HostingOptions(), StatusPublisher())
    let (work, other) = (PatientWork(), PatientWork())
    let domains = DomainLoader(HostingOptions(), work: work)
    #expect(!keeper.note(domains, nil, [work, other], now: 0).isShown)
    let hung = hang(work, "d/a.test.json", since: 1_000)
    var change = keeper.note(domains, nil, [work, other], now: 10_999)
    #expect(change.diagnostics.isEmpty && change.isShown)
    change = keeper.note(domains, nil, [work, other], now: 13_000)
    #expect(change.diagnostics.map(\.code) == ["H055"] && change.isShown)
    #expect(change.diagnostics.first?.location?.path == folder("d/a.test.json"))
    #expect(change.diagnostics.first?.message.contains("12 s") == true)
    #expect(change.diagnostics.first?.note == "what was served before is still served")
    change = keeper.note(domains, nil, [work, other], now: 13_100)
    #expect(change.diagnostics.isEmpty && !change.isShown && !change.isReload)
    // Each folder has a limit of its own.
    for index in 0..<7 { _ = hang(work, "d/\(index)", since: 20_000) }
    _ = hang(other, "c/a.crt", since: 20_000)
    change = keeper.note(domains, nil, [work, other], now: 30_000)
    #expect(change.diagnostics.count == 8)
    let isFull = change.diagnostics.map { $0.note?.contains("nothing else in the folder") == true }
    #expect(isFull == Array(repeating: true, count: 7) + [false])
    work.end(hung)
    change = keeper.note(domains, nil, [work, other], now: 31_000)
    #expect(change.diagnostics.isEmpty && change.isShown && !change.isReload)
    change = keeper.note(domains, nil, [], now: 32_000)
    #expect(change.isReload && change.isShown)
  }
}
