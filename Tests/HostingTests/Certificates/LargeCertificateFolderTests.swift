import Diagnostics
import Foundation
import Posix
import Synchronization
import TLSTestSupport
import Testing

@testable import Hosting
@testable import TLS

/// More certificates than are inspected before any is served.
@Suite struct LargeCertificateFolderTests {
  let folder: TestFolder
  private let root = TestCertificate("Root", isAuthority: true)
  private let key = TestKey()
  private static let count = CertificateLoader.inspectedAtOnce + 44

  init() throws {
    folder = try TestFolder()
    for index in 0..<Self.count { write("h\(index)") }
  }

  private func write(_ name: String, sha1: Bool = false, key: TestKey? = nil) {
    let certificate = TestCertificate(
      name, names: [name + ".test"], key: self.key, issuer: root, sha1: sha1)
    folder.write("certificates/\(name).crt", bytes: certificate.pem)
    folder.write("certificates/\(name).key", bytes: (key ?? self.key).pem())
    chmod(folder("certificates/\(name).key"), 0o600)
  }

  private func loader() -> CertificateLoader {
    CertificateLoader(root: folder("certificates"), options: HostingOptions())
  }

  private func covered(_ loader: CertificateLoader, _ hosts: String...) -> [Bool] {
    let material = loader.material(ticketKeys: TicketKeys(), standIn: nil)
    return hosts.map { material.covers($0 + ".test") }
  }

  /// Inspects one after the other, to the end.
  private func checkAll(_ loader: inout CertificateLoader) -> [CertificateLoader.Outcome] {
    var outcomes: [CertificateLoader.Outcome] = []
    while loader.hasUnchecked { outcomes.append(loader.checkSome(milliseconds: 0)) }
    return outcomes
  }

  @Test func `good ones are served at once and inspected afterwards`() {
    var loader = loader()
    let first = loader.loadAll()
    #expect(first.hasChanged && first.diagnostics.isEmpty)
    #expect(covered(loader, "h0", "h\(Self.count - 1)", "other") == [true, true, false])
    #expect(loader.hasUnchecked && !loader.isStale())
    let served = loader.material(ticketKeys: TicketKeys(), standIn: nil)
      .select(serverName: Array("h7.test".utf8)).certificates

    let outcomes = checkAll(&loader)
    #expect(outcomes.count == Self.count)
    // The very same certificates go on; what only OpenSSL knows is told.
    #expect(!outcomes.contains { $0.hasChanged })
    #expect(
      outcomes.flatMap(\.diagnostics).map(\.code) == .init(repeating: "T010", count: Self.count))
    let still = loader.material(ticketKeys: TicketKeys(), standIn: nil)
      .select(serverName: Array("h7.test".utf8)).certificates
    #expect(still.count == 1 && served.count == 1 && still[0] === served[0])
    // Told once.
    let again = loader.loadAll()
    #expect(!again.hasChanged && again.diagnostics.isEmpty && !loader.hasUnchecked)
  }

  @Test func `it is told how far the first look is`() {
    var options = HostingOptions()
    let told = Told()
    options.certificateProgress = { told.add($0, of: $1) }
    var loader = CertificateLoader(root: folder("certificates"), options: options)
    _ = loader.loadAll()
    #expect(told.done == Self.count && told.totals == [Self.count])
    // Nobody waits for what comes later.
    _ = checkAll(&loader)
    _ = loader.loadAll()
    #expect(told.done == Self.count)
  }

  private final class Told: Sendable {
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

  @Test(arguments: ["sub.crt", "sub.key", "h9.pem", "sub"])
  func `among very many, a link may be called as a file and lead to a folder`(name: String) {
    write("x")
    folder.makeFolder("elsewhere")
    for ending in ["crt", "key"] {
      folder.rename("certificates/x.\(ending)", to: "elsewhere/x.\(ending)")
      // Most lead to files.
      folder.rename("certificates/h8.\(ending)", to: "h8.\(ending)")
      folder.link("certificates/h8.\(ending)", to: "../h8.\(ending)")
    }
    folder.link("certificates/\(name)", to: "../elsewhere")
    var loader = loader()
    let outcome = loader.loadAll()
    #expect(outcome.hasChanged && outcome.failures == 0)
    // What was not seen at first is inspected at once.
    #expect(outcome.diagnostics.map(\.code) == (name == "sub.crt" ? ["T010"] : []))
    #expect(covered(loader, "h7", "h8", "h9", "x") == [true, true, true, true])
    #expect(!loader.isStale())
    #expect(loader.watchedPaths.flatMap(\.directories) == [folder("certificates/\(name)")])
  }

  @Test func `a fault that the first look sees is told at once`() throws {
    write("h3", key: TestKey())
    folder.write("certificates/h4.crt", "-----BEGIN CERTIFICATE-----\nAQID\n")
    folder.remove("certificates/h5.key")
    chmod(folder("certificates/h6.key"), 0o644)
    var loader = loader()
    let outcome = loader.loadAll()
    #expect(outcome.diagnostics.map(\.code).sorted() == ["T002", "T003", "T004", "T015"])
    #expect(covered(loader, "h2", "h3", "h4", "h5", "h6") == [true, false, false, false, true])
    let codes = checkAll(&loader).flatMap(\.diagnostics).map(\.code)
    #expect(codes == .init(repeating: "T010", count: Self.count - 3))
  }

  @Test func `one that OpenSSL refuses is told after the start and served no more`() throws {
    write("h3", sha1: true)
    var loader = loader()
    #expect(loader.loadAll().diagnostics.isEmpty)
    #expect(covered(loader, "h2", "h3") == [true, true])
    let outcomes = checkAll(&loader)
    #expect(outcomes.filter(\.hasChanged).count == 1)
    #expect(
      outcomes.flatMap(\.diagnostics).filter { $0.severity == .error }.map(\.code) == ["T016"])
    #expect(covered(loader, "h2", "h3", "h4") == [true, false, true])
    // Mended, it is served again.
    write("h3")
    #expect(loader.reload(names: ["h3.crt"]).hasChanged)
    #expect(covered(loader, "h3") == [true])
  }

  @Test func `what changes before it was inspected is loaded as ever`() throws {
    var loader = loader()
    _ = loader.loadAll()
    // Half of a renewal keeps what is served.
    write("h3", key: TestKey())
    let broken = loader.reload(names: ["h3.key"])
    #expect(!broken.hasChanged && broken.diagnostics.map(\.code) == ["T004"])
    write("h4", sha1: true)
    folder.remove("certificates/h5.crt")
    folder.remove("certificates/h5.key")
    // Seen by the inspection, before anybody has told of the change.
    let outcomes = checkAll(&loader)
    #expect(
      outcomes.flatMap(\.diagnostics).filter { $0.severity == .error }.map(\.code)
        == ["T016", "T034", "T034"])
    #expect(covered(loader, "h3", "h4", "h5") == [true, true, true])
    #expect(loader.reload(names: ["h5.crt", "h5.key"]).hasChanged)
    #expect(covered(loader, "h3", "h4", "h5") == [true, true, false])
  }

  @Test func `the maintenance thread inspects them and takes a bad one out of the catalog`() throws
  {
    write("h3", sha1: true)
    folder.makeFolder("domains")
    var options = HostingOptions()
    options.domains = folder("domains")
    options.certificates = folder("certificates")
    let running = try RunningMaintenance(options)
    defer { running.stop() }
    #expect(eventually { running.codes.contains("T016") })
    #expect(eventually { running.publisher.current.material?.covers("h3.test") == false })
    #expect(running.publisher.current.material?.covers("h2.test") == true)
    #expect(eventually { running.count(of: "T010") == Self.count - 1 })
  }
}
