import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// A good answer is withdrawn only on purpose.
@Suite struct DomainWithdrawalTests {
  let folder = TestFolder("domains")

  private func write(_ name: String, _ text: String) { folder.write("domains/" + name, text) }

  private func loader(withdrawAfter: Int64 = 0) -> DomainRunner {
    DomainRunner(root: folder("domains")) { $0.withdrawAfter = withdrawAfter }
  }

  /// A loader that serves this many domains: `h0.test` and so on.
  private func loader(of count: Int, withdrawAfter: Int64 = 0) -> DomainRunner {
    for index in 0..<count { write("h\(index).test.json", small) }
    var loader = loader(withdrawAfter: withdrawAfter)
    #expect(loader.scanAll().report.added.count == count)
    return loader
  }

  private func remove(_ indices: Range<Int>) {
    for index in indices { folder.remove("domains/h\(index).test.json") }
  }

  /// How many domains are answered with their files.
  private func served(_ loader: DomainRunner) -> Int {
    loader.sites.count { bodyText($0.association) == small }
  }

  @Test(arguments: ["h0.test.json", ""])
  func `what is missing for less than the pause stays`(missing: String) {
    var loader = loader(of: 4, withdrawAfter: 1_000_000)
    let path = missing.isEmpty ? "domains" : "domains/" + missing
    folder.rename(path, to: "away")
    let before = Posix.Clock.monotonicMilliseconds()
    for outcome in [loader.scanAll(), loader.scan("h0.test"), loader.withdraw()] {
      #expect(outcome.changes.isEmpty && outcome.report.isEmpty && outcome.failures == 0)
    }
    #expect(served(loader) == 4)
    #expect(loader.problems.all.values.allSatisfy { !$0.hasErrors && !$0.isLastGood })
    // The next scan is planned.
    let next = loader.nextWithdrawal ?? 0
    #expect(next >= before + 1_000_000 && next <= before + 1_045_000)
    // It comes back: nothing has happened.
    folder.rename("away", to: path)
    #expect(loader.scanAll().report.isEmpty)
    #expect(loader.nextWithdrawal == nil && loader.folder.names.missing.isEmpty)
  }

  @Test func `what cannot be read after the folder was swapped is no fault`() {
    write("a.test.json", small)
    folder.makeFolder("other")
    let folder = folder
    var options = HostingOptions()
    options.domains = folder("domains")
    // It is asked for after the folder was opened, and before a file in it is.
    var loader = DomainRunner(DomainKeeper(options), work: .untiring) {
      folder.rename("domains", to: "away")
      folder.link("away/a.test.json", to: "a.test.json")
      folder.rename("other", to: "domains")
      return false
    }
    let outcome = loader.scanAll()
    #expect(outcome.report.isEmpty && outcome.failures == 0 && loader.items.isEmpty)
    #expect(outcome.domainsAgain == [.named("a.test")])
  }

  @Test func `parts of domains that were withdrawn are no domains of a loss`() {
    for name in ["a", "b", "c", "d"] {
      write("\(name).test.json", small)
      write("\(name).test.assetlinks.json", "[]")
    }
    var loader = loader()
    _ = loader.scanAll()
    for name in ["a", "b"] { folder.remove("domains/\(name).test.assetlinks.json") }
    #expect(loader.scanAndWithdraw().report.removed.count == 2 && loader.holds.isEmpty)
    // Three of four within a minute.
    folder.remove("domains/c.test.assetlinks.json")
    #expect(loader.scanAndWithdraw().report.removed.isEmpty && loader.holds.count == 1)
  }

  @Test func `a folder that is swapped while its files are read is reported alone`() {
    var loader = loader(of: 4)
    let entries = loader.items.values.map(\.entry)
    folder.rename("domains", to: "away")
    folder.makeFolder("domains")
    for entry in entries { folder.link("domains/\(entry.name).json", to: "\(entry.name).json") }
    let outcome = loader.read(entries)
    #expect(outcome.report.isEmpty && outcome.failures == 0 && outcome.changes.isEmpty)
    #expect(outcome.again.count == 4)
    // The next scan sees the new folder, in which no file can be read.
    #expect(loader.scan("h0.test").report.diagnostics.contains { $0.code == "H003" })
    #expect(served(loader) == 4)
  }

  @Test func `more than half of four or more at once stay, until that is confirmed`() {
    var loader = loader(of: 40)
    remove(0..<21)
    let outcome = loader.scanAndWithdraw()
    #expect(served(loader) == 40 && outcome.changes.isEmpty)
    #expect(outcome.codes == ["H031"] && outcome.failures == 1)
    #expect(outcome.report.diagnostics.first?.message.contains("21 of 40") == true)
    let id = loader.holds.first?.id ?? ""
    // Without a state folder nothing can be confirmed.
    let help = outcome.report.diagnostics.first?.help ?? ""
    #expect(help.hasPrefix("put them back; to accept the change: restart the server;"))
    #expect(help.contains("--state DIR") && !help.contains("confirm \(id)"))
    // Nothing is waited for, and it is reported once.
    #expect(loader.nextWithdrawal == nil)
    #expect(loader.scanAndWithdraw().report.isEmpty)
    #expect(loader.folder.heldDiagnostic != nil)
    // A file that changes in the meantime is served.
    write("h30.test.json", small + " ")
    write("new.test.json", small)
    let meanwhile = loader.scanAndWithdraw()
    #expect(meanwhile.report.changed == [.host("h30.test")])
    #expect(meanwhile.report.added == [.host("new.test")])
    #expect(loader.site("h0.test") != nil)
    #expect(loader.confirmAll().report.removed.count == 21)
    #expect(loader.sites.count == 20)
    #expect(loader.folder.held == nil && loader.holds.isEmpty)
    // The next loss is one of its own.
    remove(21..<40)
    #expect(loader.scanAndWithdraw().report.removed.isEmpty)
    #expect(loader.holds.count == 1)
  }

  @Test func `a loss that has grown since its ID was shown is not confirmed`() {
    var loader = loader(of: 8)
    remove(0..<5)
    _ = loader.scanAndWithdraw()
    let id = loader.holds.first?.id ?? ""
    // Unseen until now.
    remove(5..<6)
    var outcome = loader.confirm([id, "00000000"])
    #expect(outcome.confirmed == [])
    #expect(outcome.report.removed.isEmpty && served(loader) == 8)
    let next = loader.holds.first
    #expect(next != nil && next?.id != id)
    // A smaller loss is among what was shown.
    write("h0.test.json", small)
    outcome += loader.confirm([next?.id ?? ""])
    #expect(outcome.confirmed == [next?.id ?? ""])
    #expect(Set(outcome.report.removed) == Set((1..<6).map { "h\($0).test" }))
    #expect(served(loader) == 3 && loader.holds.isEmpty)
  }

  enum Loss: CaseIterable { case emptied, missing, replacedByFile }

  @Test(arguments: Loss.allCases, [1, 3, 40])
  func `a folder that is emptied or missing changes nothing, until that is confirmed`(
    loss: Loss, count: Int
  ) {
    var loader = loader(of: count)
    folder.rename("domains", to: "elsewhere")
    switch loss {
    case .emptied:
      write(".hidden", "")
      folder.makeFolder("domains/lost+found")
    case .missing: break
    case .replacedByFile: folder.write("domains", "no folder")
    }
    let outcome = loader.scanAndWithdraw()
    #expect(served(loader) == count && outcome.changes.isEmpty)
    #expect(outcome.codes == ["H001"] && outcome.failures == 1 && loader.nextWithdrawal == nil)
    // It is reported once.
    #expect(loader.scanAndWithdraw().report.isEmpty && loader.scan("h0.test").changes.isEmpty)
    #expect(served(loader) == count)
    #expect(loader.confirmAll().report.removed.count == count)
    #expect(loader.sites.isEmpty)
  }

  @Test func `while the folder is away everything stays, and it comes back with one less`() {
    var loader = loader(of: 4)
    folder.rename("domains", to: "elsewhere")
    #expect(loader.scanAndWithdraw().codes == ["H001"])
    #expect(loader.isFolderChanged && loader.changed(loader.items.keys).isEmpty)
    folder.rename("elsewhere", to: "domains")
    remove(0..<1)
    #expect(loader.isFolderChanged)
    // Nobody knows whether that one was lost, until it is confirmed.
    for _ in 0..<2 { #expect(loader.scanAndWithdraw().report.removed.isEmpty) }
    #expect(
      loader.folder.heldDiagnostic?.message.contains("1 of 4 domains is suddenly missing") == true)
    #expect(loader.confirmAll().report.removed == ["h0.test"])
    #expect(served(loader) == 3 && loader.folder.held == nil)
  }

  @Test(arguments: [0, 1])
  func `a folder that cannot be reached keeps everything, even when that is confirmed`(
    missing: Int
  ) {
    var loader = loader(of: 4)
    remove(0..<missing)
    _ = loader.scanAll()
    folder.rename("domains", to: "elsewhere")
    folder.link("domains", to: "domains")
    let outcome = loader.scanAndWithdraw()
    // A look for what is missing fails too.
    #expect(outcome.codes == ["H001"] && outcome.failures == 1 + missing)
    #expect(outcome.report.diagnostics.first?.help?.contains("symbolic link") == true)
    _ = loader.scanAndWithdraw()
    #expect(loader.folder.held == .unreadable)
    #expect(loader.folder.heldDiagnostic?.message.contains("symbolic link") == true)
    #expect(loader.holds.isEmpty && loader.confirmAll().changes.isEmpty)
    #expect(served(loader) == 4)
    folder.remove("domains")
    folder.rename("elsewhere", to: "domains")
    #expect(loader.scanAll().report.isEmpty && loader.folder.held == nil)
  }

  @Test func `a folder that is missing at the start is an error that says how to go on`() {
    var loader = DomainRunner(root: folder("none"))
    let outcome = loader.scanAll()
    #expect(outcome.codes == ["H001"] && outcome.failures == 1)
    let help = "create the folder, or choose another with --domains"
    #expect(outcome.report.diagnostics.first?.help == help && loader.holds.isEmpty)
    // Nothing was served before.
    #expect(outcome.report.diagnostics.first?.note == nil)
    #expect(loader.scanAll().report.isEmpty)
    folder.write("none/a.test.json", small)
    #expect(loader.scanAndWithdraw().report.added == [.host("a.test")])
    #expect(loader.folder.held == nil)
  }

  @Test func `an emptied folder is noticed although only single names were scanned`() {
    var loader = loader(of: 1)
    _ = eventually { loader.scanAll().report.isEmpty && !loader.isFolderChanged }
    remove(0..<1)
    _ = loader.scan("h0.test")
    #expect(loader.withdraw().codes == ["H001"])
    #expect(served(loader) == 1)
  }

  @Test func `a file that is back at the last scan stays`() {
    var loader = loader(of: 4)
    remove(0..<2)
    _ = loader.scanAll()
    // It comes back unseen, just before it would be withdrawn.
    write("h0.test.json", small + " ")
    let outcome = loader.withdraw()
    #expect(outcome.report.removed == ["h1.test"])
    #expect(outcome.report.changed == [.host("h0.test")])
    #expect(loader.association("h0.test") == small + " ")
  }

  @Test func `a fault is reported again when its folder comes again`() {
    write("a.test.json", "[]")
    var loader = loader()
    #expect(loader.scanAll().codes == ["A002"])
    folder.rename("domains", to: "elsewhere")
    _ = loader.scanAndWithdraw()
    _ = loader.confirmAll()
    #expect(loader.sites.isEmpty)
    folder.rename("elsewhere", to: "domains")
    #expect(loader.scanAll().codes == ["A002"])
  }

  @Test func `a fault stays known while its file is missing, and goes with it`() {
    write("a.test.json", small)
    write("b.test.json", small)
    var loader = loader(withdrawAfter: 1_000_000)
    _ = loader.scanAll()
    write("a.test.json", "[")
    #expect(loader.scanAll().failures == 1)
    folder.remove("domains/a.test.json")
    _ = loader.scanAll()
    #expect(loader.problems[.named("a.test")]?.isLastGood == true)

    loader = self.loader()
    write("a.test.json", "[")
    _ = loader.scanAll()
    folder.remove("domains/a.test.json")
    _ = loader.scanAndWithdraw()
    #expect(loader.problems[.named("a.test")] == nil && loader.sites.count == 1)
  }
}
