import Foundation
import Posix
import Testing

@testable import Hosting

@Suite struct WatchRegistryTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.makeFolder("domains")
  }

  func key(_ name: String?) -> WatchKey { WatchKey(folder: .domains, name: name) }

  /// A registry for the folder and one entry in it, as the maintenance thread makes it.
  func registry(_ name: String? = nil) -> WatchRegistry {
    var registry = WatchRegistry(isPollingForced: false)
    registry.watchFolder(folder("domains"), as: .domains)
    if let name { watch(name, &registry) }
    return registry
  }

  func watch(_ name: String, _ registry: inout WatchRegistry) {
    let path = folder("domains/" + name)
    registry.watch(
      key(name), directories: [path, path + "/.well-known"],
      files: [path, path + "/apple-app-site-association"], below: folder("domains"))
  }

  /// The keys of everything that happened. inotify tells at once: nothing need be waited for.
  func changed(_ registry: inout WatchRegistry) -> Set<WatchKey> {
    Set(registry.takeEvents().map(\.key))
  }

  @Test func `a change in the folder concerns its name`() {
    var registry = registry()
    folder.write("domains/a.test.json", "{}")
    #expect(changed(&registry) == [key("a.test.json")])
    folder.write("domains/b.test.json", "{}")
    folder.rename("domains/b.test.json", to: "domains/c.test.json")
    #expect(changed(&registry) == [key("b.test.json"), key("c.test.json")])
    folder.remove("domains/c.test.json")
    #expect(changed(&registry) == [key("c.test.json")])
    // What happens elsewhere is of no concern.
    folder.write("elsewhere/a.test.json", "{}")
    #expect(changed(&registry) == [])
  }

  @Test func `an event says where it happened`() {
    folder.makeFolder("domains/a.test")
    var registry = registry("a.test")
    folder.write("domains/a.test/apple-app-site-association", "{}")
    let paths = Set(registry.takeEvents().filter { $0.change == .created }.map(\.path))
    #expect(paths == [folder("domains/a.test/apple-app-site-association")])
  }

  @Test func `a change in an entry's folders concerns the entry`() {
    folder.makeFolder("domains/a.test/.well-known")
    var registry = registry("a.test")
    folder.write("domains/a.test/apple-app-site-association", "{}")
    #expect(changed(&registry) == [key("a.test")])
    folder.write("domains/a.test/.well-known/apple-app-site-association", "{}")
    #expect(changed(&registry) == [key("a.test")])
    folder.remove("domains/a.test/.well-known")
    #expect(changed(&registry) == [key("a.test")])
    // It is made again: its parent tells, and it is watched again.
    folder.makeFolder("domains/a.test/.well-known")
    #expect(changed(&registry) == [key("a.test")])
    watch("a.test", &registry)
    folder.write("domains/a.test/.well-known/apple-app-site-association", "{}")
    #expect(changed(&registry) == [key("a.test")])
  }

  @Test func `an entry without links is watched by its folders alone`() {
    folder.makeFolder("domains/a.test/.well-known")
    folder.makeFolder("domains/b.test")
    var registry = registry()
    for name in ["a.test", "b.test"] { registry.watchEntry(key(name)) }
    let file = "domains/a.test/.well-known/apple-app-site-association"
    folder.write(file, "{}")
    let events = registry.takeEvents()
    #expect(Set(events.map(\.key)) == [key("a.test")])
    #expect(Set(events.map(\.path)) == [folder(file)])
    folder.write("domains/b.test/apple-app-site-association", "{}")
    let others = registry.takeEvents()
    #expect(Set(others.map(\.key)) == [key("b.test")])
    #expect(Set(others.map(\.path)) == [folder("domains/b.test/apple-app-site-association")])
    // A folder that comes is told of by the one that it is in, and then watched.
    folder.makeFolder("domains/b.test/.well-known")
    #expect(changed(&registry) == [key("b.test")])
    registry.watchEntry(key("b.test"))
    folder.write("domains/b.test/.well-known/other", "{}")
    #expect(changed(&registry) == [key("b.test")])
    // One that goes is watched no more, and its number says nothing of the next one.
    folder.remove("domains/a.test/.well-known")
    #expect(changed(&registry) == [key("a.test")])
    folder.makeFolder("domains/a.test/.well-known")
    _ = changed(&registry)
    registry.watchEntry(key("a.test"))
    folder.write(file, "{ }")
    #expect(Set(registry.takeEvents().map(\.path)) == [folder(file)])
  }

  @Test func `a folder that two entries lead to concerns both, wherever it was seen first`() {
    folder.makeFolder("domains/a.test")
    folder.link("domains/b.test", to: "a.test")
    for isOwnFirst in [true, false] {
      var registry = registry()
      if isOwnFirst { registry.watchEntry(key("a.test")) }
      watch("b.test", &registry)
      if !isOwnFirst { registry.watchEntry(key("a.test")) }
      folder.write("domains/a.test/apple-app-site-association", "{}")
      let events = registry.takeEvents()
      #expect(Set(events.map(\.key)) == [key("a.test"), key("b.test")])
      for event in events {
        #expect(event.path.hasSuffix(".test/apple-app-site-association"))
      }
    }
  }

  @Test func `a change where a link leads concerns the link's name`() {
    folder.write("store/one", "{}")
    folder.write("store/other", "{}")
    folder.link("domains/a.test.json", to: "../store/one")
    var registry = registry("a.test.json")
    folder.write("store/one", "{ }")
    #expect(changed(&registry) == [key("a.test.json")])
    // Its neighbour is none of ours.
    folder.write("store/other", "{ }")
    #expect(changed(&registry) == [])
    // Replaced by a rename, as careful writers do.
    folder.rename("store/other", to: "store/one")
    #expect(changed(&registry) == [key("a.test.json")])
    // The link itself is set to another end.
    folder.link("domains/a.test.json", to: "../store/two")
    #expect(changed(&registry).contains(key("a.test.json")))
    watch("a.test.json", &registry)
    folder.write("store/two", "{}")
    #expect(changed(&registry) == [key("a.test.json")])
    // The folder of its end is moved away, and comes back.
    folder.rename("store", to: "away")
    #expect(changed(&registry) == [key("a.test.json")])
    watch("a.test.json", &registry)
    folder.rename("away", to: "store")
    #expect(changed(&registry) == [key("a.test.json")])
  }

  /// The way to a folder that is watched already is walked once: what changes there is told.
  @Test func `links to one folder are each told of, however many lead there`() {
    for name in ["a", "b", "c"] {
      folder.write("store/\(name)", "{}")
      folder.link("domains/\(name).test.json", to: folder("store/\(name)"))
    }
    var registry = registry()
    for name in ["a", "b", "c"] { watch("\(name).test.json", &registry) }
    for name in ["c", "a", "b"] {
      folder.write("store/\(name)", "{ }")
      #expect(changed(&registry) == [key("\(name).test.json")])
    }
    // One of them is led elsewhere, by a link on its way too.
    folder.makeFolder("other")
    folder.write("other/b", "{}")
    folder.link("way", to: "other")
    folder.link("domains/b.test.json", to: "../way/b")
    _ = changed(&registry)
    watch("b.test.json", &registry)
    folder.write("other/b", "{ }")
    #expect(changed(&registry) == [key("b.test.json")])
    folder.link("way", to: "store")
    #expect(changed(&registry) == [key("b.test.json")])
  }

  @Test func `the swap of a mounted ConfigMap concerns every name in it`() {
    for version in ["..1", "..2"] {
      for name in ["a.test.json", "b.test.json"] {
        folder.write("domains/\(version)/\(name)", "{}")
      }
    }
    folder.link("domains/..data", to: "..1")
    var registry = WatchRegistry(isPollingForced: false)
    registry.watchFolder(folder("domains"), as: .domains)
    for name in ["a.test.json", "b.test.json"] {
      folder.link("domains/" + name, to: "..data/" + name)
      watch(name, &registry)
    }
    _ = changed(&registry)
    folder.link("domains/..data", to: "..2")
    #expect(changed(&registry).isSuperset(of: [key("a.test.json"), key("b.test.json")]))
  }

  @Test func `a folder that goes or comes concerns everything in it`() {
    var registry = registry()
    folder.rename("domains", to: "away")
    #expect(changed(&registry).contains(key(nil)))
    // As the maintenance thread does after looking. Nobody tells what happens to what is not there.
    let isUnseen = registry.watchFolder(folder("domains"), as: .domains)
    #expect(isUnseen)
    folder.makeFolder("domains")
    #expect(changed(&registry) == [key(nil)])
    let isNew2 = registry.watchFolder(folder("domains"), as: .domains)
    #expect(isNew2)
    let isNew3 = registry.watchFolder(folder("domains"), as: .domains)
    #expect(!isNew3)
    folder.write("domains/a.test.json", "{}")
    #expect(changed(&registry) == [key("a.test.json")])
  }

  @Test func `the folder's own link is watched`() {
    folder.makeFolder("releases/1")
    folder.makeFolder("releases/2")
    folder.link("current", to: "releases/1")
    var registry = WatchRegistry(isPollingForced: false)
    registry.watchFolder(folder("current"), as: .domains)
    folder.write("releases/1/a.test.json", "{}")
    #expect(changed(&registry) == [key("a.test.json")])
    folder.link("current", to: "releases/2")
    #expect(changed(&registry) == [key(nil)])
    let isNew4 = registry.watchFolder(folder("current"), as: .domains)
    #expect(isNew4)
    folder.write("releases/2/b.test.json", "{}")
    #expect(changed(&registry) == [key("b.test.json")])
  }

  @Test func `when polling is asked for everything is polled and nothing watched`() {
    var registry = WatchRegistry(isPollingForced: true)
    registry.watchFolder(folder("domains"), as: .domains)
    folder.makeFolder("domains/a.test")
    watch("a.test", &registry)
    #expect(registry.polled == [key(nil), key("a.test")])
    #expect(registry.pollingReason != nil)
    folder.write("domains/b.test.json", "{}")
    #expect(changed(&registry) == [])
  }

  @Test func `where the kernel tells nothing is polled`() {
    let registry = registry("a.test")
    #expect(registry.polled.isEmpty)
    #expect(registry.pollingReason == nil)
  }
}
