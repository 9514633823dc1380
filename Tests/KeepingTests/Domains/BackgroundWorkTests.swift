import CatalogSupport
import Diagnostics
import TestRunning
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Gzip and the rules come after the first answers.
@Suite struct BackgroundWorkTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

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
    #expect(bodyText(loader.site("e.test")?.association) == "unavailable")
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
    #expect(bodyText(loader.site("a.test")?.association) == flawed)
    #expect(loader.problems[.host("a.test")]?.hasErrors == true)
    #expect(loader.problems[.host("a.test")]?.isLastGood == false)
  }

  @Test func `a file with errors gives way to another one before the rules have run on it`() {
    func flawed(_ value: Int) -> String {
      #"{"applinks":{"details":[]},"activitycontinuation":\#(value)}"#
    }
    folder.write("a.test.json", flawed(7))
    var loader = loader()
    _ = loader.scanAll(.usability)
    folder.write("a.test.json", flawed(8))
    #expect(loader.scanAll().failures == 1)
    #expect(bodyText(loader.site("a.test")?.association) == flawed(8))
  }

  @Test func `many warnings are counted`() {
    for index in 0..<15 { folder.write("h\(index).test.json", Self.file("h\(index)")) }
    var loader = loader()
    _ = loader.scanAll(.usability)
    let report = finish(&loader)
    #expect(report.diagnostics.count == LoadingLimits.reportedPerCode)
    #expect(report.omitted == ["A082": 5])
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

  @Test func `a file that changes before the background work reaches it is reported once`() {
    for name in ["a", "b", "c"] { folder.write(name + ".test.json", Self.file(name)) }
    var loader = loader()
    _ = loader.scanAll(.usability)
    folder.write("a.test.json", Self.file("a") + " ")
    #expect(loader.scan("a.test").codes == ["A082"])
    #expect(finish(&loader).diagnostics.count == 2)
    #expect(loader.site("a.test")?.association.content?.gzip != nil)
  }

  @Test func `a file that is removed before the background work reaches it does no harm`() {
    for name in ["a", "b", "c"] { folder.write(name + ".test.json", Self.file(name)) }
    var loader = loader()
    _ = loader.scanAll(.usability)
    folder.remove("a.test.json")
    #expect(loader.scanAndWithdraw().report.removed == ["a.test"])
    #expect(finish(&loader).diagnostics.count == 2)
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

  /// Files that cost more than a turn, each in its own way.
  private static let costly: [(name: String, file: String, cases: String?)] = [
    (
      "rules that are hard to compare",
      links((0..<12).map { "*a" + String(repeating: "?", count: $0 % 14 + 1) + "b\($0)" }), nil
    ),
    (
      "many rules and expectations", links((0..<100).map { "/n\($0)*" }),
      String(repeating: "/x browser\n", count: 20)
    ),
  ]

  private static func links(_ paths: [String]) -> String {
    let paths = paths.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":[\#(paths)]}]}}"#
  }

  @Test(arguments: costly.indices)
  func `an entry that costs more than a turn is judged after the others, and said once`(
    way: Int
  ) throws {
    folder.write("a.test.json", small)
    folder.write("b.test.json", small)
    var loader = loader()
    loader.keeper.reader.turn = Turn(steps: 1_000, expectations: Budget(operations: 1_000))
    _ = loader.scanAll()
    let (_, file, cases) = Self.costly[way]
    if let cases { folder.write("a.test.cases", cases) }
    folder.write("a.test.json", file)
    folder.write("new.test.json", file)
    if let cases { folder.write("new.test.cases", cases) }
    folder.write("b.test.json", version("b"))
    let first = loader.scanAll()
    #expect(first.codes == ["H057", "H057"] && first.failures == 0)
    #expect(bodyText(loader.site("b.test")?.association) == version("b"))
    // Until they are judged, the old version is served, and a new host is no unknown one.
    #expect(bodyText(loader.site("a.test")?.association) == small)
    #expect(loader.site("new.test") == nil && loader.isIncomplete)
    let later = finish(&loader)
    for name in ["a.test", "new.test"] {
      #expect(bodyText(loader.site(name)?.association) == file)
    }
    #expect(!loader.isIncomplete && !later.diagnostics.map(\.code).contains("H057"))
    // Another version that is as expensive is not said again.
    folder.write("a.test.json", file + "\n")
    #expect(loader.scanAll().codes == [])
    _ = finish(&loader)
    #expect(bodyText(loader.site("a.test")?.association) == file + "\n")
    // One that is cheap has its turn with the others.
    folder.write("a.test.json", small)
    _ = loader.scanAll()
    #expect(bodyText(loader.site("a.test")?.association) == small)
  }

  @Test func `what was read alone is not used if it was replaced by a cheap one meanwhile`() throws
  {
    var loader = loader()
    loader.keeper.reader.turn = Turn(steps: 1_000, expectations: Budget(operations: 1_000))
    folder.write("a.test.json", Self.links((0..<100).map { "/n\($0)*" }))
    folder.write("a.test.cases", String(repeating: "/x browser\n", count: 20))
    #expect(loader.scanAll().codes == ["H057"])
    _ = loader.takeAlone()
    loader.waitForAlone()
    folder.remove("a.test.cases")
    folder.write("a.test.json", small)
    _ = loader.scanAll()
    #expect(bodyText(loader.site("a.test")?.association) == small)
    _ = loader.takeAlone()
    #expect(bodyText(loader.site("a.test")?.association) == small)
  }

  @Test func `a long list of statements is judged after the others too`() throws {
    var loader = loader()
    loader.keeper.reader.turn = Turn(bytes: 2_000)
    folder.write("a.test.json", small + String(repeating: " ", count: 2_000))
    folder.write("a.test.assetlinks.json", statements + String(repeating: " ", count: 2_000))
    folder.write("b.test.json", small)
    folder.write("b.test.assetlinks.json", statements)
    #expect(loader.scanAll().codes == ["H057"])
    #expect(bodyText(loader.site("b.test")?.assetLinks) == statements)
    #expect(loader.site("a.test") == nil)
    _ = finish(&loader)
    let text = bodyText(loader.site("a.test")?.assetLinks)
    #expect(text.hasPrefix(statements))
  }

  @Test func `an entry with much to read is read alone`() throws {
    var loader = loader()
    loader.keeper.reader.turn = Turn(entryBytes: 200)
    folder.write("a.test.json", small + String(repeating: " ", count: 200))
    folder.write("b.test.json", small)
    folder.write("c.test.json", small)
    folder.write("c.test.cases", String(repeating: "#\n", count: 100))
    #expect(loader.scanAll().codes == ["H057", "H057"])
    #expect(loader.site("a.test") == nil && loader.site("c.test") == nil)
    _ = finish(&loader)
    let text = bodyText(loader.site("a.test")?.association)
    #expect(text.hasPrefix(small))
  }

  // MARK: Memory

  @Test func `a file for which there is no memory is refused, and what was served stays`() throws {
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
    #expect(bodyText(loader.site("b.test")?.association) == version("1"))
    #expect(bodyText(loader.site("c.test")?.association) == "unavailable")
    #expect(bodyText(loader.site("d.test")?.association) == small)
    // Once it is compressed, a content takes less, and old versions take nothing as soon as the
    // threads that read them have let go.
    for mark in ["2", "3", "4", "5", "6"] {
      _ = finish(&loader)
      folder.write("c.test.json", version(mark))
      #expect(eventually { loader.scan("c.test").failures == 0 })
      #expect(bodyText(loader.site("c.test")?.association) == version(mark))
    }
  }
}
