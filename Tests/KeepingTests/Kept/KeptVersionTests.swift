import Catalog
import CatalogSupport
import Diagnostics
import Posix
import Settings
import Testing

@testable import Keeping

/// What survives a restart.
@Suite struct KeptVersionTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.makeFolder("domains")
  }

  /// A server that is driven step by step.
  private final class Run {
    var loader: DomainLoader
    var kept: Wrapped
    var diagnostics: [Diagnostic] = []
    let first: Outcome

    /// A noncopyable value, in a class.
    final class Wrapped {
      var value: KeptVersions
      init(_ value: consuming KeptVersions) { self.value = value }
    }

    init(_ folder: TestFolder, state: String? = "state", withdrawAfter: Int64 = 0) {
      loader = DomainLoader(root: folder("domains")) { $0.withdrawAfter = withdrawAfter }
      var found: [DomainName: KeptEntry] = [:]
      var diagnostics: [Diagnostic] = []
      kept = Wrapped(KeptVersions(state.map { folder($0) }, &found, &diagnostics))
      self.diagnostics = diagnostics
      loader.take(kept: found)
      first = loader.scanAll(.usability)
      keep()
    }

    /// Keeps what is at risk now. Returns how many versions a restart would lose.
    @discardableResult func keep() -> Int {
      kept.value.keep(loader.atRisk)
      while let name = kept.value.takeNext() {
        diagnostics += [kept.value.write(name, loader.keptEntry(of: name))].compactMap(\.self)
      }
      return kept.value.lost(of: loader.atRisk)
    }

    func served(_ host: String) -> String { bodyText(loader.site(host)?.association) }
  }

  private func write(_ name: String, _ text: String) { folder.write("domains/" + name, text) }
  private var files: [String] { (try? listDirectory(folder("state/kept/hosts")))?.sorted() ?? [] }

  @Test func `a good version whose file is faulty is served after a restart too`() {
    write("a.test.json", small)
    write("b.test.json", small)
    do {
      let run = Run(folder)
      #expect(files.isEmpty)
      write("a.test.json", "{")
      _ = run.loader.scanAll()
      #expect(run.loader.atRisk.map(\.name) == [.host("a.test")])
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    do {
      let run = Run(folder)
      #expect(run.served("a.test") == small && run.first.failures == 1)
      #expect(run.first.report.diagnostics.first?.note?.contains("last good version") == true)
      #expect(files == ["a.test"])
      // Repaired: nothing is kept any more.
      write("a.test.json", small + " ")
      _ = run.loader.scanAll()
      run.keep()
      #expect(run.served("a.test") == small + " " && files.isEmpty)
    }
    #expect(Run(folder).served("a.test") == small + " ")
  }

  @Test func `a file that was repaired or removed while nothing ran is as it is`() {
    for name in ["a", "b", "c"] { write("\(name).test.json", small) }
    do {
      let run = Run(folder)
      for name in ["a", "b"] { write("\(name).test.json", "{") }
      _ = run.loader.scanAll()
      run.keep()
      #expect(files == ["a.test", "b.test"])
    }
    write("a.test.json", small + "\n")
    folder.remove("domains/b.test.json")
    let run = Run(folder)
    #expect(run.served("a.test") == small + "\n" && run.served("b.test") == "no site")
    #expect(files.isEmpty)
  }

  @Test func `a version with an error by a rule does not replace a kept one at the start`() {
    write("a.test.json", small)
    do {
      let run = Run(folder)
      write("a.test.json", #"{"applinks":{"details":[{"appIDs":["wrong"]}]}}"#)
      #expect(run.loader.scanAll().failures == 1)
      run.keep()
    }
    #expect(Run(folder).served("a.test") == small)
  }

  @Test func `what was held is held after a restart, until it is back or confirmed`() {
    for index in 0..<8 { write("h\(index).test.json", small) }
    do {
      let run = Run(folder)
      for index in 0..<6 { folder.remove("domains/h\(index).test.json") }
      _ = run.loader.scanAndWithdraw()
      #expect(run.loader.holds.count == 1)
      #expect(run.keep() == 0 && files.count == 6)
    }
    do {
      let run = Run(folder)
      #expect((0..<8).allSatisfy { run.served("h\($0).test") == small })
      let id = run.loader.holds.first?.id
      #expect(run.loader.scanAndWithdraw().report.removed.isEmpty)
      #expect(run.loader.holds.first?.fault.message.hasPrefix("6 domains that were held") == true)
      // One is back: the hold is smaller, and the same.
      write("h0.test.json", small + " ")
      _ = run.loader.scanAndWithdraw()
      run.keep()
      #expect(run.served("h0.test") == small + " " && files.count == 5)
      #expect(run.loader.holds.first?.id == id && run.loader.nextWithdrawal == nil)
    }
    let run = Run(folder)
    #expect(run.loader.confirmAll().report.removed.count == 5)
    run.keep()
    #expect(files.isEmpty && run.loader.holds.isEmpty && run.loader.sites.count == 3)
  }

  @Test func `a folder that is missing at the start does not hide what was kept`() {
    for index in 0..<4 { write("h\(index).test.json", small) }
    do {
      let run = Run(folder)
      folder.rename("domains", to: "away")
      _ = run.loader.scanAndWithdraw()
      #expect(run.keep() == 0 && files.count == 4)
    }
    let run = Run(folder)
    #expect((0..<4).allSatisfy { run.served("h\($0).test") == small })
    #expect(run.keep() == 0 && files.count == 4)
    folder.rename("away", to: "domains")
    _ = run.loader.scanAndWithdraw()
    run.keep()
    #expect(files.isEmpty && run.loader.holds.isEmpty && run.loader.folder.held == nil)
  }

  @Test func `all files of an entry are kept, its list and its well-known files too`() {
    folder.write("domains/a.test/.well-known/apple-app-site-association", small)
    folder.write("domains/a.test/.well-known/webauthn", #"{"origins":["https://a.test"]}"#)
    write("a.test.hosts", "l1.test\nl2.test\n")
    do {
      let run = Run(folder)
      folder.write("domains/a.test/.well-known/webauthn", "{")
      write("a.test.hosts", "")
      folder.write("domains/a.test/.well-known/apple-app-site-association", "{")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    let run = Run(folder)
    #expect(run.served("a.test") == small)
    let state = run.loader.states[.host("a.test")]
    #expect(
      state?.others.values.map { bodyText($0.availability) } == [
        #"{"origins":["https://a.test"]}"#
      ])
  }

  @Test func `without a state folder a restart loses it, and that is known`() {
    write("a.test.json", small)
    do {
      let run = Run(folder, state: nil)
      write("a.test.json", "{")
      _ = run.loader.scanAll()
      #expect(run.keep() == 1)
    }
    #expect(Run(folder, state: nil).served("a.test") == "unavailable")
  }

  @Test func `a damaged file is reported and passed over`() {
    write("a.test.json", "{")
    folder.write("state/kept/hosts/a.test", "aasa-kept-1 00\n")
    folder.write("state/kept/hosts/not a host", "x")
    let run = Run(folder)
    #expect(run.diagnostics.map(\.code) == ["H044"])
    #expect(run.served("a.test") == "unavailable")
    #expect(files == ["not a host"])
  }

  @Test func `a second server keeps nothing, and says so`() {
    write("a.test.json", small)
    let first = Run(folder)
    let second = Run(folder)
    #expect(first.diagnostics.isEmpty && second.diagnostics.map(\.code) == ["H043"])
    write("a.test.json", "{")
    _ = second.loader.scanAll()
    #expect(second.keep() == 1 && files.isEmpty)
  }

  @Test func `a folder that cannot be written is reported once`() {
    folder.write("state", "no folder")
    write("a.test.json", small)
    let run = Run(folder)
    #expect(run.diagnostics.map(\.code) == ["H043"])
    write("a.test.json", "{")
    _ = run.loader.scanAll()
    #expect(run.keep() == 1 && run.diagnostics.count == 1)
  }

  @Test func `the file confirm is read once`() {
    let run = Run(folder)
    #expect(run.kept.value.takeConfirmations() == nil)
    folder.write("state/confirm", "1f4a09c2\n\n 00000000 \r\n")
    #expect(run.kept.value.takeConfirmations() == ["1f4a09c2", "00000000"])
    #expect(run.kept.value.takeConfirmations() == nil)
  }
}
