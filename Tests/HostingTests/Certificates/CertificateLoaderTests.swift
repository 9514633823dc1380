import Diagnostics
import Foundation
import Posix
import TLS
import TLSTestSupport
import Testing

@testable import Hosting

/// Real files in a folder of the test's own.
@Suite final class CertificateLoaderTests {
  let root: String
  private var loader: CertificateLoader

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    root = folder.path
    loader = CertificateLoader(root: root, options: HostingOptions())
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws {
    let path = root + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // Renamed into place, as careful writers do.
    try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func write(_ certificate: TestCertificate, _ chain: String, _ key: String) throws {
    try write(chain, certificate.pem)
    try write(key, certificate.key.pem())
  }

  private func link(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: root + "/" + name)
    try FileManager.default.createSymbolicLink(
      atPath: root + "/" + name, withDestinationPath: target)
  }

  private func covered(_ hosts: String...) -> [Bool] {
    let material = loader.material(ticketKeys: TicketKeys(), standIn: nil)
    return hosts.map { material.covers($0) }
  }

  private func codes(_ outcome: CertificateLoader.Outcome) -> [String] {
    outcome.diagnostics.map(\.code)
  }

  @Test func `an empty folder is empty, and a missing one is told`() throws {
    #expect(codes(loader.loadAll()) == [])
    #expect(loader.isEmpty)
    var options = HostingOptions()
    var missing = CertificateLoader(root: root + "/none", options: options)
    // Nobody asked for the default folder.
    #expect(codes(missing.loadAll()) == [])
    options.isCertificatesFolderExpected = true
    missing = CertificateLoader(root: root + "/none", options: options)
    #expect(codes(missing.loadAll()) == ["T033"])
    // Told once.
    #expect(codes(missing.loadAll()) == [])
  }

  @Test func `files come, change and go`() throws {
    try write(TestCertificate("a", names: ["a.test"]), "a.crt", "a.key")
    let first = loader.loadAll()
    #expect(first.hasChanged && codes(first) == ["T012"])
    #expect(covered("a.test", "b.test") == [true, false])
    #expect(!loader.isStale())

    let again = loader.loadAll()
    #expect(!again.hasChanged && codes(again) == [])

    try write(TestCertificate("b", names: ["b.test"]), "b.pem", "b.key")
    #expect(loader.isStale())
    #expect(loader.reload(names: ["b.pem", "b.key"]).hasChanged)
    #expect(covered("a.test", "b.test") == [true, true])

    try write(TestCertificate("a", names: ["aa.test"]), "a.crt", "a.key")
    #expect(loader.reload(names: ["a.crt"]).hasChanged)
    #expect(covered("a.test", "aa.test") == [false, true])

    for name in ["a.crt", "a.key"] { try FileManager.default.removeItem(atPath: root + "/" + name) }
    #expect(loader.reload(names: ["a.crt", "a.key"]).hasChanged)
    #expect(covered("aa.test", "b.test") == [false, true])
  }

  @Test func `the same content in new files changes nothing`() throws {
    let certificate = TestCertificate("a", names: ["a.test"])
    try write(certificate, "a.crt", "a.key")
    _ = loader.loadAll()
    let hash = loader.contentHash()
    try write(certificate, "a.crt", "a.key")
    #expect(loader.contentHash() == hash)
    #expect(!loader.reload(names: ["a.crt"]).hasChanged)
    try write(TestCertificate("a", names: ["a.test"]), "a.crt", "a.key")
    #expect(loader.contentHash() != hash)
  }

  @Test func `a faulty file keeps its last good version, and a mended one is taken`() throws {
    let old = TestCertificate("a", names: ["a.test"])
    try write(old, "a.crt", "a.key")
    _ = loader.loadAll()
    let new = TestCertificate("a", names: ["a.test", "b.test"])
    // Half of a renewal: the chain is new, the key is not.
    try write("a.crt", new.pem)
    let outcome = loader.reload(names: ["a.crt"])
    #expect(!outcome.hasChanged)
    #expect(codes(outcome) == ["T004"])
    #expect(outcome.diagnostics.first?.note == "its last good version is still served")
    #expect(covered("a.test", "b.test") == [true, false])
    // Not told again.
    #expect(codes(loader.loadAll()) == [])

    try write("a.key", new.key.pem())
    #expect(loader.reload(names: ["a.key"]).hasChanged)
    #expect(covered("a.test", "b.test") == [true, true])
  }

  @Test func `dates that clients refuse take the place of no valid certificate`() throws {
    for days in [-30 ... -1, 10...90] {
      try write(TestCertificate("a", names: ["a.test"]), "a.crt", "a.key")
      _ = loader.loadAll()
      try write(TestCertificate("a", names: ["a.test", "b.test"], days: days), "a.crt", "a.key")
      let outcome = loader.reload(names: ["a.crt", "a.key"])
      #expect(!outcome.hasChanged)
      #expect(outcome.diagnostics.map(\.severity).contains(.error))
      #expect(outcome.diagnostics.contains { $0.note == "its last good version is still served" })
      #expect(covered("a.test", "b.test") == [true, false])
      // Of two that are both refused the newer counts.
      try write(TestCertificate("a", names: ["a.test"], days: -30 ... -2), "a.crt", "a.key")
      loader = CertificateLoader(root: root, options: HostingOptions())
      _ = loader.loadAll()
      try write(TestCertificate("a", names: ["a.test", "b.test"], days: days), "a.crt", "a.key")
      #expect(loader.reload(names: ["a.crt", "a.key"]).hasChanged)
      #expect(covered("a.test", "b.test") == [true, true])
    }
  }

  @Test func `without a good version nothing is served, and every fault is told`() throws {
    try write("a.crt", Array("-----BEGIN CERTIFICATE-----\nAQID\n".utf8))
    try link("b.crt", to: "nowhere")
    try write("c.crt", TestCertificate("c", names: ["c.test"]).pem)
    let outcome = loader.loadAll()
    #expect(!outcome.hasChanged && loader.isEmpty)
    #expect(codes(outcome).sorted() == ["T002", "T003", "T034"])
  }

  @Test func `a key that everybody can read is told`() throws {
    let certificate = TestCertificate("a", names: ["a.test"])
    try write(certificate, "a.crt", "a.key")
    try write("a.key", certificate.key.pem(), mode: 0o644)
    #expect(codes(loader.loadAll()) == ["T012", "T015"])
    // A change of the mode alone is seen.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: root + "/a.key")
    #expect(loader.isStale())
    #expect(codes(loader.reload(names: [])) == [])
    #expect(!loader.isStale())
  }

  @Test func `a Kubernetes secret is swapped as a whole`() throws {
    try write(TestCertificate("1", names: ["one.test"]), "..1/tls.crt", "..1/tls.key")
    try write(TestCertificate("2", names: ["two.test"]), "..2/tls.crt", "..2/tls.key")
    try link("..data", to: "..1")
    try link("tls.crt", to: "..data/tls.crt")
    try link("tls.key", to: "..data/tls.key")
    _ = loader.loadAll()
    #expect(covered("one.test", "two.test") == [true, false])
    try link("..data", to: "..2")
    #expect(loader.isStale())
    #expect(loader.reload(names: ["..data"]).hasChanged)
    #expect(covered("one.test", "two.test") == [false, true])
  }

  @Test func `certbot's folder works when mounted as a whole, with a renewal`() throws {
    try write(
      TestCertificate("1", names: ["one.test"]), "archive/e/fullchain1.pem",
      "archive/e/privkey1.pem")
    try write(
      TestCertificate("2", names: ["two.test"]), "archive/e/fullchain2.pem",
      "archive/e/privkey2.pem")
    try write("live/README", Array("read me".utf8))
    try write("live/e/README", Array("read me".utf8))
    try write("renewal/e.conf", [])
    for name in ["fullchain", "privkey"] {
      try link("live/e/\(name).pem", to: "../../archive/e/\(name)1.pem")
    }
    #expect(codes(loader.loadAll()) == ["T012"])
    #expect(covered("one.test", "two.test") == [true, false])
    let watched = Array(loader.watchedPaths)
    #expect(Set(watched.map(\.name)) == ["live"])
    #expect(watched.flatMap(\.directories).count == 2 && watched.flatMap(\.files).count == 2)

    for name in ["fullchain", "privkey"] {
      try link("live/e/\(name).pem", to: "../../archive/e/\(name)2.pem")
    }
    #expect(loader.reload(names: ["live"]).hasChanged)
    #expect(covered("one.test", "two.test") == [false, true])
  }

  @Test func `links that lead back end the search`() throws {
    try write(TestCertificate("a", names: ["a.test"]), "x/a.crt", "x/a.key")
    try link("x/back", to: "..")
    try link("self", to: ".")
    #expect(codes(loader.loadAll()) == ["T012"])
    #expect(covered("a.test") == [true])
  }

  @Test func `the default is found by the name of its files`() throws {
    try write(TestCertificate("a", names: ["a.test"]), "a.crt", "a.key")
    _ = loader.loadAll()
    #expect(loader.material(ticketKeys: TicketKeys(), standIn: nil).isDefaultMissing)
    try write(TestCertificate("d", names: ["d.test"]), "default/tls.crt", "default/tls.key")
    _ = loader.loadAll()
    #expect(!loader.material(ticketKeys: TicketKeys(), standIn: nil).isDefaultMissing)
  }
}
