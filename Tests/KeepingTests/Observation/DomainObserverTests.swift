import CatalogSupport
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// The observation of a domain, and the places where it can change.
@Suite struct DomainObserverTests {
  let folder = TestFolder("domains")

  static let name = "apple-app-site-association"
  static let good = #"{"applinks":{"details":[]}}"#
  static let cases = "/x opens nothing\n"

  /// A file of sysfs says that it has 4096 bytes, and ends early.
  static let early = "/sys/devices/system/cpu/online"

  @Test(.enabled(if: (try? Posix.status(early).size) ?? 0 > 100), arguments: [false, true])
  func `a file whose end is missing counts as still changing, and no part of it is used`(
    isSettled: Bool
  ) throws {
    folder.makeFolder("domains/a.test/.well-known")
    folder.link("domains/a.test/.well-known/\(Self.name)", to: Self.early)
    let observer = DomainObserver(root: folder("domains"))
    let root = try Directory(folder("domains"))
    var entry = DomainFolder.Entry(name: .host("a.test"))
    _ = entry.add("a.test", as: .folder)
    let observation = observer.observe(entry, in: root, isSettled: isSettled)
    #expect(observation.facts.settlingTime > 0)
    var reason = "it is used"
    if case .unreadable(_, let error)? = observation.files[WellKnownFiles.association] {
      reason = error.reason
    }
    #expect(reason == "The end of the file is missing")
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var files: [String] = []
    /// Each with its content.
    var links: [(String, String)] = []
    /// The directories to watch, seen from the domains folder.
    let directories: [String]
  }

  static let rows = [
    Row(testDescription: "a file", files: ["a.test.json"], directories: []),
    Row(
      testDescription: "both files of a folder",
      files: ["a.test/\(name)", "a.test/.well-known/\(name)"],
      directories: ["a.test", "a.test/.well-known"]),
    Row(testDescription: "no file at all", files: ["a.test/other"], directories: ["a.test"]),
    Row(
      testDescription: "the usual link from one place to the other",
      files: ["a.test/.well-known/\(name)"],
      links: [("a.test/\(name)", ".well-known/\(name)")],
      directories: ["a.test", "a.test/.well-known"]),
    Row(
      testDescription: "the same link, its end not there",
      links: [("a.test/\(name)", ".well-known/\(name)")],
      directories: ["a.test", "a.test/.well-known"]),
    Row(
      testDescription: "the usual link, its end a link too",
      files: ["../store/file"],
      links: [
        ("a.test/\(name)", ".well-known/\(name)"),
        ("a.test/.well-known/\(name)", "../../../store/file"),
      ],
      directories: ["a.test", "a.test/.well-known", "../store"]),
    Row(
      testDescription: "the same words, elsewhere",
      files: ["a.test/.well-known/.well-known/\(name)"],
      links: [("a.test/.well-known/\(name)", ".well-known/\(name)")],
      directories: ["a.test", "a.test/.well-known", "a.test/.well-known/.well-known"]),
    Row(
      testDescription: "a link to the other place by a longer way",
      files: ["a.test/.well-known/\(name)"],
      links: [("a.test/\(name)", "../a.test/.well-known/\(name)")],
      directories: ["a.test", "a.test/.well-known"]),
    Row(
      testDescription: "a mounted ConfigMap", files: ["a.test/..1/\(name)"],
      links: [("a.test/..data", "..1"), ("a.test/\(name)", "..data/\(name)")],
      directories: ["a.test", "a.test/..1"]),
    Row(
      testDescription: "a linked file", files: ["../store/file"],
      links: [("a.test.json", "../store/file")], directories: ["../store"]),
    Row(
      testDescription: "a linked folder", files: ["../store/a/\(name)"],
      links: [("a.test", "../store/a")], directories: ["a.test"]),
    Row(
      testDescription: "a linked .well-known", files: ["a.test/other", "../store/a/\(name)"],
      links: [("a.test/.well-known", "../../store/a")],
      directories: ["a.test", "a.test/.well-known"]),
    Row(
      testDescription: "a link that leads nowhere", files: ["a.test/other"],
      links: [("a.test/\(name)", "missing")], directories: ["a.test"]),
    Row(
      testDescription: "linked expectations", files: ["a.test/\(name)", "../store/file.cases"],
      links: [("a.test/\(name).cases", "../../store/file.cases")],
      directories: ["a.test", "../store"]),
    Row(
      testDescription: "linked expectations beside the folder",
      files: ["a.test/\(name)", "../store/file.cases"],
      links: [("a.test.cases", "../store/file.cases")], directories: ["a.test", "../store"]),
    Row(
      testDescription: "a linked assetlinks.json",
      files: ["a.test/\(name)", "../store/links.json"],
      links: [("a.test/assetlinks.json", "../../store/links.json")],
      directories: ["a.test", "../store"]),
  ]

  private func make(_ row: Row) -> DomainRunner {
    if (row.files + row.links.map(\.0)).contains(where: { $0.hasPrefix("a.test/") }) {
      folder.makeFolder("domains/a.test")
    }
    for file in row.files {
      let text =
        file.hasSuffix(".cases") ? Self.cases : file.hasSuffix("links.json") ? "[]" : Self.good
      folder.write("domains/" + file, text)
    }
    for (link, target) in row.links {
      if let slash = link.lastIndex(of: "/") {
        folder.makeFolder("domains/" + link[..<slash])
      }
      folder.link("domains/" + link, to: target)
    }
    return DomainRunner(root: folder("domains"))
  }

  /// The directories that are watched for a domain, each once, as absolute paths.
  private func directories(_ loader: DomainRunner, _ name: DomainName) -> Set<String> {
    guard let state = loader.items[name] else { return [] }
    let found = loader.keeper.reader.observer.directories(of: state.entry, state.places)
    return Set(found.map { (try? resolvedPath($0.path)) ?? $0.path })
  }

  @Test(arguments: rows)
  func `the folders that a domain is read from are known, links followed`(row: Row) {
    var loader = make(row)
    _ = loader.scanAll()
    #expect(loader.items.count == 1)
    let expected = row.directories.map { path in
      (try? resolvedPath(folder("domains/" + path))) ?? folder("domains/" + path)
    }
    #expect(directories(loader, .host("a.test")) == Set(expected))
    // Observing again finds the same as reading.
    #expect(loader.isEverythingCurrent)
  }

  @Test func `a link that leads to another file is noticed`() {
    folder.write("one/file", Self.good)
    folder.write("two/file", Self.good)
    folder.link("current", to: "one")
    folder.link("domains/a.test.json", to: "../current/file")
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    #expect(loader.isEverythingCurrent)
    // However far away it is set.
    folder.link("current", to: "two")
    #expect(loader.changed(loader.items.keys) == [.host("a.test")])
    _ = loader.scanAll()
    #expect(loader.isEverythingCurrent)
    folder.rename("two", to: "away")
    #expect(loader.changed(loader.items.keys) == [.host("a.test")])
    _ = loader.scanAll()
    #expect(loader.isEverythingCurrent)
    #expect(loader.association("a.test") == Self.good)
  }

  @Test func `a file that becomes a link, and a link that becomes a file, are noticed`() {
    folder.write("domains/a.test/\(Self.name)", Self.good)
    folder.makeFolder("domains/a.test/.well-known")
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    folder.rename("domains/a.test/.well-known", to: "elsewhere")
    folder.link("domains/a.test/.well-known", to: "../../elsewhere")
    #expect(!loader.isEverythingCurrent)
    _ = loader.scan("a.test")
    #expect(directories(loader, .host("a.test")).contains(folder("elsewhere")))
    #expect(loader.isEverythingCurrent)
    folder.remove("domains/a.test/.well-known")
    #expect(!loader.isEverythingCurrent)
    _ = loader.scan("a.test")
    #expect(directories(loader, .host("a.test")) == [folder("domains/a.test")])
    #expect(loader.isEverythingCurrent)
  }

  @Test(arguments: ["", ".well-known/"])
  func `a policy that comes, changes or goes is noticed`(place: String) {
    folder.write("domains/a.test/\(place)\(Self.name)", Self.good)
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    let path = "domains/a.test/\(place).aasa.json"
    for text in [#"{"ignore": ["A010"]}"#, #"{"ignore": []}"#, nil] {
      if let text { folder.write(path, text) } else { folder.remove(path) }
      #expect(!loader.isEverythingCurrent)
      _ = loader.scanAll()
      #expect(loader.isEverythingCurrent)
    }
  }

  @Test func `the usual link follows the file that it leads to`() {
    let file = "domains/a.test/.well-known/\(Self.name)"
    folder.write(file, Self.good)
    folder.link("domains/a.test/\(Self.name)", to: ".well-known/\(Self.name)")
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    #expect(loader.isEverythingCurrent)
    let other = #"{"applinks":{"details":[]},"webcredentials":{"apps":[]}}"#
    folder.write("new", other)
    folder.rename("new", to: file)
    #expect(!loader.isEverythingCurrent)
    _ = loader.scanAll()
    #expect(loader.isEverythingCurrent)
    #expect(loader.association("a.test") == other)
    // A file of its own instead of the link: the one in `.well-known` still counts, and the other is
    // reported.
    folder.remove("domains/a.test/\(Self.name)")
    folder.write("domains/a.test/\(Self.name)", Self.good)
    #expect(loader.scanAll().codes.contains("H006"))
    #expect(loader.association("a.test") == other)
  }

  @Test func `a log that is written beside the files changes nothing`() {
    folder.write("domains/a.test/\(Self.name)", Self.good)
    folder.write("domains/a.test/access.log", "")
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scanAll()
    folder.write("domains/a.test/access.log", "GET / HTTP/1.1")
    #expect(loader.isEverythingCurrent)
  }

  // MARK: Settling

  @Test func `a file that changed a moment ago is observed again before it counts`() {
    folder.write("domains/a.test.json", Self.good)
    var loader = DomainRunner(root: folder("domains"))
    // The moment begins when the file changes: it is written again until an observation falls into
    // it.
    let isAskedAgain = eventually {
      folder.write("domains/a.test.json", Self.good)
      let outcome = loader.scan([.host("a.test")])
      return outcome.again.first?.key == .domain(.host("a.test")) && outcome.changes.isEmpty
    }
    #expect(isAskedAgain)
    // It counts when it has rested, without anything else happening to it.
    let isServed = eventually {
      _ = loader.scan([.host("a.test")])
      return loader.site("a.test") != nil
    }
    #expect(isServed)
  }

  @Test func `a file counts at once when its writer has finished, or when it must`() {
    folder.write("domains/a.test.json", Self.good)
    folder.write("domains/b.test.json", Self.good)
    var loader = DomainRunner(root: folder("domains"))
    _ = loader.scan([.host("a.test")], settled: [.host("a.test")])
    #expect(loader.site("a.test") != nil)
    let final = loader.scan("b.test")
    #expect(loader.site("b.test") != nil && final.again.isEmpty)
  }

  @Test(
    arguments: [
      // Nanoseconds since the change, milliseconds to wait.
      (0, 50), (1, 50), (1_000_000, 49), (49_999_999, 1), (50_000_000, 0), (1_000_000_000, 0),
      // The clocks of two machines differ.
      (-1, 0), (-1_000_000_000_000, 0),
    ] as [(Int64, Int64)])
  func `a file that changed in the last 50 ms has not settled`(age: Int64, pause: Int64) throws {
    folder.write("file", "")
    let identity = try status(folder("file"))
    #expect(identity.settlingTime(now: identity.changed + age) == pause)
  }

  /// A writer opens its file, which empties it, and may be stopped before it writes.
  @Test func `an empty file gets two seconds for its content`() throws {
    folder.write("empty", "")
    let empty = try status(folder("empty"))
    for (age, pause) in [(0, 50), (1_999_000_000, 50), (2_000_000_000, 0), (-1, 0)] as [(Int64, _)]
    {
      #expect(empty.settlingTimeOfContent(now: empty.changed + age) == pause)
    }
    folder.write("full", "{}")
    let full = try status(folder("full"))
    #expect(full.settlingTimeOfContent(now: full.changed + 50_000_000) == 0)
  }

  @Test func `no time of a file is too far away to be compared`() throws {
    folder.write("file", "")
    let identity = try status(folder("file"))
    #expect(identity.settlingTime(now: .min) == 0 && identity.settlingTime(now: .max) == 0)
  }

  @Test(
    arguments: [
      // A time of whole seconds, as of NFS 3 and FAT.
      (age: 500, changed: 1_700_000_000_000_000_000, time: 1_500),
      (age: 0, changed: 1_700_000_000_000_000_000, time: 2_000),
      (age: 2_000, changed: 1_700_000_000_000_000_000, time: 0),
      // One that shows the next change.
      (age: 500, changed: 1_700_000_000_000_000_001, time: 0),
    ] as [(age: Int64, changed: Int64, time: Int64)])
  func `of two changes within a second only the first may show, so the file is read again`(
    _ age: Int64, _ changed: Int64, _ time: Int64
  ) {
    #expect(FileStatus.doubtfulTime(age: age, changed: changed) == time)
  }
}
