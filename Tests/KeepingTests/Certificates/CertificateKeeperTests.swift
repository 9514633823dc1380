import Diagnostics
import Foundation
import Posix
import TLS
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Real files in a folder of the test's own.
@Suite struct CertificateKeeperTests {
  let folder = TestFolder("c")
  private var loader: CertificateRunner

  init() {
    loader = CertificateRunner(root: folder("c"))
  }

  private func write(_ certificate: TestCertificate, _ name: String) {
    folder.write(certificate, "c/" + name)
  }

  /// Scans, and lets OpenSSL judge.
  private mutating func scanAndJudge() -> [String] {
    let codes = loader.scan().codes
    return codes + loader.finishBackgroundWork().flatMap(\.codes)
  }

  @Test mutating func `an empty folder is empty, and a missing one is reported`() {
    #expect(loader.scan().codes == [] && loader.isEmpty)
    // Nobody asked for the default folder.
    var missing = CertificateRunner(root: folder("none"))
    #expect(missing.scan().codes == [])
    missing = CertificateRunner(root: folder("none")) { $0.isCertificatesFolderExpected = true }
    let outcome = missing.scan()
    #expect(outcome.codes == ["T033"] && outcome.failures == 1)
    #expect(outcome.report.diagnostics.first?.help?.contains("--certificates") == true)
    // Reported once.
    #expect(missing.scan().codes == [])
    folder.write(TestCertificate("a", names: ["a.test"]), "none/a")
    #expect(missing.scan().changes.materialChanged && missing.covers("a.test") == [true])
  }

  @Test mutating func `a folder that cannot be read at the start is an error with the fix`() {
    folder.link("loop", to: "loop")
    var loader = CertificateRunner(root: folder("loop"))
    let outcome = loader.scan()
    #expect(outcome.codes == ["T033"] && outcome.failures == 1)
    #expect(outcome.report.diagnostics.first?.severity == .error)
    #expect(outcome.report.diagnostics.first?.help?.contains("symbolic link") == true)
    #expect(loader.folder.heldDiagnostic != nil)
  }

  @Test func `a certificate that cannot be looked for is not proven to be missing`() throws {
    folder.link("c/loop", to: "loop")
    let reader = loader.keeper.reader(at: .now())
    for (chain, absence) in [
      ("loop/a.pem", CertificateReader.Reading.Absence.unknown), ("none.pem", .proven),
    ] {
      let task = CertificateReader.Task(
        entry: .init(name: "a", chain: chain, key: nil),
        asking: .find(.missing(isFolderGone: false)), identity: 0, isSettled: true)
      var shared: Void?
      let reading = try reader.answer(task, in: Directory(folder("c")), &shared)
      #expect(reading?.absence == absence)
    }
  }

  @Test func `a certificates folder that is swapped while its files are read is reported alone`() {
    // As many as one thread takes at a time, and one more.
    for index in 0...128 { folder.write("c/\(index).pem", "-----BEGIN CERTIFICATE-----\nMII") }
    var loader = CertificateRunner(root: folder("c")) { [folder] options in
      options.threads = 1
      options.certificateProgress = { count, _ in
        guard count == 128 else { return }
        folder.rename("c", to: "away")
        folder.makeFolder("c")
        for index in 0...128 { folder.link("c/\(index).pem", to: "\(index).pem") }
      }
    }
    let outcome = loader.scan()
    // What was read before is what it was.
    #expect(!outcome.codes.contains("T034") && outcome.failures == 128)
    #expect(outcome.again.count == 1)
    #expect(Set(loader.scan().codes) == ["T034"])
  }

  @Test mutating func `a file that is read again keeps OpenSSL's warnings`() {
    write(TestCertificate("a", names: ["a.test"]), "a")
    #expect(scanAndJudge() == ["T012"])
    #expect(loader.scan("a.crt").codes == [])
    #expect(loader.problems["a.crt"]?.diagnostics.map(\.code) == ["T012"])
  }

  @Test mutating func `files come, change and go`() {
    write(TestCertificate("a", names: ["a.test"]), "a")
    let first = loader.scan()
    #expect(first.changes.materialChanged && first.codes == [])
    #expect(loader.covers("a.test", "b.test") == [true, false])
    #expect(loader.finishBackgroundWork().flatMap(\.codes) == ["T012"])

    let again = loader.scan()
    #expect(!again.changes.materialChanged && again.codes == [])

    write(TestCertificate("b", names: ["b.test"]), "b")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [true, true])

    write(TestCertificate("a", names: ["aa.test"]), "a")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "aa.test") == [false, true])

    folder.remove("c/a.crt")
    folder.remove("c/a.key")
    #expect(!loader.scan().changes.materialChanged)
    #expect(loader.covers("aa.test", "b.test") == [true, true])
    let outcome = loader.withdrawMissing()
    #expect(outcome.changes.materialChanged && outcome.codes == ["T037"])
    #expect(outcome.report.diagnostics.first?.message.hasPrefix("removed: ") == true)
    #expect(loader.covers("aa.test", "b.test") == [false, true])
  }

  @Test mutating func `the same content in new files changes nothing`() {
    let certificate = TestCertificate("a", names: ["a.test"])
    write(certificate, "a")
    _ = scanAndJudge()
    folder.write(certificate, "next")
    folder.rename("next.crt", to: "c/a.crt")
    folder.rename("next.key", to: "c/a.key")
    #expect(!loader.scan().changes.materialChanged && !loader.hasBackgroundWork)
  }

  @Test mutating func `a faulty file keeps its last good version, and a fixed one is taken`() {
    write(TestCertificate("a", names: ["a.test"]), "a")
    _ = scanAndJudge()
    let new = TestCertificate("a", names: ["a.test", "b.test"])
    // Half of a renewal: the chain is new, the key is not.
    folder.write("c/a.crt", bytes: new.pem)
    let outcome = loader.scanUntilSettled()
    #expect(!outcome.changes.materialChanged && outcome.failures == 1)
    #expect(outcome.codes == ["T004"])
    #expect(
      outcome.report.diagnostics.first?.note == "the last good version of the file is still served")
    #expect(loader.covers("a.test", "b.test") == [true, false])
    #expect(loader.problems["a.crt"]?.isLastGood == true)
    // Not reported again.
    #expect(loader.scan("a.crt").codes == [])

    folder.writeKey(new.key, "c/a.key")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [true, true])
    #expect(loader.problems["a.crt"] == nil)
  }

  @Test mutating func `without a good version nothing is served, and every fault is reported`() {
    folder.write("c/a.crt", "-----BEGIN CERTIFICATE-----\nAQID\n")
    folder.link("c/b.crt", to: "nowhere")
    folder.write("c/c.crt", bytes: TestCertificate("c", names: ["c.test"]).pem)
    let outcome = loader.scan()
    #expect(!outcome.changes.materialChanged && loader.isEmpty)
    #expect(outcome.codes.sorted() == ["T002", "T003", "T034"] && outcome.failures == 3)
    #expect(loader.items.count == 3)
  }

  @Test(arguments: [false, true])
  mutating func `a new link that leads nowhere is reported only if that lasts for a second`(
    lasts: Bool
  ) throws {
    write(TestCertificate("a", names: ["a.test"]), "a")
    _ = loader.scan()
    folder.write(TestCertificate("b", names: ["b.test"]), "kept/b")
    folder.link("c/b.crt", to: "../kept/b.crt")
    folder.link("c/b.key", to: "nowhere")
    // What Maintenance does: nothing is read as if it were final.
    let first = loader.scan(["b.crt"], settled: ["b.crt"])
    #expect(first.codes == [] && first.failures == 0 && loader.problems["b.crt"] == nil)
    let due = try #require(first.again.map(\.time).min())
    #expect(due <= loader.clock().milliseconds + ObservationLimits.lastingFault)
    if lasts {
      loader.pass(max(0, due - loader.clock().milliseconds))
      let second = loader.scan(["b.crt"], settled: ["b.crt"])
      #expect(second.codes == ["T034"] && second.failures == 1)
      #expect(loader.scan(["b.crt"], settled: ["b.crt"]).codes == [])
    }
    // At the start it is reported at once.
    var other = CertificateRunner(root: folder("c"))
    #expect(other.scan([], settled: ["a.crt", "b.crt"], isStart: true).codes == ["T034"])

    folder.link("c/b.key", to: "../kept/b.key")
    let back = loader.scan(["b.crt"], settled: ["b.crt"])
    #expect(back.codes == [] && back.failures == 0 && back.changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [true, true])
    #expect(loader.problems["b.crt"] == nil)
  }

  @Test mutating func `a key that everybody can read is reported`() {
    let certificate = TestCertificate("a", names: ["a.test"])
    write(certificate, "a")
    chmod(folder("c/a.key"), 0o644)
    #expect(scanAndJudge() == ["T015", "T012"])
    // A change of the mode alone is seen.
    chmod(folder("c/a.key"), 0o600)
    #expect(loader.scan().codes == [])
    #expect(loader.problems["a.crt"]?.diagnostics.map(\.code) == ["T012"])
  }

  @Test mutating func `a Kubernetes secret is swapped as a whole`() {
    folder.write(TestCertificate("1", names: ["one.test"]), "c/..1/tls")
    folder.write(TestCertificate("2", names: ["two.test"]), "c/..2/tls")
    folder.link("c/..data", to: "..1")
    folder.link("c/tls.crt", to: "..data/tls.crt")
    folder.link("c/tls.key", to: "..data/tls.key")
    _ = loader.scan()
    #expect(loader.covers("one.test", "two.test") == [true, false])
    folder.link("c/..data", to: "..2")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("one.test", "two.test") == [false, true])
  }

  @Test mutating func `certbot's folder works when mounted as a whole, with a renewal`() {
    for number in 1...2 {
      folder.write(
        TestCertificate("\(number)", names: ["v\(number).test"]),
        "c/archive/e/fullchain\(number).pem", "c/archive/e/privkey\(number).pem")
    }
    folder.write("c/live/README", "read me")
    folder.write("c/live/e/README", "read me")
    folder.write("c/renewal/e.conf", "")
    for name in ["fullchain", "privkey"] {
      folder.link("c/live/e/\(name).pem", to: "../../archive/e/\(name)1.pem")
    }
    #expect(scanAndJudge() == ["T012"])
    #expect(loader.covers("v1.test", "v2.test") == [true, false])
    let watched = loader.takeUnwatched()
    #expect(Set(watched.map(\.name)) == ["live"])
    #expect(
      Set(watched.compactMap { try? resolvedPath($0.path) })
        == Set(["c/live", "c/live/e", "c/archive/e"].map { folder($0) }))

    for name in ["fullchain", "privkey"] {
      folder.link("c/live/e/\(name).pem", to: "../../archive/e/\(name)2.pem")
    }
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("v1.test", "v2.test") == [false, true])
  }

  @Test mutating func `links that lead back end the search`() {
    write(TestCertificate("a", names: ["a.test"]), "x/a")
    folder.link("c/x/back", to: "..")
    folder.link("c/self", to: ".")
    #expect(scanAndJudge() == ["T012"])
    #expect(loader.covers("a.test") == [true])
  }

  @Test(arguments: ["sub.crt", "sub.key", "h9.pem", "sub"])
  mutating func `a link may be called as a file and lead to a folder`(name: String) {
    folder.write(TestCertificate("x", names: ["x.test"]), "elsewhere/x")
    write(TestCertificate("a", names: ["a.test"]), "a")
    folder.link("c/\(name)", to: "../elsewhere")
    let outcome = loader.scan()
    #expect(outcome.failures == 0 && outcome.codes == [])
    #expect(loader.covers("a.test", "x.test") == [true, true])
    let watched = loader.takeUnwatched().map(\.path)
    #expect(watched == [folder("c/\(name)")])
    // Each is named once.
    _ = loader.scan()
    let again = loader.takeUnwatched()
    #expect(again.isEmpty)
  }

  @Test mutating func `the default is found by the name of its files`() {
    func isDefaultMissing(_ loader: CertificateRunner) -> Bool {
      loader.material(ticketKeys: TicketKeys(), selfSigned: nil).isDefaultMissing
    }
    write(TestCertificate("a", names: ["a.test"]), "a")
    _ = loader.scan()
    #expect(isDefaultMissing(loader))
    folder.write(TestCertificate("d", names: ["d.test"]), "c/default/tls")
    _ = loader.scan()
    #expect(!isDefaultMissing(loader))
  }

  @Test mutating func `a failed read of a certificate is repeated, with growing pauses`() {
    folder.makePipe("c/a.pem")
    var pauses: [Int64] = []
    for _ in 0..<3 {
      let before = Posix.Clock.monotonicMilliseconds()
      let again = loader.scan("a.pem").again
      #expect(again.map(\.key) == [.certificate("a.pem")])
      pauses += again.map { ($0.time - before) / 1_000 }
    }
    #expect(pauses == [1, 2, 5])
  }

  @Test mutating func `it is known when a date next changes the choice`() {
    #expect(loader.nextChangeOfDates == nil)
    write(TestCertificate("a", names: ["a.test"], days: -1...20), "a")
    write(TestCertificate("b", names: ["b.test"], days: -1...10), "b")
    _ = loader.scan()
    let expiry = loader.items.values.compactMap(\.certificate?.notAfter).min()
    #expect(expiry != nil && loader.nextChangeOfDates == expiry.map { $0 + 1 })
  }
}
