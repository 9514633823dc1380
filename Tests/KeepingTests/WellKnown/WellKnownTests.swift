import CatalogSupport
import Diagnostics
import Foundation
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// Well-known files besides those of app associations, served by name and type.
@Suite struct WellKnownTests {
  let folder = TestFolder("domains")

  private func write(_ name: String, _ text: String) {
    folder.write("domains/a.test/.well-known/" + name, text)
  }

  private func loader(_ added: [WellKnownFile] = []) -> DomainRunner {
    DomainRunner(root: folder("domains")) { $0.wellKnown = added }
  }

  @Test func `every file of the table is served as it is`() throws {
    let text = " {\"origins\": [\"https://b.test\"]}\n\n"
    for file in WellKnownFile.all { write(file.name, text) }
    var loader = loader()
    _ = loader.scanAll()
    for file in WellKnownFile.all { try #expect(loader.served(file.name) == text) }
    #expect(loader.isEverythingCurrent)
  }

  @Test func `a host that has only such files lacks nothing`() {
    write("security.txt", "Contact: mailto:a@a.test\n")
    var loader = loader()
    #expect(loader.scanAll().report.diagnostics.isEmpty)
    var status = HostingStatus()
    status.catalog = Catalog(sites: loader.sites, material: nil)
    status.isLoaded = true
    #expect(loader.sites.map(status.state) == [.served])
    #expect(status.obstacles(now: 0) == [])
  }

  @Test func `other names are not served, and neither is the host's own folder`() {
    write("change-password", "{}")
    write("security.txt.bak", "x")
    folder.write("domains/a.test/security.txt", "x")
    folder.write("domains/a.test/apple-app-site-association", small)
    var loader = loader()
    #expect(loader.scanAll().codes == ["H049"])
    #expect(loader.site("a.test")?.answers.count == 1)
  }

  @Test func `a faulty version does not replace a good one`() throws {
    write("nostr.json", "{}")
    var loader = loader()
    _ = loader.scanAll()
    for (text, code) in [("{", "J"), ("[]", "H037"), ("", "H037")] {
      write("nostr.json", text)
      let codes = loader.scanAll().codes
      #expect(codes.count == 1 && codes.allSatisfy { $0.hasPrefix(code) }, "\(text) \(codes)")
      try #expect(loader.served("nostr.json") == "{}")
      #expect(loader.problems.all.values.allSatisfy { $0.isLastGood })
    }
    write("nostr.json", #"{"names":{}}"#)
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("nostr.json") == #"{"names":{}}"#)
  }

  @Test func `a faulty file without a good version is unavailable`() throws {
    write("webauthn", "<html></html>")
    var loader = loader()
    #expect(loader.scanAll().codes.count == 1)
    try #expect(loader.served("webauthn") == "unavailable")
    var status = HostingStatus()
    status.catalog = Catalog(sites: loader.sites, material: nil)
    #expect(loader.sites.map(status.state) == [.refused])
  }

  @Test func `files about passkeys are judged by their rules`() throws {
    let good = #"{"origins": ["https://b.test"]}"#
    write("webauthn", good)
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    write("webauthn", #"{"origins": ["http://b.test"]}"#)
    #expect(loader.scanAll().codes == ["D151"])
    try #expect(loader.served("webauthn") == good)
    // With nothing better known it is served, and reported.
    write("passkey-endpoints", "[]")
    #expect(loader.scanAll().codes.sorted() == ["D151", "H037"])
    try #expect(loader.served("passkey-endpoints") == "unavailable")
    // A warning keeps nothing from being served.
    write("webauthn", good)
    write("passkey-endpoints", #"{"enrol": "https://b.test"}"#)
    #expect(loader.scanAll().codes == ["D162"])
    try #expect(loader.served("passkey-endpoints").contains("enrol\""))
    // Neither does an origin that clients pass over, beside a good one.
    let partly = #"{"origins": ["https://b.test", "http://c.test"]}"#
    write("webauthn", partly)
    let codes = loader.scanAll().codes
    #expect(codes.contains("D151"), "\(codes)")
    try #expect(loader.served("webauthn") == partly)
  }

  @Test func `a text is served whatever it is, up to the limit`() throws {
    let limit = DomainObserver.wellKnownBytes
    write("security.txt", String(repeating: "a", count: limit))
    var loader = loader()
    loader.keeper.reader.turn = .endless
    #expect(loader.scanAll().codes == [])
    write("security.txt", String(repeating: "b", count: limit + 1))
    #expect(loader.scanAll().codes == ["H009"])
    try #expect(loader.served("security.txt") == String(repeating: "a", count: limit))
  }

  @Test func `a missing file is withdrawn, and named`() throws {
    folder.write("domains/a.test/apple-app-site-association", small)
    write("security.txt", "a")
    write("discord", "dh=1")
    folder.write("domains/b.test.json", small)
    var loader = loader()
    _ = loader.scanAll()
    folder.remove("domains/a.test/.well-known/discord")
    #expect(!loader.isEverythingCurrent)
    let outcome = loader.scanAndWithdraw()
    #expect(outcome.report.removed == ["a.test (its discord)"])
    try #expect(loader.served("discord") == "absent")
    try #expect(loader.served("security.txt") == "a")
    folder.remove("domains/a.test/.well-known")
    #expect(loader.scanAndWithdraw().report.removed == ["a.test (its security.txt)"])
    #expect(loader.site("a.test")?.answers.count == 1)
  }

  @Test func `files in a folder come and go as others do`() throws {
    folder.makeFolder("domains/a.test/.well-known/matrix")
    folder.write("domains/a.test/apple-app-site-association", small)
    var loader = loader()
    _ = loader.scanAll()
    write("matrix/client", "{}")
    // Seen although the folder around it is as it was.
    #expect(!loader.isEverythingCurrent)
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("matrix/client") == "{}")
    #expect(loader.isEverythingCurrent)
    write("matrix/client", "{ }")
    #expect(!loader.isEverythingCurrent)
    _ = loader.scanAll()
    try #expect(loader.served("matrix/client") == "{ }")
    folder.remove("domains/a.test/.well-known/matrix/client")
    _ = loader.scanAndWithdraw()
    try #expect(loader.served("matrix/client") == "absent")
  }

  @Test func `a text that a link leads to from outside is refused, JSON is not`() throws {
    folder.write("outside/secret", "{}")
    folder.write("domains/.shared/text", "t")
    folder.makeFolder("domains/a.test/.well-known")
    for (name, target) in [
      ("discord", "../../../outside/secret"), ("nostr.json", "../../../outside/secret"),
      ("security.txt", "../../.shared/text"),
    ] { folder.link("domains/a.test/.well-known/" + name, to: target) }
    var loader = loader()
    #expect(loader.scanAll().folderCodes == ["H038"])
    try #expect(loader.served("discord") == "unavailable")
    try #expect(loader.served("nostr.json") == "{}")
    try #expect(loader.served("security.txt") == "t")
  }

  /// Its path cannot be followed any more, or leads to another file.
  @Test(arguments: ["", "another"])
  func `a text that changes while its place is checked is read again`(later: String) throws {
    write("security.txt", "Contact: mailto:a@a.test\n")
    let path = folder("domains/a.test/.well-known/security.txt")
    let content = try readContent(path, limit: 1000)
    folder.remove("domains/a.test/.well-known/security.txt")
    if !later.isEmpty {
      folder.write("domains/another", later)
      folder.link("domains/a.test/.well-known/security.txt", to: "../../another")
    }
    let reader = loader().keeper.reader
    let number = try #require(
      reader.observer.wellKnown.files.firstIndex { $0.name == "security.txt" })
    var reading = DomainReading()
    let found = reader.finding(
      number, .present(path: path, content), .init(entry: .init(name: .any)), &reading)
    #expect(found.isUnreadable, "\(found)")
    #expect(reading.facts.settlingTime > 0)
  }

  @Test func `a host's folder may be elsewhere`() throws {
    folder.write("site/.well-known/discord", "dh=1")
    folder.link("domains/a.test", to: "../site")
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("discord") == "dh=1")
  }

  @Test(.enabled(if: geteuid() != 0))
  func `a folder that may only be searched is enough`() throws {
    write("discord", "dh=1")
    write("matrix/server", "{}")
    let path = folder("domains/a.test/.well-known")
    chmod(path, 0o311)
    defer { chmod(path, 0o755) }
    var loader = loader()
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("discord") == "dh=1")
    try #expect(loader.served("matrix/server") == "{}")
    #expect(loader.isEverythingCurrent)
  }

  @Test(.enabled(if: geteuid() != 0))
  func `a folder that is closed withdraws nothing`() throws {
    write("discord", "dh=1")
    var loader = loader()
    _ = loader.scanAll()
    let path = folder("domains/a.test/.well-known")
    chmod(path, 0)
    defer { chmod(path, 0o755) }
    _ = loader.scanAndWithdraw()
    try #expect(loader.served("discord") == "dh=1")
  }

  @Test func `settings add files, and change the type of one`() throws {
    write("gpc.json", "[]")
    write("discord", "[]")
    write("x/y", "text")
    let added = [
      WellKnownFile("gpc.json", "application/octet-stream"),
      WellKnownFile("discord", "application/json"), WellKnownFile("x/y", "text/plain"),
    ]
    var loader = loader(added)
    #expect(loader.scanAll().codes == [])
    try #expect(loader.served("gpc.json") == "[]")
    try #expect(loader.served("discord") == "[]")
    try #expect(loader.served("x/y") == "text")
    let most = (0..<WellKnownFiles.mostAdded).map { WellKnownFile("f\($0)/g", "text/plain") }
    let table = WellKnownFiles(adding: most)
    #expect(table.files.count == WellKnownFiles.most && table.page == table.files.count - 1)
    #expect(WellKnownFiles.most <= FileLocations.mostFiles)
  }

  @Test func `each has its type, and those that scripts read are open to them`() {
    let table = WellKnownFiles()
    let maker = ContentMaker(cacheControl: "no-cache", wellKnown: table)
    for (number, file) in table.files.enumerated() {
      let bytes = Array("{}".utf8)
      let content = maker.content(
        of: bytes, kind: .file(number))
      let head = text(content.identity.head)
      #expect(head.contains("\r\nContent-Type: \(file.mediaType)\r\n"), "\(file.name)")
      #expect(
        head.contains("\r\nAccess-Control-Allow-Origin: *\r\n")
          == ["matrix/client", "matrix/support", "nostr.json", "openid-configuration"]
          .contains(file.name))
    }
  }
}
