import Diagnostics
import Testing

@testable import Hosting

@Suite struct DomainReloadTests {
  let folder: TestFolder
  var loader: DomainLoader

  init() throws {
    folder = try TestFolder()
    loader = DomainLoader(root: folder("domains"), cacheControl: "no-cache")
    folder.makeFolder("domains")
  }

  func association(_ name: String) -> String {
    told(loader.sites.first { $0.name == .named(name) }?.association)
  }

  func write(_ name: String, _ text: String) { folder.write("domains/" + name, text) }

  @Test mutating func `the last good version is kept until a better one or none is there`() {
    // What is done, what is served then, and what is told.
    let steps: [(text: String?, served: String, codes: [String])] = [
      ("{}", "{}", []),
      // broken: kept
      ("{", "{}", ["J"]),
      // the same version again: told once
      ("{", "{}", []),
      // another version, broken in the same way: told again
      (#"{"a" 1}"#, "{}", ["J"]),
      (#"{"b" 1}"#, "{}", ["J"]),
      // broken in another way
      ("[]", "{}", ["A002"]),
      // mended
      ("{ }", "{ }", []),
      ("", "{ }", ["J"]),
      // removed: gone
      (nil, "no site", []),
      // broken and never good
      ("[]", "unavailable", ["A002"]),
      ("{}", "{}", []),
    ]
    for (text, served, codes) in steps {
      if let text { write("a.test.json", text) } else { folder.remove("domains/a.test.json") }
      let before = association("a.test")
      let outcome = loader.reload(names: ["a.test.json"])
      #expect(association("a.test") == served)
      #expect(folderCodes(outcome.diagnostics).map { $0.hasPrefix("J") ? "J" : $0 } == codes)
      // An entry that serves the same as before is not told of as changed.
      #expect(outcome.changed == (before == served ? [] : [.host("a.test")]))
    }
  }

  @Test mutating func `what is told says whether something is served`() {
    write("a.test.json", "{")
    #expect(loader.loadAll().diagnostics.first?.note?.contains("503") == true)
    write("a.test.json", "{}")
    _ = loader.loadAll()
    write("a.test.json", "{")
    #expect(loader.loadAll().diagnostics.first?.note?.contains("last good version") == true)
  }

  @Test mutating func `only the entries that are named are read`() {
    write("a.test.json", "{}")
    write("b.test.json", "{}")
    _ = loader.loadAll()
    write("a.test.json", #"{"a":1}"#)
    write("b.test.json", #"{"b":1}"#)
    #expect(loader.reload(names: ["a.test.json"]).changed == [.host("a.test")])
    #expect(association("a.test") == #"{"a":1}"#)
    // Not read: it still serves the old bytes.
    #expect(association("b.test") == "{}")
    #expect(loader.staleEntries().map(\.name) == [.host("b.test")])
    #expect(loader.reload(names: ["b.test.json"]).changed == [.host("b.test")])
    #expect(association("b.test") == #"{"b":1}"#)
    #expect(loader.staleEntries().isEmpty)
  }

  @Test mutating func `a host moves from a file to a folder and back`() {
    write("a.test.json", "{}")
    _ = loader.loadAll()
    write("a.test/apple-app-site-association", "{ }")
    folder.remove("domains/a.test.json")
    _ = loader.reload(names: ["a.test.json", "a.test"])
    #expect(association("a.test") == "{ }")
    folder.remove("domains/a.test")
    write("a.test.json", "{}")
    _ = loader.reload(names: ["a.test.json", "a.test"])
    #expect(association("a.test") == "{}")
    // Both at once, one after the other.
    write("a.test/apple-app-site-association", "{ }")
    #expect(folderCodes(loader.reload(names: ["a.test"]).diagnostics) == ["H006"])
    #expect(association("a.test") == "{}")
    folder.remove("domains/a.test.json")
    _ = loader.reload(names: ["a.test.json"])
    #expect(association("a.test") == "{ }")
  }

  @Test mutating func `what is put into a folder is served, what is taken out is not`() {
    folder.makeFolder("domains/a.test")
    _ = loader.loadAll()
    #expect(association("a.test") == "absent")
    write("a.test/.well-known/apple-app-site-association", "{}")
    _ = loader.reload(names: ["a.test"])
    #expect(association("a.test") == "{}")
    folder.remove("domains/a.test/.well-known")
    _ = loader.reload(names: ["a.test"])
    #expect(association("a.test") == "absent")
  }

  @Test mutating func `of conflicting names the same one is used however they came`() {
    write("a.test.json", #"{"lower":1}"#)
    _ = loader.loadAll()
    #expect(association("a.test") == #"{"lower":1}"#)
    write("A.TEST.json", #"{"upper":1}"#)
    #expect(folderCodes(loader.reload(names: ["A.TEST.json"]).diagnostics) == ["H005"])
    #expect(association("a.test") == #"{"upper":1}"#)
    // Told once.
    #expect(folderCodes(loader.loadAll().diagnostics).isEmpty)
    folder.remove("domains/A.TEST.json")
    _ = loader.reload(names: ["A.TEST.json"])
    #expect(association("a.test") == #"{"lower":1}"#)
  }

  @Test mutating func `a conflict hides no other change`() {
    for index in 0..<20 { write("host-\(index).test.json", "{}") }
    _ = loader.loadAll()
    var names: Set<String> = ["HOST-7.test.json"]
    write("HOST-7.test.json", "{ }")
    for index in 0..<20 where index != 7 {
      write("host-\(index).test.json", "{ }")
      names.insert("host-\(index).test.json")
    }
    #expect(Set(loader.reload(names: names).changed).count == 20)
  }

  @Test mutating func `a name that is no entry is told of once`() {
    write("a.test.json", "{}")
    write("one.txt", "")
    #expect(folderCodes(loader.loadAll().diagnostics) == ["H004"])
    #expect(folderCodes(loader.loadAll().diagnostics).isEmpty)
    write("two.txt", "")
    #expect(folderCodes(loader.reload(names: ["two.txt"]).diagnostics) == ["H004"])
    // Another one does not tell of the first again.
    write("three.txt", "")
    #expect(loader.loadAll().diagnostics.count == 1)
    #expect(folderCodes(loader.loadAll().diagnostics).isEmpty)
  }

  @Test mutating func `while the folder is away everything stays`() {
    for name in ["a.test", "b.test"] { write(name + ".json", "{}") }
    _ = loader.loadAll()
    folder.rename("domains", to: "elsewhere")
    let outcome = loader.loadAll()
    #expect(outcome.changed.isEmpty)
    #expect(outcome.diagnostics.map(\.code) == ["H001"])
    #expect(association("a.test") == "{}")
    // However it is noticed, and told once.
    let again = loader.reload(names: ["a.test.json", "b.test.json"])
    #expect(again.changed.isEmpty)
    #expect(again.diagnostics.isEmpty)
    #expect(loader.changedNames() == [])
    #expect(association("b.test") == "{}")
    // It comes back with one less.
    folder.rename("elsewhere", to: "domains")
    folder.remove("domains/a.test.json")
    #expect(loader.changedNames() == nil)
    #expect(loader.loadAll().changed == [.host("a.test")])
    #expect(association("a.test") == "no site")
    #expect(association("b.test") == "{}")
  }

  @Test mutating func `a file in the folder's place keeps everything too`() {
    write("a.test.json", "{}")
    _ = loader.loadAll()
    folder.remove("domains")
    folder.write("domains", "no folder")
    #expect(folderCodes(loader.loadAll().diagnostics) == ["H001"])
    #expect(loader.reload(names: ["a.test.json"]).changed.isEmpty)
    #expect(association("a.test") == "{}")
  }

  @Test mutating func `staleness is seen by times and identity, without reading`() {
    write("a.test.json", "{}")
    write("b.test/apple-app-site-association", "{}")
    folder.link("domains/c.test.json", to: "nothing")
    _ = loader.loadAll()
    #expect(loader.staleEntries().isEmpty)
    #expect(loader.changedNames() == [])
    // The same bytes again: perhaps another file.
    write("a.test.json", "{}")
    #expect(loader.staleEntries().map(\.name) == [.host("a.test")])
    _ = loader.loadAll()
    // A file that was missing.
    write("b.test/.well-known/apple-app-site-association", "{}")
    #expect(loader.staleEntries().map(\.name) == [.host("b.test")])
    _ = loader.loadAll()
    write("nothing", "{}")
    #expect(loader.staleEntries().map(\.name) == [.host("c.test")])
    _ = loader.loadAll()
    // What is not an entry is no matter.
    write("readme.txt", "{}")
    #expect(loader.changedNames() == [])
    write("d.test.json", "{}")
    #expect(loader.changedNames() == ["d.test.json"])
    // One that went, and one that is now a folder.
    folder.remove("domains/c.test.json")
    folder.remove("domains/a.test.json")
    write("a.test/apple-app-site-association", "{}")
    #expect(
      loader.changedNames() == ["a.test", "a.test.json", "c.test.json", "d.test.json"])
    folder.remove("domains")
    #expect(loader.changedNames() == nil)
  }
}
