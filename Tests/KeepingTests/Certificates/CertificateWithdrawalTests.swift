import Diagnostics
import Foundation
import Posix
import TLS
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// A certificate that was served gives way only to one that clients accept.
@Suite struct CertificateWithdrawalTests {
  let folder = TestFolder("c")

  private func write(_ certificate: TestCertificate, _ name: String) {
    folder.write(certificate, "c/" + name)
  }

  private func remove(_ name: String) {
    folder.remove("c/\(name).crt")
    folder.remove("c/\(name).key")
  }

  /// A loader that serves a certificate for each of the hosts.
  private func loader(_ hosts: String..., withdrawAfter: Int64 = 0) -> CertificateRunner {
    for host in hosts { write(TestCertificate(host, names: [host]), host) }
    var loader = CertificateRunner(root: folder("c")) { $0.withdrawAfter = withdrawAfter }
    _ = loader.scan()
    _ = loader.finishBackgroundWork()
    return loader
  }

  private func scanAndWithdraw(_ loader: inout CertificateRunner) -> Outcome {
    var outcome = loader.scan()
    outcome += loader.withdrawMissing()
    return outcome
  }

  // MARK: Missing

  @Test func `a missing key is not a missing certificate`() {
    var loader = loader("a.test", "b.test")
    folder.remove("c/a.test.key")
    var outcome = loader.scanUntilSettled()
    outcome += loader.withdrawMissing()
    #expect(!outcome.changes.materialChanged && outcome.failures == 1)
    #expect(loader.covers("a.test") == [true])
  }

  @Test func `nor is a missing chain, while its key is there`() {
    var loader = loader("a.test", "b.test")
    folder.remove("c/a.test.crt")
    var outcome = loader.scanUntilSettled()
    outcome += loader.withdrawMissing()
    #expect(
      !outcome.changes.materialChanged && outcome.failures == 1 && loader.nextWithdrawal == nil)
    #expect(outcome.codes.contains("T034"))
    #expect(loader.covers("a.test") == [true])
    // It is reported once.
    #expect(loader.scan().report.isEmpty)
    folder.remove("c/a.test.key")
    outcome = scanAndWithdraw(&loader)
    #expect(outcome.changes.materialChanged && loader.covers("a.test") == [false])
  }

  @Test(arguments: [[], ["b.test"]])
  func `that its key is still there is forgotten once the key is missing too`(others: [String]) {
    var loader = loader("a.test", withdrawAfter: 1_000_000)
    for host in others { write(TestCertificate(host, names: [host]), host) }
    _ = loader.scanUntilSettled()
    folder.remove("c/a.test.crt")
    _ = loader.scanUntilSettled()
    #expect(loader.problems["a.test.crt"]?.diagnostics.map(\.code).contains("T034") == true)
    folder.remove("c/a.test.key")
    _ = scanAndWithdraw(&loader)
    let left = loader.problems["a.test.crt"]?.diagnostics.map(\.code) ?? []
    #expect(!left.contains("T034") && loader.covers("a.test") == [true])
  }

  @Test func `a chain whose key serves another certificate is missing`() {
    var loader = loader("a.test", "b.test")
    folder.rename("c/a.test.crt", to: "c/a.test.pem")
    _ = scanAndWithdraw(&loader)
    #expect(loader.items["a.test.crt"] == nil && loader.covers("a.test") == [true])
  }

  @Test(arguments: [true, false])
  func `a certificate that comes back half-written, seen or not, is not missing any more`(
    isSeen: Bool
  ) {
    var loader = loader("a.test", "b.test", withdrawAfter: 0)
    remove("a.test")
    _ = loader.scan()
    #expect(loader.nextWithdrawal != nil)
    folder.write("c/a.test.crt", bytes: Array("-----BEGIN".utf8))
    var outcome = isSeen ? loader.scan() : Outcome()
    outcome += loader.withdrawMissing()
    #expect(!outcome.changes.materialChanged && loader.covers("a.test") == [true])
    #expect(loader.nextWithdrawal == nil)
  }

  @Test func `an emptied, missing or unreachable folder takes nothing away`() {
    var loader = loader("a.test", "b.test")
    folder.rename("c", to: "away")
    #expect(!scanAndWithdraw(&loader).changes.materialChanged)
    #expect(loader.folder.heldDiagnostic?.code == "T033")
    folder.makeFolder("c")
    #expect(!scanAndWithdraw(&loader).changes.materialChanged)
    folder.remove("c")
    folder.link("c", to: "c")
    let outcome = scanAndWithdraw(&loader)
    #expect(!outcome.changes.materialChanged && outcome.codes == ["T033"])
    #expect(loader.folder.hold == nil)
    // It stays held, and is reported once.
    #expect(scanAndWithdraw(&loader).codes == [] && loader.folder.held == .unreadable)
    #expect(loader.covers("a.test", "b.test") == [true, true])
    folder.remove("c")
    folder.rename("away", to: "c")
    let back = scanAndWithdraw(&loader)
    #expect(!back.changes.materialChanged && back.codes == [] && loader.folder.held == nil)
  }

  @Test func `in a folder that cannot be searched nothing is missing`() {
    folder.write(TestCertificate("a", names: ["a.test"]), "store/live/a")
    folder.link("c/live", to: "../store/live")
    var loader = loader("b.test")
    #expect(loader.covers("a.test", "b.test") == [true, true])
    folder.rename("store", to: "away")
    let outcome = scanAndWithdraw(&loader)
    #expect(!outcome.changes.materialChanged && outcome.codes == ["T034"] && outcome.failures == 1)
    #expect(outcome.report.diagnostics.first?.message.contains("/store") == true)
    // Reported once, and known as long as it is so.
    #expect(scanAndWithdraw(&loader).codes == [])
    #expect(loader.closed.count == 1)
    #expect(loader.covers("a.test", "b.test") == [true, true])
    folder.rename("away", to: "store")
    _ = scanAndWithdraw(&loader)
    #expect(loader.closed.isEmpty && loader.covers("a.test", "b.test") == [true, true])
  }

  @Test func `what is missing from a folder is not missing while that cannot be searched`() {
    folder.write(TestCertificate("a", names: ["a.test"]), "store/live/a")
    folder.link("c/live", to: "../store/live")
    var loader = loader("b.test", withdrawAfter: 1_000_000)
    folder.rename("store/live/a.crt", to: "store/a.crt")
    folder.rename("store/live/a.key", to: "store/a.key")
    _ = loader.scan()
    #expect(loader.nextWithdrawal != nil)
    folder.rename("store", to: "away")
    _ = loader.scan()
    #expect(loader.nextWithdrawal == nil && loader.covers("a.test") == [true])
  }

  // MARK: Dates

  @Test(arguments: [-30 ... -1, 10...90])
  func `a certificate with dates that clients refuse replaces none that was served`(
    days: ClosedRange<Int>
  ) {
    var loader = loader("a.test")
    write(TestCertificate("a", names: ["a.test", "b.test"], days: days), "a.test")
    let outcome = loader.scan()
    #expect(!outcome.changes.materialChanged && outcome.failures == 1)
    let fault = outcome.report.diagnostics.first
    #expect(
      fault?.severity == .error
        && fault?.note == "the last good version of the file is still served")
    #expect(loader.covers("a.test", "b.test") == [true, false])
    // A certificate that is not valid yet is scanned again when it is.
    let expected = days.lowerBound > 0 ? [Int64(days.lowerBound)] : []
    let now = Posix.Clock.monotonicMilliseconds()
    #expect(outcome.again.map { ($0.time - now + 3_600_000) / 86_400_000 } == expected)
  }

  @Test(arguments: [-30 ... -1, 10...90])
  func `an expired one stays until there is a valid one`(days: ClosedRange<Int>) {
    write(TestCertificate("a", names: ["a.test"], days: -30 ... -2), "a.test")
    var loader = CertificateRunner(root: folder("c"))
    // Nothing better is known.
    let first = loader.scan()
    #expect(
      first.changes.materialChanged && first.failures == 1 && loader.covers("a.test") == [true])
    write(TestCertificate("a", names: ["a.test", "b.test"], days: days), "a.test")
    #expect(!loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [true, false])
    write(TestCertificate("a", names: ["a.test", "b.test"]), "a.test")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [true, true])
    #expect(loader.problems["a.test.crt"] == nil)
  }

  // MARK: Half chains

  private let root = TestCertificate("Root", isAuthority: true)

  private func chain(_ host: String) -> (leaf: TestCertificate, intermediate: TestCertificate) {
    let intermediate = TestCertificate("Intermediate", issuer: root, isAuthority: true)
    return (TestCertificate(host, names: [host], issuer: intermediate), intermediate)
  }

  private func write(_ chain: (leaf: TestCertificate, intermediate: TestCertificate)) {
    folder.write("c/a.crt", bytes: chain.leaf.pem + chain.intermediate.pem)
    folder.writeKey(chain.leaf.key, "c/a.key")
  }

  @Test func `a chain that lost its intermediate waits`() {
    let first = chain("a.test")
    write(first)
    var loader = CertificateRunner(root: folder("c"))
    #expect(loader.scan().changes.materialChanged)
    // The renewal's leaf is there, the rest is still to come.
    let second = chain("b.test")
    folder.write("c/a.crt", bytes: second.leaf.pem)
    folder.writeKey(second.leaf.key, "c/a.key")
    for _ in 0..<2 {
      let outcome = loader.scan()
      #expect(!outcome.changes.materialChanged && outcome.codes == [] && outcome.failures == 0)
      let now = Posix.Clock.monotonicMilliseconds()
      let key = ScanKey.certificate("a.crt")
      #expect(outcome.again.allSatisfy { $0.key == key && $0.time <= now + 10_000 })
      #expect(outcome.again.count == 1)
    }
    #expect(loader.covers("a.test", "b.test") == [true, false])
    write(second)
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("a.test", "b.test") == [false, true])
  }
}
