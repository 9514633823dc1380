import Bytes
import Diagnostics
import Foundation
import Posix
import TLSTestSupport
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings
@testable import TLS

/// Certificates that survive a restart.
@Suite struct KeptCertificateTests {
  let folder = TestFolder("c")

  /// A server that is driven step by step.
  private final class Run {
    var loader: CertificateRunner
    let kept: KeptFiles
    let first: Outcome

    init(_ folder: TestFolder, state: String? = "state") throws {
      loader = CertificateRunner(root: folder("c")) {
        $0.revocations = folder("revoked")
        $0.state = state.map { folder($0) }
      }
      kept = try KeptFiles(loader.options, loader.reader)
      loader.keeper.take(kept.lastRun.certificates, at: .now())
      first = loader.scan([], isFinal: true, isStart: true)
      _ = loader.finishBackgroundWork()
      keep()
    }

    /// Reads everything, and keeps it. Returns how many certificates a restart would lose.
    @discardableResult func scan() -> Int {
      _ = (loader.scanUntilSettled(), loader.withdrawMissing())
      _ = loader.finishBackgroundWork()
      return keep()
    }

    @discardableResult func keep() -> Int {
      var wishes = KeptWishes()
      loader.keeper.addRisks(to: &wishes, at: .now())
      return kept.keep(wishes)
    }

    /// The digest of the certificate that is served to clients that ask for the host.
    func served(_ host: String) -> String? {
      let material = loader.material(ticketKeys: TicketKeys(), selfSigned: nil)
      return material.certificates(for: host).first?.fingerprint
    }
  }

  private func write(_ name: String, _ certificate: TLSTestSupport.TestCertificate) {
    folder.write(certificate, "c/" + name)
  }

  private func remove(_ names: String...) {
    for name in names {
      folder.remove("c/\(name).crt")
      folder.remove("c/\(name).key")
    }
  }

  private func certificate(_ host: String, key: TestKey = TestKey())
    -> TLSTestSupport.TestCertificate
  {
    TestCertificate(host, names: [host], key: key)
  }

  private func digest(_ certificate: TLSTestSupport.TestCertificate) -> String? {
    certificateDigest(in: SourceText(path: "", bytes: certificate.pem))?.hexText
  }

  private var files: [String] { folder.kept("certificates") }

  private func mode(_ name: String) -> UInt32? { (try? status(folder(name)))?.mode }

  // MARK: A faulty file

  @Test(arguments: [TestKey.Kind.p256, .rsa2048, .ed25519], ["c/", "c/live/a.test/"])
  func `a certificate whose file is faulty is served after a restart too`(
    kind: TestKey.Kind, place: String
  ) throws {
    let good = certificate("a.test", key: TestKey(kind))
    folder.makeFolder(place)
    folder.write(good, place + "a")
    let name = String(place.dropFirst(2)) + "a.crt"
    do {
      let run = try Run(folder)
      #expect(files.isEmpty)
      folder.write(place + "a.crt", "broken")
      #expect(run.scan() == 0 && files == [name] && run.kept.versions?.certificates == 1)
      #expect(mode("state/kept/certificates") == 0o700)
      #expect(mode("state/kept/certificates/" + name) == 0o600)
    }
    do {
      let run = try Run(folder)
      #expect(run.served("a.test") == digest(good) && run.first.failures == 1)
      #expect(run.first.report.diagnostics.first?.note?.contains("last good version") == true)
      #expect(run.first.changes.materialChanged && files == [name])
      #expect(run.loader.items.values.first?.certificate?.path == folder(place + "a.crt"))
      // Repaired: nothing is kept any more.
      let next = certificate("a.test")
      folder.write(next, place + "a")
      run.scan()
      #expect(run.served("a.test") == digest(next) && files.isEmpty)
    }
  }

  @Test func `the kept file has the key in a form that other programs read`() throws {
    for (kind, label) in [
      (TestKey.Kind.p256, "EC PRIVATE KEY"), (.rsa2048, "RSA PRIVATE KEY"),
      (.ed25519, "PRIVATE KEY"),
    ] {
      let key = TestKey(kind)
      for pem in label == "PRIVATE KEY" ? [key.pem()] : [key.pem(), key.traditionalPEM()] {
        let bytes = certificate("a.test", key: key).pem + pem
        let read = CertificateFile(chain: SourceText(path: "a.pem", bytes: bytes)).read(
          .init(now: Clock.wallSeconds(), warningDays: 0, intermediates: .init()))
        let text = String(decoding: try #require(read.certificate).pem(), as: UTF8.self)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        let label = pem == key.pem() ? "PRIVATE KEY" : label
        #expect(text.hasSuffix("-----END \(label)-----\n"))
        let start = try #require(text.range(of: "-----BEGIN \(label)")).lowerBound
        #expect(TestKey(pem: String(text[start...])) != nil)
      }
    }
  }

  @Test func `a certificate that a broken link hides is kept`() throws {
    folder.write(certificate("a.test"), "away/a.test")
    folder.link("c/live", to: "../away")
    let run = try Run(folder)
    let first = run.served("a.test")
    #expect(first != nil && folder.kept("certificates").isEmpty)
    folder.rename("away", to: "gone")
    run.scan()
    #expect(run.served("a.test") == first)
    #expect(folder.kept("certificates") == ["live/a.test.crt"])
  }

  @Test func `a certificate that was repaired or removed while nothing ran is as it is`() throws {
    for name in ["a", "b", "c"] { write(name, certificate(name + ".test")) }
    do {
      let run = try Run(folder)
      for name in ["a", "b"] { folder.write("c/\(name).crt", "broken") }
      #expect(run.scan() == 0 && files == ["a.crt", "b.crt"])
    }
    let next = certificate("a.test")
    write("a", next)
    remove("b")
    let run = try Run(folder)
    #expect(run.served("a.test") == digest(next) && run.served("b.test") == nil)
    #expect(files.isEmpty && run.loader.holds.isEmpty)
  }

  @Test func `a certificate that OpenSSL refuses does not replace a kept one at the start`() throws
  {
    let root = TestCertificate("Root", isAuthority: true)
    let key = TestKey()
    let good = TestCertificate("a", names: ["a.test"], key: key, issuer: root)
    write("a", good)
    do {
      let run = try Run(folder)
      write("a", TestCertificate("a", names: ["a.test"], key: key, issuer: root, sha1: true))
      run.scan()
      _ = run.loader.finishBackgroundWork()
      #expect(run.served("a.test") == digest(good) && run.keep() == 0 && files.count == 1)
    }
    let run = try Run(folder)
    #expect(run.served("a.test") == digest(good) && files.count == 1)
  }

  @Test func `a change that was held is held after a restart too, until it is confirmed`() throws {
    let (good, other) = (certificate("a.test"), certificate("b.test"))
    let catalog = Catalog(
      sites: [Site(name: .host("a.test"), answers: [.unavailable])],
      material: nil)
    write("a", good)
    do {
      let run = try Run(folder)
      run.loader.catalog = catalog
      write("a", other)
      run.scan()
      #expect(run.served("a.test") == digest(good) && run.keep() == 0 && files.count == 1)
    }
    let run = try Run(folder)
    #expect(run.served("a.test") == digest(good) && run.first.codes == ["T038"])
    run.loader.catalog = catalog
    #expect(run.loader.confirmAll().changes.materialChanged)
    run.keep()
    #expect(run.served("b.test") == digest(other) && files.isEmpty)
  }

  // MARK: A missing file

  @Test
  func `certificates that were held are held after a restart, until they are back or confirmed`()
    throws
  {
    let certificates = (0..<6).map { certificate("h\($0).test") }
    for (index, certificate) in certificates.enumerated() { write("h\(index)", certificate) }
    do {
      let run = try Run(folder)
      remove("h0", "h1", "h2", "h3")
      run.scan()
      #expect(run.loader.holds.count == 1 && run.keep() == 0 && files.count == 4)
    }
    do {
      let run = try Run(folder)
      for index in 0..<6 { #expect(run.served("h\(index).test") == digest(certificates[index])) }
      #expect(run.first.codes == ["T036"] && run.keep() == 0 && files.count == 4)
      run.scan()
      let id = run.loader.holds.first?.id
      #expect(run.loader.holds.count == 1 && run.served("h0.test") != nil)
      // One is back: the hold is smaller, and the same.
      write("h0", certificates[0])
      run.scan()
      #expect(files.count == 3 && run.loader.holds.map(\.id) == [id ?? ""])
    }
    let run = try Run(folder)
    #expect(run.loader.confirmAll().changes.materialChanged && run.loader.holds.isEmpty)
    run.keep()
    #expect(files.isEmpty && run.served("h0.test") != nil && run.served("h1.test") == nil)
  }

  @Test(arguments: [false, true])
  func `a certificates folder that is missing at the start does not hide what was kept`(
    isFaulty: Bool
  ) throws {
    write("a", certificate("a.test"))
    do {
      let run = try Run(folder)
      if isFaulty { folder.write("c/a.crt", "broken") } else { folder.rename("c", to: "away") }
      #expect(run.scan() == 0 && files.count == 1)
    }
    if isFaulty { folder.rename("c", to: "away") }
    let run = try Run(folder)
    #expect(run.served("a.test") != nil && run.keep() == 0 && files.count == 1)
    folder.rename("away", to: "c")
    run.scan()
    #expect(files.isEmpty != isFaulty && run.loader.holds.isEmpty)
    #expect(run.served("a.test") != nil)
  }

  // MARK: What is never kept

  @Test func `a folder that others may open is refused, at the start and later`() throws {
    write("a", certificate("a.test"))
    folder.makeFolder("state/kept/certificates")
    chmod(folder("state/kept/certificates"), 0o755)
    folder.write("c/a.crt", "")
    do {
      let run = try Run(folder)
      #expect(run.kept.diagnostics.map(\.code) == ["H043"])
      let fault = try #require(run.kept.diagnostics.first)
      #expect(fault.message.hasPrefix("other users can open this folder (mode 755), but the"))
      #expect(fault.help?.contains("chmod 700") == true)
      write("a", certificate("a.test"))
      run.scan()
      folder.write("c/a.crt", "broken")
      run.scan()
      #expect(run.keep() == 1 && files.isEmpty && run.kept.diagnostics.count == 1)
      chmod(folder("state/kept/certificates"), 0o700)
      #expect(run.keep() == 0 && files.count == 1)
      // A file that lies in an open folder is not taken up.
      chmod(folder("state/kept/certificates"), 0o710)
    }
    let run = try Run(folder)
    #expect(run.served("a.test") == nil && run.kept.diagnostics.map(\.code) == ["H043"])
  }

  private func keep(_ certificate: TLSTestSupport.TestCertificate, isHeld: Bool = false) {
    folder.makeFolder("state/kept/certificates")
    chmod(folder("state/kept/certificates"), 0o700)
    folder.write(
      "state/kept/certificates/a.crt", bytes: certificate.pem + certificate.key.pem())
    if isHeld { folder.write("state/kept/held", "certificates/a.crt\n") }
  }

  @Test(arguments: [false, true])
  func `one that has expired is not taken up, and removed`(isHeld: Bool) throws {
    keep(TestCertificate("a", names: ["a.test"], days: -9 ... -1), isHeld: isHeld)
    if !isHeld { folder.write("c/a.crt", "broken") }
    do {
      let run = try Run(folder)
      #expect(run.served("a.test") == nil && files.isEmpty && run.loader.holds.isEmpty)
    }
    // One that has not is.
    keep(certificate("a.test"), isHeld: isHeld)
    try #expect(Run(folder).served("a.test") != nil)
  }

  /// The clock of a board without a battery is behind until it is set.
  @Test func `one that is not valid yet stays`() throws {
    let next = TestCertificate("a", names: ["a.test"], days: 1...9)
    keep(next)
    folder.write("c/a.crt", "broken")
    let run = try Run(folder)
    #expect(run.scan() == 0 && files == ["a.crt"] && run.served("a.test") == digest(next))
  }

  @Test func `one that has expired while it was served is not kept`() throws {
    write("a", TestCertificate("a", names: ["a.test"], days: -9 ... -1))
    let run = try Run(folder)
    #expect(run.loader.items["a.crt"]?.certificate != nil)
    folder.write("c/a.crt", "broken")
    #expect(run.scan() == 0 && files.isEmpty)
  }

  @Test func `one that is to be revoked is removed, and never kept or taken up`() throws {
    let good = certificate("a.test")
    write("a", good)
    do {
      let run = try Run(folder)
      folder.write("c/a.crt", "broken")
      #expect(run.scan() == 0 && files.count == 1)
      folder.write("revoked/" + (digest(good) ?? ""), "")
      #expect(run.keep() == 0 && files.isEmpty && run.served("a.test") != nil)
    }
    keep(good)
    try #expect(Run(folder).served("a.test") == nil && files.isEmpty)
  }

  @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\n"])
  func `a damaged file is reported, passed over and removed`(text: String) throws {
    keep(certificate("a.test"))
    folder.write("state/kept/certificates/a.crt", text)
    folder.write("c/a.crt", "broken")
    let run = try Run(folder)
    #expect(run.kept.diagnostics.map(\.code) == ["H044"] && run.served("a.test") == nil)
    #expect(files.isEmpty)
  }

  @Test func `without HTTPS kept certificates are removed, and not read`() throws {
    keep(certificate("a.test"))
    var options = HostingOptions()
    options.state = folder("state")
    let kept = try KeptFiles(options)
    kept.keep(KeptWishes())
    #expect(kept.lastRun.certificates.isEmpty && kept.diagnostics.isEmpty && files.isEmpty)
  }
}
