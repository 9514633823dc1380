import CatalogSupport
import Diagnostics
import TLS
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// A certificate gives way only to one that clients accept, and that covers what it covered.
@Suite struct CertificateChangeTests {
  private let folder = TestFolder()
  private let root = TestCertificate("Root", isAuthority: true)
  private let middleKey = TestKey()

  private func middle(days: ClosedRange<Int> = -1...90, key: TestKey? = nil) -> TestCertificate {
    TestCertificate(
      "Middle", key: key ?? middleKey, issuer: root, isAuthority: true, days: days)
  }

  /// Writes a certificate of the intermediate, and the intermediates that are sent after it.
  private func write(
    _ names: String..., by issuer: TestCertificate? = nil, sending sent: [TestCertificate],
    days: ClosedRange<Int> = -1...90, as name: String = "a"
  ) {
    let issuer = issuer ?? middle()
    let leaf = TestCertificate(names[0], names: names, issuer: issuer, days: days)
    folder.write("c/\(name).crt", bytes: leaf.pem + sent.flatMap(\.pem))
    folder.writeKey(leaf.key, "c/\(name).key")
  }

  /// A loader that serves a whole chain for these hosts.
  private func loader(
    _ names: String..., hosts: [String] = ["a.test"], days: ClosedRange<Int> = -1...90
  ) -> CertificateRunner {
    let leaf = TestCertificate("first", names: names, issuer: middle(), days: days)
    folder.write("c/a.crt", bytes: leaf.pem + middle().pem)
    folder.writeKey(leaf.key, "c/a.key")
    var loader = CertificateRunner(root: folder("c"))
    _ = loader.scan()
    _ = loader.finishBackgroundWork()
    serve(hosts, &loader)
    return loader
  }

  private func serve(_ hosts: [String], _ loader: inout CertificateRunner) {
    loader.catalog = Catalog(
      sites: hosts.map { Site(name: .named($0), answers: [.unavailable]) },
      material: nil)
  }

  private func served(_ loader: CertificateRunner) -> Certificate? {
    loader.items["a.crt"]?.certificate
  }

  /// Expects that the served certificate stays, with a message that has these words, and gives way
  /// if that is confirmed.
  private func expectHeld(
    _ loader: inout CertificateRunner, _ words: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    let before = served(loader)
    let outcome = loader.scanUntilSettled()
    #expect(outcome.codes == ["T038"] && outcome.failures == 1, sourceLocation: location)
    let fault = outcome.report.diagnostics.first
    for word in words {
      #expect(
        fault?.message.contains(word) == true, "\(fault?.message ?? "")", sourceLocation: location)
    }
    #expect(fault?.location?.path == folder("c/a.crt"), sourceLocation: location)
    #expect(loader.holds.map(\.fault.message) == [fault?.message], sourceLocation: location)
    #expect(served(loader) === before, sourceLocation: location)
    // Reported once, and still held.
    #expect(loader.scan().codes == [] && loader.holds.count == 1, sourceLocation: location)
    #expect(loader.confirmAll().changes.materialChanged, sourceLocation: location)
    #expect(served(loader) !== before && loader.holds.isEmpty, sourceLocation: location)
  }

  @Test
  func `a renewal with the same intermediate, and with the next one of the same root, counts`() {
    var loader = loader("a.test")
    for key in [middleKey, TestKey()] {
      let before = served(loader)
      write("a.test", by: middle(key: key), sending: [middle(key: key)])
      #expect(loader.scan().changes.materialChanged && loader.holds.isEmpty)
      #expect(served(loader) !== before)
    }
  }

  @Test(arguments: [true, false])
  func `a chain whose intermediate has expired, or has another key, is held`(hasExpired: Bool) {
    var loader = loader("a.test")
    write("a.test", sending: [hasExpired ? middle(days: -30 ... -2) : middle(key: TestKey())])
    expectHeld(&loader, "clients would refuse", hasExpired ? "expired" : "")
  }

  @Test func `an expired certificate that no client needs does no harm`() {
    var loader = loader("a.test")
    write("a.test", sending: [middle(), middle(days: -30 ... -2)])
    #expect(loader.scan().changes.materialChanged && loader.holds.isEmpty)
  }

  @Test func `the pair of another host does not take the only certificate of one that is served`() {
    var loader = loader("a.test")
    write("b.test", sending: [middle()])
    expectHeld(&loader, "does not cover a.test")
  }

  @Test func `nor does one without one of its names`() {
    var loader = loader("a.test", "*.w.test", "other.test", hosts: ["a.test", "x.w.test"])
    write("a.test", sending: [middle()])
    expectHeld(&loader, "does not cover x.w.test")
    write("a.test", "x.w.test", sending: [middle()])
    #expect(loader.scan().changes.materialChanged)
  }

  @Test func `a name that another certificate has, or that is not served, may go`() {
    var loader = loader("a.test", "b.test", "c.test", hosts: ["a.test", "b.test"])
    write("b.test", sending: [middle()], as: "b")
    _ = loader.scan()
    write("a.test", sending: [middle()])
    #expect(loader.scan().changes.materialChanged && loader.holds.isEmpty)
  }

  @Test func `a certificate that has expired, or whose file is missing, takes no host over`() {
    var loader = loader("a.test")
    write("a.test", sending: [middle()], days: -30 ... -2, as: "old")
    write("a.test", sending: [middle()], as: "gone")
    write("z.test", sending: [middle()], as: "z")
    _ = loader.scan()
    #expect(loader.items.count == 4)
    folder.remove("c/gone.crt")
    folder.remove("c/gone.key")
    write("b.test", sending: [middle()])
    let outcome = loader.scanUntilSettled()
    #expect(outcome.codes.contains("T038"), "\(outcome.codes)")
    #expect(served(loader)?.names.hosts == ["a.test"])
  }

  @Test func `a hold ends when its hosts are not served any more, and when the file is right`() {
    var loader = loader("a.test")
    write("b.test", sending: [middle()])
    #expect(loader.scan().codes == ["T038"])
    write("a.test", sending: [middle()])
    #expect(loader.scan().changes.materialChanged && loader.holds.isEmpty)
    write("b.test", sending: [middle()])
    #expect(loader.scan().codes == ["T038"])
    serve(["b.test"], &loader)
    #expect(loader.scan().changes.materialChanged && loader.holds.isEmpty)
  }

  @Test func `one that has expired gives way to anything`() {
    var loader = loader("a.test", days: -9 ... -2)
    write("b.test", by: middle(key: TestKey()), sending: [middle()])
    _ = loader.scan()
    #expect(served(loader)?.names.hosts == ["b.test"] && loader.holds.isEmpty)
  }

  @Test func `another chain of the same certificate is another change`() {
    var loader = loader("a.test")
    let leaf = TestCertificate("a", names: ["a.test"], issuer: middle())
    folder.writeKey(leaf.key, "c/a.key")
    var ids: Set<String> = []
    for sent in [middle(days: -30 ... -2), middle(key: TestKey())] {
      folder.write("c/a.crt", bytes: leaf.pem + sent.pem)
      _ = loader.scanUntilSettled()
      ids.formUnion(loader.holds.map(\.id))
    }
    #expect(ids.count == 2)
  }

  @Test func `a confirmed change does not confirm another one`() {
    var loader = loader("a.test")
    write("b.test", sending: [middle()])
    expectHeld(&loader, "a.test")
    write("a.test", sending: [middle()])
    _ = loader.scan()
    write("b.test", sending: [middle()])
    #expect(loader.scan().codes == ["T038"])
  }
}
