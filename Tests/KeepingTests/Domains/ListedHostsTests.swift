import Catalog
import CatalogSupport
import Diagnostics
import Settings
import Testing

@testable import Keeping

/// The hosts of a list, while it changes: pure, with a false clock.
@Suite struct ListedHostsTests {
  /// A list and what is served of it.
  struct Run {
    var hosts = ListedHosts(path: "l.hosts")
    var file: HostsFile?
    var now: Int64 = 1_000_000
    var added: [DomainName] = []
    var withdrawn: [DomainName] = []

    /// - Parameter text: Names without their domain, separated by spaces.
    init(_ text: String) { write(text) }

    mutating func write(_ text: String) {
      let lines = text.split(separator: " ").map { "\($0).test\n" }
      decide(HostsFile(SourceText(path: "l.hosts", bytes: Array(lines.joined().utf8))))
    }

    /// The file as it is while its last line has no end.
    mutating func begin(_ text: String) {
      let lines = text.split(separator: " ").map { "\($0).test" }.joined(separator: "\n")
      decide(HostsFile(SourceText(path: "l.hosts", bytes: Array(lines.utf8)), isWritten: true))
    }

    /// The first bytes of the file.
    mutating func cut(_ text: String, to length: Int, isWritten: Bool = false) {
      let lines = text.split(separator: " ").map { "\($0).test\n" }
      let bytes = Array(lines.joined().utf8.prefix(length))
      decide(HostsFile(SourceText(path: "l.hosts", bytes: bytes), isWritten: isWritten))
    }

    mutating func wait(seconds: Int64) {
      now += seconds * 1000
      if let file { decide(file) }
    }

    private mutating func decide(_ next: HostsFile) {
      let change = hosts.decide(
        next, after: file, isRead: true, at: now, withdrawAfter: 5_000)
      added += change.added
      withdrawn += change.withdrawn
      file = next
    }

    var served: String {
      ((file?.hosts ?? []) + hosts.kept).map { $0.description.prefix { $0 != "." } }.sorted()
        .joined(separator: " ")
    }

    var hold: String? { hosts.hold?.fault.message }
  }

  @Test func `the host of a last line without an end is not lost`() {
    var run = Run("a b c d")
    run.begin("x b c d")
    #expect(run.served == "a b c d x" && run.hosts.next(withdrawAfter: 5_000) == nil)
    run.wait(seconds: 6)
    #expect(run.served == "a b c d x" && run.withdrawn.isEmpty)
    run.write("x b c d")
    // The host of that line has come back, so the others are given time to come back, too.
    run.wait(seconds: 5)
    #expect(run.withdrawn == [.named("a.test")] && run.served == "b c d x")
  }

  @Test(arguments: [21, 28, 20, 27])
  func `a list that ends with a line has lost its last hosts on purpose`(length: Int) {
    var run = Run("a b c d e")
    run.cut("a b c d e", to: length)
    run.wait(seconds: 6)
    #expect(run.withdrawn.count == 5 - (length + 1) / 7 && run.hold == nil)
  }

  @Test func `a list that is replaced twice has lost the hosts that it had before`() {
    var run = Run("a b c d")
    run.write("e")
    run.write("f")
    run.wait(seconds: 6)
    #expect(run.served == "a b c d f")
    #expect(run.hold == "4 of 4 hosts are suddenly missing from this list")
    run.write("a b c d")
    run.wait(seconds: 6)
    #expect(run.served == "a b c d" && run.hold == nil)
  }

  @Test func `a last line without an end counts only in a file that is not being written`() {
    let source = SourceText(path: "l.hosts", bytes: Array("a.test\nb.tes".utf8))
    let open = HostsFile(source, isWritten: true)
    #expect(open.isLastLineOpen && open.hosts == [.named("a.test")])
    let closed = HostsFile(source)
    #expect(!closed.isLastLineOpen && closed.hosts.count == 2)
    let ended = HostsFile(
      SourceText(path: "l.hosts", bytes: Array("a.test\nb.test\n".utf8)), isWritten: true)
    #expect(!ended.isLastLineOpen && ended.hosts.count == 2)
  }
}
