import Diagnostics
import Posix
import TLS
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// The user's certificates, and those that the server gets by itself.
@Suite struct CertificateFoldersTests {
  private let folder = TestFolder("c")
  private var folders: CertificateFolders

  init() {
    var options = HostingOptions()
    options.certificates = folder("c")
    options.issuedCertificates = folder("state/certificates")
    options.withdrawAfter = 0
    folders = CertificateFolders(options, root: folder("c"))
  }

  private mutating func scan() -> Outcome { folders.scan(Pass(isWhole: true, isFinal: true)) }

  private func served(_ host: String) -> [String] {
    folders.material(ticketKeys: TicketKeys(), selfSigned: nil, at: .now()).certificates(for: host)
      .map { String($0.path.dropFirst(folder("").count)) }
  }

  private func writeIssued(_ name: String, _ certificate: TestCertificate) {
    folder.write("state/certificates/\(name).pem", bytes: certificate.key.pem() + certificate.pem)
  }

  @Test mutating func `without a folder of issued ones nothing is missing`() {
    #expect(scan().codes == [] && folders.isEmpty && folders.fault == nil)
  }

  @Test mutating func `issued ones are served for what the user's do not cover`() {
    folder.write(TestCertificate("a", names: ["a.test", "*.w.test"]), "c/a")
    for host in ["a.test", "b.test", "x.w.test"] {
      writeIssued(host, TestCertificate(host, names: [host]))
    }
    #expect(scan().changes.materialChanged)
    #expect(served("a.test") == ["c/a.crt"] && served("x.w.test") == ["c/a.crt"])
    #expect(served("b.test") == ["state/certificates/b.test.pem"])
    #expect(folders.statuses.count { $0.isIssuedHere } == 3)
    // The user's goes: the issued one is there.
    folder.remove("c/a.crt")
    folder.remove("c/a.key")
    folder.write(TestCertificate("z", names: ["z.test"]), "c/z")
    _ = scan()
    _ = folders.inEach { $0.withdrawMissing() }
    #expect(served("a.test") == ["state/certificates/a.test.pem"])
  }

  @Test mutating func `a loss of issued ones is held, waits for its confirmation, and has dates`() {
    for index in 0..<5 {
      let host = "h\(index).test"
      writeIssued(host, TestCertificate(host, names: [host], days: -1...(10 + index)))
    }
    _ = scan()
    let days = folders.nextChangeOfDates(after: .now()).map { ($0 - Clock.wallSeconds()) / 86_400 }
    #expect(days == 9 || days == 10, "\(String(describing: days))")
    for index in 0..<4 { folder.remove("state/certificates/h\(index).test.pem") }
    _ = scan()
    #expect(folders.nextWithdrawal != nil)
    _ = folders.inEach { $0.withdrawMissing() }
    #expect(served("h0.test").count == 1 && folders.holds.count == 1)
    let ids = Set(folders.holds.map(\.id))
    #expect(folders.inEach { $0.confirm(["00000000"]) }.confirmed.isEmpty)
    #expect(folders.inEach { $0.confirm(ids) }.confirmed == ids)
    #expect(served("h0.test").isEmpty && served("h4.test").count == 1 && folders.holds.isEmpty)
  }

  @Test mutating func `a date that was reported is not reported again`() {
    folder.write(TestCertificate("a", names: ["a.test"], days: -80...5), "c/a")
    #expect(scan().codes.contains("T009"))
    #expect(folders.inEach { $0.keeper.reportDates(at: .now()) }.report.isEmpty)
  }

  @Test func `names are covered as clients see it`() throws {
    let certificate = TestCertificate("a", names: ["a.test", "*.w.test"])
    let file = CertificateFile(
      chain: .init(path: "a.pem", bytes: certificate.key.pem() + certificate.pem))
    let loaded = try #require(
      file.read(.init(now: 1_800_000_000, warningDays: 0, intermediates: .init())).certificate)
    let covered = CoveredNames([loaded])
    for (host, isCovered) in [
      ("a.test", true), ("x.w.test", true), ("w.test", false), ("y.x.w.test", false),
      ("b.test", false), ("test", false), ("", false),
    ] {
      #expect(covered.contains(host) == isCovered, "\(host)")
    }
  }
}
