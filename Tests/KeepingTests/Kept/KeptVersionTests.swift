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
  final class Run {
    var loader: DomainLoader
    let kept: KeptFiles
    let first: Outcome
    var diagnostics: [Diagnostic] { kept.diagnostics }

    init(_ folder: TestFolder, state: String? = "state", withdrawAfter: Int64 = 0) {
      loader = DomainLoader(root: folder("domains")) { $0.withdrawAfter = withdrawAfter }
      kept = KeptFiles(loader.options, state: state.map { folder($0) })
      loader.take(kept.found)
      first = loader.scanAll(.usability)
      keep()
    }

    /// Keeps what is at risk now, and the names that are known. Returns how many versions a restart
    /// would lose.
    @discardableResult func keep() -> Int {
      if loader.folder.wasRead {
        let names = loader.folder.before.missing.union(loader.states.keys)
        #expect(kept.versions.write(names, now: 0) == nil || !diagnostics.isEmpty)
      }
      return kept.keep(loader.atRisk) { key in
        if case .entry(let name) = key { loader.keptEntry(of: name) } else { nil }
      }
    }

    /// What a loop answers for a host.
    func answer(_ host: String) -> String {
      let catalog = Catalog(
        sites: loader.sites, isIncomplete: loader.isIncomplete, material: nil)
      return catalog.association(host)
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
      #expect(run.loader.atRisk.map(\.key) == [.entry(.host("a.test"))])
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

  @Test func `a kept version with an error gives way to another one at the start`() {
    func flawed(_ app: String) -> String {
      #"{"applinks":{"details":[{"appIDs":["\#(app)"]}]}}"#
    }
    write("a.test.json", flawed("wrong"))
    do {
      let run = Run(folder)
      _ = run.loader.scan("a.test")
      write("a.test.json", "{")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    #expect(Run(folder).served("a.test") == flawed("wrong"))
    write("a.test.json", flawed("other"))
    #expect(Run(folder).served("a.test") == flawed("other"))
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
      #expect(run.loader.holds.first?.fault.message.hasPrefix("6 domains that were known") == true)
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

  @Test func `a folder that is empty at the start does not hide what was kept, nor the others`() {
    for index in 0..<4 { write("h\(index).test.json", small) }
    do {
      let run = Run(folder)
      write("h0.test.json", "{")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["h0.test"])
    }
    folder.rename("domains", to: "away")
    folder.makeFolder("domains")
    do {
      let run = Run(folder)
      #expect(run.answer("h0.test") == small && run.loader.isIncomplete)
      #expect(run.keep() == 0 && files == ["h0.test"] && run.loader.folder.held == .empty)
    }
    // Three of four are still missing: what was kept of them stays too.
    write("h3.test.json", small)
    do {
      let run = Run(folder)
      #expect(run.answer("h0.test") == small && run.answer("h3.test") == small)
      #expect(run.loader.isIncomplete && run.loader.holds.count == 1)
      #expect(run.keep() == 0 && files == ["h0.test"])
    }
    folder.remove("domains")
    folder.rename("away", to: "domains")
    let run = Run(folder)
    #expect(run.answer("h0.test") == small && run.answer("h1.test") == small)
    #expect(!run.loader.isIncomplete && run.loader.holds == [])
  }

  @Test func `what cannot be written is reported once, and written as soon as it can be`() {
    write("a.test.json", small)
    write("b.test.json", small)
    let run = Run(folder)
    folder.rename("state/kept/hosts", to: "state/kept/away")
    for name in ["a", "b"] { write("\(name).test.json", "{") }
    _ = run.loader.scanAll()
    #expect(run.keep() == 2 && run.keep() == 2 && run.diagnostics.map(\.code) == ["H043"])
    folder.rename("state/kept/away", to: "state/kept/hosts")
    #expect(run.keep() == 0 && files == ["a.test", "b.test"])
    // Once more, another time.
    folder.rename("state/kept/hosts", to: "state/kept/away")
    write("a.test.json", small + " ")
    _ = run.loader.scanAll()
    write("a.test.json", "{")
    _ = run.loader.scanAll()
    #expect(run.keep() == 1 && run.diagnostics.count == 2)
  }

  @Test func `at most 10,000 entries are kept, and always the same`() {
    let kept = Run(folder).kept
    let wishes = (0..<10_010).map {
      KeptVersions.Wish(key: .entry(.host("h\($0).test")), mark: 1)
    }
    kept.versions.keep(wishes)
    var first: Set<KeptKey> = []
    while let key = kept.versions.takeNext() { first.insert(key) }
    #expect(first.count == 10_000)
    kept.versions.keep(wishes.reversed())
    #expect(!kept.hasWork)
  }

  @Test func `a version that is no longer kept, or is replaced, makes room for others`() {
    let kept = Run(folder).kept
    kept.versions.largestSize = 1_900
    let part = KeptEntry.Part(
      place: .file("webauthn"), bytes: Array(repeating: 0x20, count: 1_000))
    func lost(_ marks: [String: Int]) -> Int {
      let wishes = marks.map { KeptVersions.Wish(key: .entry(.named($0)), mark: $1) }
      return kept.keep(wishes) { _ in KeptEntry(parts: [part], time: 0) }
    }
    #expect(lost(["a.test": 1]) == 0 && lost(["a.test": 2]) == 0)
    #expect(lost(["a.test": 2, "b.test": 1]) == 1)
    #expect(lost(["b.test": 1]) == 0 && files == ["b.test"])
  }

  @Test func `of the files of an entry, one that was removed while nothing ran is gone`() {
    folder.write("domains/a.test/.well-known/apple-app-site-association", small)
    folder.write("domains/a.test/.well-known/webauthn", #"{"origins":["https://a.test"]}"#)
    do {
      let run = Run(folder)
      folder.write("domains/a.test/.well-known/webauthn", "{")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    folder.remove("domains/a.test/.well-known/webauthn")
    let run = Run(folder)
    #expect(run.loader.states[.host("a.test")]?.answers.map { bodyText($0) } == [small])
    #expect(files.isEmpty)
  }

  @Test func `files that a closed folder hides are kept too`() {
    let origins = #"{"origins":["https://a.test"]}"#
    folder.write("domains/a.test/.well-known/apple-app-site-association", small)
    folder.write("domains/a.test/.well-known/webauthn", origins)
    do {
      let run = Run(folder)
      folder.rename("domains/a.test/.well-known", to: "away")
      folder.link("domains/a.test/.well-known", to: "nothing")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    // Twice, because what was taken up is kept again.
    for _ in 0..<2 {
      let answers = Run(folder).loader.states[.host("a.test")]?.answers.map { bodyText($0) }
      #expect(answers?.contains(small) == true && answers?.contains(origins) == true)
    }
    folder.remove("domains/a.test/.well-known")
    folder.rename("away", to: "domains/a.test/.well-known")
    let run = Run(folder)
    #expect(run.served("a.test") == small && files.isEmpty)
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
      state?.answers.map { bodyText($0) }.filter { $0 != "absent" } == [
        small, #"{"origins":["https://a.test"]}"#,
      ])
  }

  @Test func `the last good page of an entry is kept, and which links get it`() {
    let entry = #"{"appIDs":["K27TX9P4QD.a.b"],"components":[{}]}"#
    write("a.test.json", #"{"applinks":{"details":[\#(entry)]}}"#)
    write("a.test.page.html", "<p>good")
    do {
      let run = Run(folder)
      write("a.test.page.html", "")
      _ = run.loader.scanAll()
      #expect(run.keep() == 0 && files == ["a.test"])
    }
    let state = Run(folder).loader.states[.host("a.test")]
    #expect(state?.answers.map { bodyText($0) }.contains("<p>good") == true)
    #expect(state?.page?.opensApp != nil)
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
    // The served file may be faulty too.
    #expect(run.diagnostics.first?.help?.hasPrefix("repair the file of a.test in the dom") == true)
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

  @Test func `a file of a later version is neither read nor changed, and reported once`() throws {
    let later = "aasa-kept-2 00\nin a form of its own"
    let names = ["state/kept/hosts/a.test", "state/kept/hosts/b.test", "state/kept/known"]
    for name in names { folder.write(name, later) }
    write("a.test.json", small)
    write("b.test.json", "{")
    write("c.test.json", small)
    let run = Run(folder)
    #expect(run.diagnostics.map(\.code) == ["H043"])
    #expect(
      run.diagnostics.first?.message
        == "a later version of aasa wrote this file, and 2 more in the state folder")
    #expect(run.served("b.test") == "unavailable")
    write("a.test.json", "{")
    write("c.test.json", "{")
    _ = run.loader.scanAll()
    // A restart would lose the version beside it.
    #expect(run.keep() == 1 && files == ["a.test", "b.test", "c.test"])
    write("a.test.json", small)
    _ = run.loader.scanAll()
    run.keep()
    for name in names {
      try #expect(readFile(folder(name), limit: 1000) == Array(later.utf8), "\(name)")
    }
    #expect(run.diagnostics.count == 1)
  }
}
