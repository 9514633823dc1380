import Diagnostics
import Foundation
import Posix
import Synchronization
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings
@testable import TLS

/// Certificates are served after one quick reading; OpenSSL judges them in the background.
@Suite struct CertificateJudgingTests {
  let folder = TestFolder()
  private let root = TestCertificate("Root", isAuthority: true)
  private let key = TestKey()
  private static let count = 80

  init() {
    for index in 0..<Self.count { write("h\(index)") }
  }

  private func write(_ name: String, sha1: Bool = false, key: TestKey? = nil) {
    let certificate = TestCertificate(
      name, names: [name + ".test"], key: self.key, issuer: root, sha1: sha1)
    folder.write("certificates/\(name).crt", bytes: certificate.pem)
    folder.writeKey(key ?? self.key, "certificates/\(name).key")
  }

  private func loader() -> CertificateRunner { CertificateRunner(root: folder("certificates")) }

  private func served(_ loader: CertificateRunner, _ host: String) -> [Certificate] {
    loader.material(ticketKeys: TicketKeys(), selfSigned: nil).certificates(for: host)
  }

  @Test func `good ones are served at once and judged afterwards`() {
    var loader = loader()
    let first = loader.scan()
    #expect(first.changes.materialChanged && first.report.diagnostics.isEmpty)
    #expect(
      loader.covers("h0.test", "h\(Self.count - 1).test", "other.test") == [true, true, false])
    #expect(loader.hasBackgroundWork)
    let before = served(loader, "h7.test")

    let outcomes = loader.finishBackgroundWork()
    #expect(outcomes.count == Self.count)
    // The same certificates are still served; OpenSSL's findings are reported.
    #expect(!outcomes.contains { $0.changes.materialChanged })
    #expect(outcomes.flatMap(\.codes) == .init(repeating: "T010", count: Self.count))
    let after = served(loader, "h7.test")
    #expect(before.count == 1 && after.count == 1 && before[0] === after[0])
    #expect(loader.problems["h7.crt"]?.hasErrors == false)
    // Reported once.
    let again = loader.scan()
    #expect(!again.changes.materialChanged && again.report.isEmpty && !loader.hasBackgroundWork)
  }

  @Test func `the first scan says whether there is more to do`() {
    let progress = Progress()
    var loader = CertificateRunner(root: folder("certificates")) {
      $0.certificateProgress = { progress.add($0, of: $1) }
    }
    _ = loader.scan()
    #expect(progress.done == Self.count && progress.totals == [Self.count])
    // Nothing waits for later work.
    _ = loader.finishBackgroundWork()
    _ = loader.scan()
    #expect(progress.done == Self.count)
  }

  private final class Progress: Sendable {
    private let state = Mutex<(done: Int, totals: Set<Int>)>((0, []))
    var done: Int { state.withLock { $0.done } }
    var totals: Set<Int> { state.withLock { $0.totals } }

    func add(_ more: Int, of total: Int) {
      state.withLock { state in
        state.done += more
        state.totals.insert(total)
      }
    }
  }

  @Test func `a fault that the first scan finds is reported at once`() {
    write("h3", key: TestKey())
    folder.write("certificates/h4.crt", "-----BEGIN CERTIFICATE-----\nAQID\n")
    folder.remove("certificates/h5.key")
    chmod(folder("certificates/h6.key"), 0o644)
    var loader = loader()
    let outcome = loader.scan()
    #expect(outcome.codes.sorted() == ["T002", "T003", "T004", "T015"])
    #expect(
      loader.covers("h2.test", "h3.test", "h4.test", "h5.test", "h6.test")
        == [true, false, false, false, true])
    let codes = loader.finishBackgroundWork().flatMap(\.codes)
    #expect(codes == .init(repeating: "T010", count: Self.count - 3))
  }

  @Test func `one that OpenSSL refuses is reported and not served any more`() {
    write("h3", sha1: true)
    var loader = loader()
    #expect(loader.scan().report.diagnostics.isEmpty)
    #expect(loader.covers("h2.test", "h3.test") == [true, true])
    let outcomes = loader.finishBackgroundWork()
    #expect(outcomes.count { $0.changes.materialChanged } == 1)
    #expect(outcomes.reduce(0) { $0 + $1.failures } == 1)
    #expect(outcomes.flatMap(\.codes).filter { $0 != "T010" } == ["T016"])
    #expect(loader.covers("h2.test", "h3.test", "h4.test") == [true, false, true])
    // Fixed, it is served again.
    write("h3")
    #expect(loader.scan().changes.materialChanged)
    #expect(loader.covers("h3.test") == [true])
  }

  @Test(arguments: [1, 2])
  func `when OpenSSL refuses renewals, the certificate before them comes back`(count: Int) {
    var loader = loader()
    _ = loader.scan()
    _ = loader.finishBackgroundWork()
    let before = served(loader, "h3.test")
    for _ in 0..<count {
      write("h3", sha1: true)
      #expect(loader.scan().changes.materialChanged)
    }
    let outcomes = loader.finishBackgroundWork()
    let fault = outcomes.flatMap(\.report.diagnostics).first { $0.severity == .error }
    #expect(
      fault?.code == "T016" && fault?.note == "the last good version of the file is still served")
    let after = served(loader, "h3.test")
    #expect(before.count == 1 && after.count == 1 && before[0] === after[0])
    #expect(loader.problems["h3.crt"]?.isLastGood == true)
    // And stays, however often the same files are read.
    let again = loader.scan("h3.crt")
    #expect(!again.changes.materialChanged && again.codes == [] && again.failures == 1)
    let still = served(loader, "h3.test")
    #expect(still.count == 1 && still[0] === before[0])
  }

  @Test func `a file that changes before it was judged is read as usual`() {
    var loader = loader()
    _ = loader.scan()
    // Half of a renewal leaves the served certificate in place.
    write("h3", key: TestKey())
    let broken = loader.scanUntilSettled()
    #expect(!broken.changes.materialChanged && broken.codes == ["T004"])
    folder.remove("certificates/h5.crt")
    folder.remove("certificates/h5.key")
    _ = loader.finishBackgroundWork()
    #expect(loader.covers("h3.test", "h5.test") == [true, true])
    #expect(loader.problems["h3.crt"]?.hasErrors == true)
    _ = loader.scan()
    #expect(loader.withdrawMissing().changes.materialChanged)
    #expect(loader.covers("h3.test", "h5.test") == [true, false])
  }

  @Test func `the maintenance thread judges them and takes a bad one out of the catalog`() throws {
    write("h3", sha1: true)
    folder.makeFolder("domains")
    var options = HostingOptions()
    options.domains = folder("domains")
    options.certificates = folder("certificates")
    let running = try RunningMaintenance(options)
    #expect(eventually { running.codes.contains("T016") })
    #expect(eventually { running.publisher.current.material?.covers("h3.test") == false })
    #expect(running.publisher.current.material?.covers("h2.test") == true)
    #expect(eventually { running.count(of: "T010") == Self.count - 1 })
  }
}
