import CatalogSupport
import Diagnostics
import Posix
import Rules
import Testing

@testable import Keeping

/// A tenant may put a link in the place of a file, or back, while it is read.
@Suite struct SwappedLinkTests {
  let folder = TestFolder()

  init() {
    folder.write("outside/secret", "hunter2\n")
    folder.write("domains/a.cases", "hunter2\n")
    folder.write("domains/a/b.cases", "hunter2\n")
    folder.write("outside/b.cases", "hunter2\n")
  }

  /// Reads a file, changes its place, and says what is quoted of it.
  private func said(_ name: String, _ change: () -> Void) throws -> String {
    let path = folder("domains/" + name)
    let content = try readContent(path, limit: 100)
    change()
    let file = ForeignFile(path, content, in: folder("domains"))
    let fault = Diagnostic(
      .expectationMissing, "`hunter2` has no expectation", at: .init(path: path),
      help: "write what hunter2 should do")
    let found = file.withoutQuotes([fault])
    #expect(found.map(\.code) == ["E003"])
    return found.map { "\($0.line) \($0.help ?? "") \($0.note ?? "")" }.joined()
  }

  struct Swap: CustomTestStringConvertible {
    let testDescription: String
    var name = "a.cases"
    /// Where a link leads while the file is read.
    var link: String?
    let isQuoted: Bool
    let change: @Sendable (TestFolder) -> Void
  }

  static let swaps = [
    Swap(testDescription: "nothing is swapped", isQuoted: true) { _ in },
    Swap(testDescription: "a file takes a link's place", link: "../outside/secret", isQuoted: false)
    {
      $0.remove("domains/a.cases")
      $0.write("domains/a.cases", "hunter2\n")
    },
    Swap(testDescription: "a link takes the place", isQuoted: true) {
      $0.link("domains/a.cases", to: "../outside/secret")
    },
    Swap(testDescription: "a link takes the folder's place", name: "a/b.cases", isQuoted: false) {
      $0.rename("domains/a", to: "domains/.a")
      $0.link("domains/a", to: "../outside")
    },
    Swap(testDescription: "the folder goes", name: "a/b.cases", isQuoted: false) {
      $0.remove("domains/a")
    },
  ]

  /// And never is said where a link leads.
  @Test(arguments: swaps)
  func `a file is quoted only if it was read in the folder, whatever is there now`(
    swap: Swap
  ) throws {
    if let link = swap.link { folder.link("domains/" + swap.name, to: link) }
    let text = try said(swap.name) { swap.change(folder) }
    #expect(text.contains("hunter2") == swap.isQuoted, "\(text)")
    let gone = "the path could not be resolved a second time"
    #expect(text.contains(gone) == !swap.isQuoted && !text.contains("outside/"), "\(text)")
    let changed = "this path changed while the file was read"
    #expect(text.contains(changed) == !swap.isQuoted, "\(text)")
  }

  @Test func `what a usual link shares was not read in its own place`() {
    folder.write("outside/apple-app-site-association", "hunter2")
    folder.write("domains/c.test/x", "")
    folder.link("domains/c.test/.well-known", to: "../../outside")
    folder.link(
      "domains/c.test/apple-app-site-association",
      to: ".well-known/apple-app-site-association")
    var runner = DomainRunner(root: folder("domains"))
    let outcome = runner.scanAll()
    #expect(!outcome.report.diagnostics.isEmpty)
    for diagnostic in outcome.report.diagnostics {
      #expect(!"\(diagnostic)".contains("hunter2"), "\(diagnostic)")
    }
  }

  @Test func `a file that was replaced while it was judged is read again before it is reported`()
    throws
  {
    folder.write("domains/b.test.json", "{}")
    folder.write("domains/b.test.cases", "/a opens\n")
    var runner = DomainRunner(root: folder("domains"))
    _ = runner.scanAll()
    let reader = runner.keeper.reader
    let directory = try Directory(folder("domains"))
    let entry = try #require(runner.items[.named("b.test")]?.entry)
    var (task, policy) = (DomainReader.Task(entry: entry), DomainReader.Policy?.none)
    var observation = reader.observer.observe(entry, in: directory, isSettled: true)
    #expect(observation.facts.settlingTime == 0)
    let fault = reader.judge(observation, task, in: directory, &policy)
    #expect(fault.facts.settlingTime == 0 && fault.hasFaults)
    folder.write("domains/b.test.cases", "/a opens /b\n")
    #expect(reader.judge(observation, task, in: directory, &policy).facts.settlingTime > 0)
    // A file that changes all the time is reported after a while.
    task.isSettled = true
    #expect(reader.judge(observation, task, in: directory, &policy).facts.settlingTime == 0)
    // What has no fault needs no second look.
    folder.remove("domains/b.test.cases")
    folder.write("domains/b.test.json", small)
    task.isSettled = false
    observation = reader.observer.observe(entry, in: directory, isSettled: true)
    folder.write("domains/b.test.json", small + "\n")
    #expect(reader.judge(observation, task, in: directory, &policy).facts.settlingTime == 0)
  }
}
