import Diagnostics
import Posix
import Settings
import Testing

@testable import Keeping

/// The file by which holds are confirmed.
@Suite struct ConfirmationTests {
  private let folder = TestFolder()
  private var path: String { folder("confirm") }

  /// What a look finds: the IDs, and the codes of what it reports.
  private func look(_ confirmations: inout Confirmations) -> (ids: Set<String>?, codes: [String]) {
    var report = Report()
    let found = confirmations.take(&report, now: Posix.Clock.monotonicMilliseconds())
    return (found?.ids, report.diagnostics.map(\.code))
  }

  @Test func `a file counts once it has content and its writer has finished`() {
    var confirmations = Confirmations(folder(""))
    #expect(look(&confirmations).ids == nil)
    // A shell makes the file before the command whose output it gets has begun.
    folder.write("confirm", "")
    confirmations.note(isComplete: true)
    #expect(look(&confirmations).ids == nil)
    folder.write("confirm", "0123abcd\n")
    confirmations.note()
    #expect(look(&confirmations).ids == nil)
    let delay = confirmations.delay(now: Posix.Clock.monotonicMilliseconds()) ?? 0
    #expect((1...1_000).contains(delay))
    confirmations.note(isComplete: true)
    #expect(look(&confirmations).ids == ["0123abcd"])
    #expect((try? Posix.status(path)) != nil, "it stays until it has taken effect")
  }

  @Test func `a file is removed unless another has taken its place`() throws {
    var confirmations = Confirmations(folder(""))
    for isReplaced in [true, false] {
      try leaveFile("confirm", in: folder(""), Array("0123abcd 89abcdef\n".utf8))
      confirmations.note(isComplete: true)
      var report = Report()
      let request = try #require(confirmations.take(&report, now: .max / 2))
      let faults = confirmations.note(["0123abcd"], of: request, held: [])
      #expect(faults.map(\.code) == ["H045"] && faults[0].message == "no hold has the ID 89abcdef")
      #expect(confirmations.confirmed == ["0123abcd"])
      if isReplaced { try leaveFile("confirm", in: folder(""), Array("0\n".utf8)) }
      confirmations.remove(request)
      #expect(((try? Posix.status(path)) != nil) == isReplaced)
    }
  }

  @Test func `a file that cannot be read is reported once, with the cure`() {
    var confirmations = Confirmations(folder(""))
    folder.makeFolder("confirm")
    for codes in [["H056"], []] {
      confirmations.note()
      let found = look(&confirmations)
      #expect(found.ids == nil && found.codes == codes)
    }
    #expect(Confirmations(nil).delay(now: 0) == nil)
  }

  @Test func `a second server with one state folder does not look for the file`() throws {
    for name in ["domains", "state"] { folder.makeFolder(name) }
    var options = HostingOptions()
    (options.domains, options.state) = (folder("domains"), folder("state"))
    let first = try Maintenance(options, requests: MaintenanceRequests()) { _ in }
    #expect(eventually { first.delayOfConfirmation(now: 0) == 0 })
    // It would look again and again without a pause.
    let second = try Maintenance(options, requests: MaintenanceRequests()) { _ in }
    _ = second.load()
    #expect(second.delayOfConfirmation(now: 0) == nil)
  }
}
