import Foundation
import Testing

@testable import Hosting

@Suite struct LinkStepsTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (TestFolder) -> Void
    let path: String
    /// `directory|name`, seen from the root; the root itself is `.`.
    let steps: [String]

    init(
      _ testDescription: String, _ path: String, steps: [String],
      make: @escaping @Sendable (TestFolder) -> Void
    ) {
      self.testDescription = testDescription
      self.make = make
      self.path = path
      self.steps = steps
    }
  }

  static let rows = [
    Row("a file", "a", steps: [".|a"]) { $0.write("a", "") },
    Row("a file in folders", "a/b/c", steps: ["a/b|c"]) { $0.write("a/b/c", "") },
    Row("nothing", "a", steps: [".|a"]) { _ in },
    // what is to come is told of by the folder that is there
    Row("nothing in a folder that is not there", "a/b/c", steps: [".|a"]) { _ in },
    Row("nothing in a folder", "a/b", steps: ["a|b"]) { $0.makeFolder("a") },
    Row("a link", "a", steps: [".|a", ".|b"]) {
      $0.write("b", "")
      $0.link("a", to: "b")
    },
    Row("a link up and down", "a/b", steps: ["a|b", "a/../c|d"]) {
      $0.write("c/d", "")
      $0.makeFolder("a")
      $0.link("a/b", to: "../c/./d")
    },
    Row("a link to nothing", "a", steps: [".|a", ".|b"]) { $0.link("a", to: "b") },
    Row("a link into a folder that is not there", "a", steps: [".|a", ".|b"]) {
      $0.link("a", to: "b/c/d")
    },
    Row("links after links", "a", steps: [".|a", ".|b", ".|c", ".|d"]) {
      $0.link("a", to: "b")
      $0.link("b", to: "c")
      $0.link("c", to: "d")
    },
    Row("a folder that is a link", "a/b", steps: [".|a", "c|b"]) {
      $0.write("c/b", "")
      $0.link("a", to: "c")
    },
    Row(
      "a mounted ConfigMap", "a.test.json",
      steps: [".|a.test.json", ".|..data", "..2026_1|a.test.json"]
    ) {
      $0.write("..2026_1/a.test.json", "{}")
      $0.link("..data", to: "..2026_1")
      $0.link("a.test.json", to: "..data/a.test.json")
    },
    Row("a file where a folder should be", "a/b", steps: ["a|b"]) { $0.write("a", "") },
  ]

  @Test(arguments: rows)
  func `every place that decides where a path leads is a step`(_ row: Row) throws {
    let folder = try TestFolder()
    row.make(folder)
    let steps = linkSteps(of: folder(row.path), below: folder.path)
    let told = steps.map { step in
      var directory = step.directory.dropFirst(folder.path.count)
      if directory.hasPrefix("/") { directory = directory.dropFirst() }
      return (directory.isEmpty ? "." : directory) + "|" + step.name
    }
    #expect(told == row.steps)
  }

  @Test func `an absolute link is followed from the top`() throws {
    let folder = try TestFolder()
    folder.write("b/c", "")
    folder.link("a", to: folder("b"))
    let steps = linkSteps(of: folder("a/c"), below: folder.path)
    #expect(
      steps == [
        LinkStep(directory: folder.path, name: "a"), LinkStep(directory: folder("b"), name: "c"),
      ])
  }

  @Test func `a loop of links ends`() throws {
    let folder = try TestFolder()
    folder.link("a", to: "b")
    folder.link("b", to: "a")
    folder.link("c", to: "c/c/c")
    #expect(
      Set(linkSteps(of: folder("a"), below: folder.path))
        == [
          LinkStep(directory: folder.path, name: "a"), LinkStep(directory: folder.path, name: "b"),
        ])
    #expect(linkSteps(of: folder("c"), below: folder.path).count < 200)
  }

  @Test func `a path without root is walked whole`() throws {
    let folder = try TestFolder()
    folder.makeFolder("x")
    let steps = linkSteps(of: folder("x"))
    #expect(steps.last == LinkStep(directory: folder.path, name: "x"))
    #expect(linkSteps(of: "/missing-\(UUID().uuidString)").map(\.directory) == ["/"])
    let relative = "missing-\(UUID().uuidString)"
    #expect(linkSteps(of: relative + "/b") == [LinkStep(directory: ".", name: relative)])
  }
}
