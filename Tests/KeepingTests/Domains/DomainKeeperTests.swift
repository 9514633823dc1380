import CatalogSupport
import Diagnostics
import Foundation
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct DomainKeeperTests {
  let folder = TestFolder()
  var loader: DomainRunner

  init() {
    loader = DomainRunner(root: folder.path)
  }

  struct Row: CustomTestStringConvertible {
    let files: [String: String]
    let entry: String
    let association: String
    var assetLinks = "absent"
    var codes: [String] = []
    var testDescription: String { files.keys.sorted().joined(separator: ", ") }
  }

  static let file = "apple-app-site-association"

  private static let longest =
    Array(repeating: String(repeating: "a", count: 60), count: 4).joined(separator: ".")

  static let rows = [
    Row(files: ["a.test.json": small], entry: "a.test", association: small),
    Row(files: ["_wildcard.a.test.json": small], entry: "*.a.test", association: small),
    Row(files: ["*.a.test.json": small], entry: "*.a.test", association: small),
    Row(files: ["_default.json": small], entry: "_default", association: small),
    // beside which no other name of the same domain fits
    Row(files: ["\(longest).json": small], entry: longest, association: small),
    // folders, in both places
    Row(files: ["a.test/\(file)": small], entry: "a.test", association: small),
    Row(files: ["a.test/.well-known/\(file)": small], entry: "a.test", association: small),
    Row(files: ["_wildcard.a.test/\(file)": small], entry: "*.a.test", association: small),
    Row(files: ["_default/\(file)": small], entry: "_default", association: small),
    // both places, equal
    Row(
      files: ["a.test/\(file)": small, "a.test/.well-known/\(file)": small], entry: "a.test",
      association: small),
    // both places, different: `.well-known` wins
    Row(
      files: ["a.test/\(file)": small + " ", "a.test/.well-known/\(file)": small], entry: "a.test",
      association: small, codes: ["H006"]),
    // a file and a folder, different: the file wins
    Row(
      files: ["a.test.json": small, "a.test/\(file)": small + " "], entry: "a.test",
      association: small,
      codes: ["H006"]),
    // asset links, beside it or alone
    Row(
      files: ["a.test.json": small, "a.test.assetlinks.json": statements], entry: "a.test",
      association: small, assetLinks: statements),
    Row(
      files: ["a.test/\(file)": small, "a.test/assetlinks.json": statements], entry: "a.test",
      association: small, assetLinks: statements),
    Row(
      files: ["a.test/.well-known/assetlinks.json": statements], entry: "a.test",
      association: "absent",
      assetLinks: statements),
    Row(
      files: ["a.test/.well-known/assetlinks.json": small], entry: "a.test", association: "absent",
      assetLinks: "unavailable", codes: ["A004"]),
    // a copied web root: other files are ignored
    Row(
      files: ["a.test/index.html": "x", "a.test/\(file)": small], entry: "a.test",
      association: small),
    // a folder with nothing in it, and with the usual mistake
    Row(files: ["a.test/index.html": "x"], entry: "a.test", association: "absent", codes: ["H008"]),
    Row(
      files: ["a.test/\(file).json": small], entry: "a.test", association: "absent",
      codes: ["V005"]),
    // faulty from the start: never 404
    Row(files: ["a.test.json": ""], entry: "a.test", association: "unavailable", codes: ["J"]),
    Row(files: ["a.test.json": "{"], entry: "a.test", association: "unavailable", codes: ["J"]),
    Row(files: ["a.test.json": "[]"], entry: "a.test", association: "unavailable", codes: ["A002"]),
    // the place that wins is faulty: the other is not used instead, because it is another version
    Row(
      files: ["a.test/\(file)": small, "a.test/.well-known/\(file)": "["], entry: "a.test",
      association: "unavailable", codes: ["H006", "J"]),
  ]

  @Test(arguments: rows)
  mutating func `an entry serves the content of its files`(_ row: Row) {
    for (name, text) in row.files { folder.write(name, text) }
    let outcome = loader.scanAll()
    #expect(loader.sites.map(\.name) == [.named(row.entry)])
    #expect(loader.association(row.entry) == row.association)
    #expect(loader.assetLinks(row.entry) == row.assetLinks)
    let codes = outcome.folderCodes.map { $0.hasPrefix("J") ? "J" : $0 }
    #expect(codes.sorted() == row.codes)
    #expect(outcome.report.added == [.named(row.entry)])
    #expect(outcome.report.changed.isEmpty && outcome.report.removed.isEmpty)
  }

  struct Unreadable: CustomTestStringConvertible {
    let testDescription: String
    /// Where a good file would be.
    var path = "a.test.json"
    let make: @Sendable (TestFolder) -> Void
  }

  static let unreadable = [
    Unreadable(testDescription: "a link to nothing") { $0.link("a.test.json", to: "nothing") },
    Unreadable(testDescription: "a link to itself") { $0.link("a.test.json", to: "a.test.json") },
    Unreadable(testDescription: "a pipe that nobody writes to") { $0.makePipe("a.test.json") },
    Unreadable(testDescription: "a folder in the file's place", path: "a.test/\(file)") {
      $0.makeFolder("a.test/\(file)")
    },
    Unreadable(testDescription: "a link to a device that has no end") {
      $0.link("a.test.json", to: "/dev/zero")
    },
    Unreadable(testDescription: "a folder behind a link to nothing", path: "a.test/\(file)") {
      $0.link("a.test", to: "nothing")
    },
    Unreadable(testDescription: "a folder behind a link to itself", path: "a.test/\(file)") {
      $0.link("a.test", to: "a.test")
    },
    Unreadable(testDescription: "a .well-known behind a link to nothing", path: "a.test/\(file)") {
      $0.makeFolder("a.test")
      $0.link("a.test/.well-known", to: "nothing")
    },
    Unreadable(testDescription: "over the limit") {
      $0.write("a.test.json", small + String(repeating: " ", count: 131_071))
    },
  ]

  @Test(arguments: unreadable)
  mutating func `an unreadable file is unavailable, and reported once`(_ row: Unreadable) {
    row.make(folder)
    let outcome = loader.scanAll()
    #expect(loader.association("a.test") == "unavailable")
    #expect(outcome.failures == 1)
    #expect(outcome.report.diagnostics.contains { $0.severity == .error })
    #expect(outcome.report.diagnostics.allSatisfy { $0.help != nil })
    let again = loader.scanAndWithdraw()
    #expect(again.folderCodes.isEmpty && again.changes.isEmpty)
    #expect(loader.association("a.test") == "unavailable")
  }

  @Test(arguments: unreadable)
  mutating func
    `a file that becomes unreadable keeps its last version, and is served again once it is readable`(
      _ row: Unreadable
    )
  {
    folder.write(row.path, small)
    _ = loader.scanAll()
    folder.remove("a.test.json")
    folder.remove("a.test")
    row.make(folder)
    let outcome = loader.scanAndWithdraw()
    #expect(outcome.report.diagnostics.contains { $0.severity == .error })
    #expect(loader.association("a.test") == small)
    #expect(loader.problems[.named("a.test")]?.isLastGood == true)
    // The file that was never there is not unavailable now.
    #expect(loader.assetLinks("a.test") == "absent")
    folder.remove("a.test.json")
    folder.remove("a.test")
    folder.write(row.path, small + " ")
    _ = loader.scanAndWithdraw()
    #expect(loader.association("a.test") == small + " ")
    #expect(loader.problems[.named("a.test")]?.hasErrors != true)
    #expect(loader.folder.names.missing.isEmpty)
  }

  @Test mutating func `a failed read is repeated, with growing pauses`() {
    folder.makePipe("a.test.json")
    var pauses: [Int64] = []
    for _ in 0..<3 {
      let before = Posix.Clock.monotonicMilliseconds()
      let again = loader.scanAll().again
      #expect(again.map(\.key) == [.domain(.host("a.test"))])
      pauses += again.map { ($0.time - before) / 1_000 }
    }
    #expect(pauses == [1, 2, 5])
    // Once it can be read it counts from the beginning.
    folder.remove("a.test.json")
    folder.write("a.test.json", small)
    #expect(loader.scanAll().again.isEmpty)
    #expect(loader.items.values.allSatisfy { $0.failures == 0 })
  }

  @Test mutating func `a file may have 131072 bytes`() {
    let text = small + String(repeating: " ", count: 131_072 - small.utf8.count)
    folder.write("a.test.json", text)
    #expect(loader.scanAll().folderCodes.isEmpty)
    #expect(loader.association("a.test") == text)
  }

  @Test mutating func `asset links may have a mebibyte`() {
    loader.keeper.reader.turn = .endless
    let limit = DomainObserver.wellKnownBytes
    let space = String(repeating: " ", count: limit - statements.utf8.count)
    folder.write("a.test.assetlinks.json", statements + space)
    #expect(loader.scanAll().folderCodes.isEmpty)
    folder.write("a.test.assetlinks.json", statements + space + " ")
    #expect(loader.scanAll().folderCodes == ["H009"])
    #expect(loader.assetLinks("a.test").utf8.count == limit)
  }

  @Test mutating func `Last-Modified is the file's time`() {
    folder.write("a.test.json", small)
    folder.touch("a.test.json", 784_111_777)
    _ = loader.scanAll()
    guard case .served(let file) = loader.site("a.test")?.association else {
      Issue.record("not served")
      return
    }
    #expect(file.lastModified == 784_111_777)
    #expect(text(file.lastModifiedField.text) == "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
  }
}
