import Diagnostics
import Testing

@testable import Hosting

/// Folders with so many entries that gzip and warnings come after the first answer.
@Suite struct LargeFolderTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  static let path = ".well-known/apple-app-site-association"

  /// Long enough for gzip to be smaller, with a warning: the second rule is never reached.
  static func file(_ app: String) -> String {
    #"{"applinks":{"details":[{"appID":"K27TX9P4QD.org.swift.\#(app)","paths":["/a/*","/a/b"#
      + #"","NOT /a/c"]}]},"webcredentials":{"apps":["K27TX9P4QD.org.swift.\#(app)"]}}"#
      + String(repeating: " ", count: 300)
  }

  func loader(threads: Int = 4, entriesAtOnce: Int = 2) -> DomainLoader {
    DomainLoader(
      root: folder.path, cacheControl: "no-cache", threads: threads, entriesAtOnce: entriesAtOnce)
  }

  func finish(_ loader: inout DomainLoader) -> [Diagnostic] {
    var told: [Diagnostic] = []
    while loader.hasLaterWork { told += loader.workLater(milliseconds: 1).diagnostics }
    return told
  }

  func site(_ name: String, _ loader: DomainLoader) -> Site? {
    loader.sites.first { $0.name == .named(name) }
  }

  @Test func `gzip and warnings come after the first answers, once`() {
    for name in ["a", "b", "c", "d"] { folder.write("\(name).test/\(Self.path)", Self.file(name)) }
    folder.write("e.test.json", "[]")
    var loader = loader()
    let first = loader.loadAll()
    // Errors are told at once.
    #expect(first.diagnostics.map(\.code) == ["A002"])
    #expect(told(site("e.test", loader)?.association) == "unavailable")
    let content = site("a.test", loader)?.association.content
    #expect(content?.identity.body == Array(Self.file("a").utf8))
    #expect(content?.gzip == nil)
    #expect(loader.hasLaterWork)
    let later = finish(&loader)
    // The same content, so nothing need be published again.
    #expect(content?.gzip != nil)
    #expect(Set(later.map(\.code)) == ["A082"])
    #expect(
      Set(later.map { $0.location?.path })
        == Set(["a", "b", "c", "d"].map { "\(folder.path)/\($0).test/\(Self.path)" }))
    #expect(later.count == 4)
    // Nothing has changed: nothing is done and told again.
    let again = loader.loadAll()
    #expect(again.changed.isEmpty && again.diagnostics.isEmpty)
    #expect(finish(&loader).isEmpty)
    // A changed file is told of; its warning, which is the same as before, is not.
    folder.write("a.test/\(Self.path)", Self.file("a") + " ")
    #expect(loader.loadAll().changed == [.host("a.test")])
    #expect(finish(&loader).isEmpty)
    folder.write("b.test/\(Self.path)", " " + Self.file("b"))
    #expect(loader.reload(names: ["b.test"]).diagnostics.map(\.code) == ["A082"])
  }

  @Test func `a version that breaks its expectations is never served`() {
    for name in ["a", "b", "c", "d"] { folder.write("\(name).test/\(Self.path)", Self.file(name)) }
    folder.write("a.test.cases", "/x opens K27TX9P4QD.org.swift.a\n")
    folder.write("b.test/b.test.cases", "/x opens K27TX9P4QD.org.swift.b\n")
    folder.write("c.test/\(Self.path).cases", "/x opens K27TX9P4QD.org.swift.c\n")
    folder.write("d.test.cases", "/a/x opens K27TX9P4QD.org.swift.d\n")
    var loader = loader()
    #expect(loader.loadAll().diagnostics.map(\.code) == ["E010", "E010", "E010"])
    for name in ["a", "b", "c"] {
      #expect(told(site("\(name).test", loader)?.association) == "unavailable")
    }
    #expect(told(site("d.test", loader)?.association) == Self.file("d"))
    #expect(loader.staleEntries().isEmpty)
  }

  @Test func `very many warnings are counted`() {
    for index in 0..<15 { folder.write("h\(index).test.json", Self.file("h\(index)")) }
    var loader = loader()
    _ = loader.loadAll()
    var outcome = DomainLoader.Outcome()
    while loader.hasLaterWork { outcome = loader.workLater(milliseconds: 1) }
    #expect(outcome.diagnostics.count == LoadingLimits.toldPerCode)
    #expect(outcome.omitted == ["A082": 5])
  }

  @Test func `many threads find what one finds`() {
    for index in 0..<700 {
      let name = "h\(index).test"
      switch index % 7 {
      case 0: folder.write(name + ".json", Self.file(name))
      case 1: folder.write("\(name)/\(Self.path)", Self.file(name))
      case 2: folder.write("\(name)/apple-app-site-association", "{}")
      case 3: folder.write(name + ".json", "[\(index)]")
      case 4: folder.write("\(name)/\(Self.path)", #"{"applinks": {"details": \#(index)}}"#)
      case 5: folder.makeFolder(name)
      default:
        folder.write("\(name)/\(Self.path)", "{}")
        folder.write("\(name)/assetlinks.json", "[]")
        folder.link("\(name)/apple-app-site-association", to: Self.path)
      }
    }
    func all(_ threads: Int, _ entriesAtOnce: Int) -> (sites: [String], told: [String]) {
      var loader = loader(threads: threads, entriesAtOnce: entriesAtOnce)
      var diagnostics = loader.loadAll().diagnostics
      diagnostics += finish(&loader)
      #expect(loader.staleEntries().isEmpty)
      return (
        loader.sites.map { "\($0.name) \(told($0.association)) \(told($0.assetLinks))" }.sorted(),
        diagnostics.filter { $0.severity == .error }.map(\.line).sorted()
      )
    }
    let one = all(1, 1_000)
    let many = all(4, 2)
    #expect(one.sites.count == 700 && one.told.count == 200)
    #expect(one.sites == many.sites)
    #expect(one.told == many.told)
  }

  @Test func `names that lead to one file share what is served`() {
    folder.write("store/file", Self.file("a"))
    folder.touch("store/file", 1_000_000_000)
    for index in 0..<10 { folder.link("h\(index).test.json", to: "store/file") }
    folder.write("copy.test.json", Self.file("a"))
    folder.touch("copy.test.json", 1_000_000_001)
    var loader = loader()
    // The folder `store` is an entry without a file.
    #expect(loader.loadAll().diagnostics.map(\.code) == ["H008"])
    let files = (0..<10).compactMap { index -> ServedFile? in
      guard case .served(let file) = site("h\(index).test", loader)?.association else { return nil }
      return file
    }
    #expect(files.count == 10)
    #expect(files.allSatisfy { $0 === files[0] })
    #expect(site("copy.test", loader)?.association.content === files[0].content)
    // Each name is told of all the same.
    let paths = finish(&loader).compactMap { $0.location?.path }
    #expect(paths.count == 10)
    #expect(Set(paths).count == 10)
    // What has gone is told by its name, what came too.
    folder.remove("h3.test.json")
    folder.write("new.test.json", "{}")
    #expect(Set(loader.loadAll().changed) == [.host("h3.test"), .host("new.test")])
    #expect(loader.sites.count == 12)
    #expect(Set(loader.sites.map(\.name)).count == 12)
  }

  @Test func `what changes while warnings are found is told of once`() {
    for name in ["a", "b", "c"] { folder.write(name + ".test.json", Self.file(name)) }
    var loader = loader()
    _ = loader.loadAll()
    folder.write("a.test.json", Self.file("a") + " ")
    #expect(loader.reload(names: ["a.test.json"]).diagnostics.map(\.code) == ["A082"])
    #expect(finish(&loader).count == 2)
    #expect(site("a.test", loader)?.association.content?.gzip != nil)
  }
}
