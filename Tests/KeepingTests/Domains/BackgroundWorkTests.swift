import CatalogSupport
import Diagnostics
import TestRunning
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Gzip and the rules come after the first answers.
@Suite struct BackgroundWorkTests {
  let folder = TestFolder()

  static let path = ".well-known/apple-app-site-association"

  /// Long enough for gzip to be smaller, with a warning: the second rule is never reached.
  static func file(_ app: String) -> String {
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.\#(app)","paths":["/a/*","/a/b"#
      + #"","NOT /a/c"]}]},"webcredentials":{"apps":["K27TX9P4QD.org.swift.\#(app)"]}}"#
      + String(repeating: " ", count: 300)
  }

  private func loader(threads: Int = 1) -> DomainRunner {
    DomainRunner(root: folder.path) { $0.threads = threads }
  }

  /// Does the background work and the scans that it asks for, as maintenance does.
  private func finish(_ loader: inout DomainRunner) -> Report {
    var report = Report()
    while loader.hasBackgroundWork || loader.isReadingAlone {
      var outcome = loader.takeAlone()
      loader.waitForAlone()
      outcome += loader.workInBackground(milliseconds: 1)
      report.add(outcome.report)
      report.add(loader.scan(outcome.domainsAgain, isFinal: true).report)
    }
    return report
  }

  @Test func `gzip and warnings come after the first answers, once`() {
    for name in ["a", "b", "c", "d"] { folder.write("\(name).test/\(Self.path)", Self.file(name)) }
    folder.write("e.test.json", "[]")
    var loader = loader()
    let first = loader.scanAll(.usability)
    // A file that cannot be served is reported at once.
    #expect(first.codes == ["A002"])
    #expect(loader.association("e.test") == "unavailable")
    let content = loader.site("a.test")?.association.content
    #expect(content?.identity.body == Array(Self.file("a").utf8))
    #expect(content?.gzip == nil)
    #expect(loader.hasBackgroundWork)
    let later = finish(&loader)
    // The same content, so nothing need be published again.
    #expect(loader.site("a.test")?.association.content === content)
    #expect(content?.gzip != nil)
    #expect(Set(later.diagnostics.map(\.code)) == ["A082"])
    #expect(
      Set(later.diagnostics.map { $0.location?.path })
        == Set(["a", "b", "c", "d"].map { "\(folder.path)/\($0).test/\(Self.path)" }))
    #expect(later.diagnostics.count == 4)
    // Nothing has changed: nothing is done and reported again.
    let again = loader.scanAll()
    #expect(again.changes.isEmpty && again.report.isEmpty)
    #expect(finish(&loader).isEmpty)
    // A changed file is reported; its warning, which is the same as before, is not.
    folder.write("a.test/\(Self.path)", Self.file("a") + " ")
    let changed = loader.scanAll()
    #expect(changed.report.changed == [.host("a.test")] && changed.codes.isEmpty)
    #expect(finish(&loader).isEmpty)
    folder.write("b.test/\(Self.path)", " " + Self.file("b"))
    #expect(loader.scan("b.test").codes == ["A082"])
  }

  @Test func `errors that devices survive are found in the background, and the file stays`() {
    let flawed = #"{"applinks":{"details":[]},"activitycontinuation":7}"#
    folder.write("a.test.json", flawed)
    var loader = loader()
    #expect(loader.scanAll(.usability).failures == 0)
    let report = finish(&loader)
    #expect(report.diagnostics.contains { $0.severity == .error })
    #expect(loader.association("a.test") == flawed)
    #expect(loader.problems[.host("a.test")]?.hasErrors == true)
    #expect(loader.problems[.host("a.test")]?.isLastGood == false)
  }

  private static let many = rounds(140, stress: 700)

  @Test func `many threads find the same as one`() {
    for index in 0..<Self.many {
      let name = "h\(index).test"
      switch index % 7 {
      case 0: folder.write(name + ".json", Self.file(name))
      case 1: folder.write("\(name)/\(Self.path)", Self.file(name))
      case 2: folder.write("\(name)/apple-app-site-association", small)
      case 3: folder.write(name + ".json", "[\(index)]")
      case 4: folder.write("\(name)/\(Self.path)", #"{"applinks": {"details": \#(index)}}"#)
      case 5: folder.makeFolder(name)
      default:
        folder.write("\(name)/\(Self.path)", small)
        folder.write("\(name)/assetlinks.json", "[]")
        folder.link("\(name)/apple-app-site-association", to: Self.path)
      }
    }
    func all(_ threads: Int) -> (sites: [String], reported: [String], counts: [String: Int]) {
      var loader = loader(threads: threads)
      var report = loader.scanAll(.usability).report
      report.add(finish(&loader))
      #expect(loader.isEverythingCurrent)
      return (
        loader.sites.map { "\($0.name) \(bodyText($0.association)) \(bodyText($0.assetLinks))" }
          .sorted(),
        loader.problems.all.map { name, problem in
          "\(name) \(problem.hasErrors) " + problem.diagnostics.map(\.line).sorted().joined()
        }.sorted(), report.omitted
      )
    }
    let one = all(1)
    let many = all(4)
    #expect(one.sites.count == Self.many && one.reported.count >= Self.many * 3 / 7)
    #expect(one.sites == many.sites)
    #expect(one.reported == many.reported)
    #expect(one.counts == many.counts)
  }

  @Test func `names that lead to one file share its content`() {
    folder.write("store/file", Self.file("a"))
    for index in 0..<10 { folder.link("h\(index).test.json", to: "store/file") }
    folder.write("copy.test.json", Self.file("a"))
    var loader = loader()
    // The folder `store` is an entry without a file.
    #expect(loader.scanAll(.usability).codes == ["H008"])
    let content = loader.site("copy.test")?.association.content
    #expect(content != nil)
    for index in 0..<10 {
      #expect(loader.site("h\(index).test")?.association.content === content)
    }
    // Each name is reported all the same.
    let report = finish(&loader)
    #expect(Set(report.diagnostics.compactMap(\.location?.path)).count == 10)
    #expect(report.omitted == ["A082": 1])
    // Removed names are reported, and new ones too.
    folder.remove("h3.test.json")
    folder.write("new.test.json", small)
    let outcome = loader.scanAndWithdraw()
    #expect(outcome.report.removed == ["h3.test"])
    #expect(outcome.report.added == [.host("new.test")])
    #expect(loader.sites.count == 12)
  }

  @Test func `a file that changes or goes before the background work reaches it is reported once`()
  {
    for name in ["a", "b", "c", "d"] { folder.write(name + ".test.json", Self.file(name)) }
    var loader = loader()
    _ = loader.scanAll(.usability)
    folder.write("a.test.json", Self.file("a") + " ")
    #expect(loader.scan("a.test").codes == ["A082"])
    folder.remove("b.test.json")
    #expect(loader.scanAndWithdraw().report.removed == ["b.test"])
    #expect(finish(&loader).diagnostics.count == 2)
    #expect(loader.site("a.test")?.association.content?.gzip != nil)
  }

  @Test func `what was reported at once is not reported again with what the rules find`() {
    folder.write("a.test/\(Self.path)", Self.file("a"))
    folder.write("a.test/.well-known/security.txt", "Expires: 2020-01-01T00:00:00Z\n")
    var loader = loader()
    #expect(loader.scanAll(.usability).codes == ["H039"])
    #expect(finish(&loader).diagnostics.map(\.code) == ["A082"])
    #expect(loader.problems[.host("a.test")]?.diagnostics.count == 2)
  }

  // MARK: Turns

  /// An entry that costs more than a turn: its file, and another one beside it, with what makes that
  /// one cheap.
  private struct Costly {
    let turn: Turn
    let file: String
    var beside: (ending: String, text: String, cheap: String)?
  }

  private static let steps = Turn(steps: 1_000, expectations: Budget(operations: 1_000))
  private static let costly = [
    // rules that are hard to compare
    Costly(
      turn: steps,
      file: links((0..<12).map { "*a" + String(repeating: "?", count: $0 % 14 + 1) + "b\($0)" })),
    // many rules and expectations
    Costly(
      turn: steps, file: links((0..<100).map { "/n\($0)*" }),
      beside: ("cases", String(repeating: "/x browser\n", count: 20), "/x browser\n")),
    // a long list of statements
    Costly(
      turn: Turn(bytes: 2_000), file: small + String(repeating: " ", count: 2_000),
      beside: (
        "assetlinks.json", statements + String(repeating: " ", count: 2_000), statements
      )),
    // much to read
    Costly(turn: Turn(entryBytes: 200), file: small + String(repeating: " ", count: 200)),
    Costly(
      turn: Turn(entryBytes: 200), file: small,
      beside: ("cases", String(repeating: "#\n", count: 100), "#\n")),
  ]

  private static func links(_ paths: [String]) -> String {
    let paths = paths.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":[\#(paths)]}]}}"#
  }

  @Test(arguments: costly.indices)
  func `an entry that costs more than a turn is judged after the others, and said once`(
    way: Int
  ) {
    folder.write("a.test.json", small)
    folder.write("b.test.json", small)
    var loader = loader()
    let costly = Self.costly[way]
    loader.keeper.reader.turn = costly.turn
    _ = loader.scanAll()
    for name in ["a.test", "new.test"] {
      if let beside = costly.beside { folder.write("\(name).\(beside.ending)", beside.text) }
      folder.write("\(name).json", costly.file)
    }
    folder.write("b.test.json", version("b"))
    let first = loader.scanAll()
    #expect(first.codes == ["H057", "H057"] && first.failures == 0)
    #expect(loader.association("b.test") == version("b"))
    // Until they are judged, the old version is served, and a new host is no unknown one.
    #expect(loader.association("a.test") == small)
    #expect(loader.site("new.test") == nil && loader.isIncomplete)
    let later = finish(&loader)
    for name in ["a.test", "new.test"] {
      #expect(loader.association(name) == costly.file)
      if let beside = costly.beside, beside.ending == "assetlinks.json" {
        #expect(loader.assetLinks(name) == beside.text)
      }
    }
    #expect(!loader.isIncomplete && !later.diagnostics.map(\.code).contains("H057"))
    // Another version that is as expensive is not said again.
    folder.write("a.test.json", costly.file + "\n")
    #expect(loader.scanAll().codes == [])
    _ = finish(&loader)
    #expect(loader.association("a.test") == costly.file + "\n")
    // One that is cheap has its turn with the others.
    if let beside = costly.beside { folder.write("a.test.\(beside.ending)", beside.cheap) }
    folder.write("a.test.json", small)
    _ = loader.scanAll()
    #expect(loader.association("a.test") == small)
  }

  @Test func `what was read alone is not used if it was replaced by a cheap one meanwhile`() {
    var loader = loader()
    loader.keeper.reader.turn = Self.steps
    folder.write("a.test.json", Self.links((0..<100).map { "/n\($0)*" }))
    folder.write("a.test.cases", String(repeating: "/x browser\n", count: 20))
    #expect(loader.scanAll().codes == ["H057"])
    _ = loader.takeAlone()
    loader.waitForAlone()
    folder.remove("a.test.cases")
    folder.write("a.test.json", small)
    _ = loader.scanAll()
    #expect(loader.association("a.test") == small)
    _ = loader.takeAlone()
    #expect(loader.association("a.test") == small)
  }

  // MARK: Memory

  @Test func `a file for which there is no memory is refused, and what was served stays`() {
    var loader = loader()
    loader.keeper.contents = ContentStore(
      cacheControl: "no-cache", mostBytes: 5 * small.utf8.count)
    folder.write("a.test.json", small)
    folder.write("b.test.json", version("1"))
    #expect(loader.scanAll().codes == [])
    folder.write("b.test.json", version("1") + String(repeating: " ", count: 100))
    folder.write("c.test.json", version("2"))
    // Files with the same bytes take no memory of their own.
    folder.write("d.test.json", small)
    let full = loader.scanAll()
    #expect(full.codes == ["H058", "H058"] && full.failures == 2)
    #expect(full.again.count == 2)
    #expect(loader.association("b.test") == version("1"))
    #expect(loader.association("c.test") == "unavailable")
    #expect(loader.association("d.test") == small)
    // Once it is compressed, a content takes less, and old versions take nothing as soon as the
    // threads that read them have let go.
    for mark in ["2", "3", "4", "5", "6"] {
      _ = finish(&loader)
      folder.write("c.test.json", version(mark))
      #expect(eventually { loader.scan("c.test").failures == 0 })
      #expect(loader.association("c.test") == version(mark))
    }
  }
}
