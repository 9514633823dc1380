import Testing

@testable import Hosting

@Suite struct CertificateEntriesTests {
  private static func entries(_ paths: String..., root: String = "/etc/certificates")
    -> CertificateEntries
  {
    CertificateFolder(root: root, paths: paths.map { ($0, isDirectory: false) }).entries
  }

  @Test func `entries are in the order of their chains' paths, and are what was put in`() {
    let entries = Self.entries(
      "tls.crt", "tls.key", "b.crt", "b.key", "a.crt", "a-b.crt", "a-b.key", "z/fullchain.pem",
      "z/privkey.pem", "a/x.pem", "é.crt", "é.key")
    let expected: [CertificateFolder.Entry] = [
      .init(name: "a-b", chain: "a-b.crt", key: "a-b.key"),
      .init(name: "a", chain: "a.crt", key: nil),
      .init(name: "x", chain: "a/x.pem", key: nil),
      .init(name: "b", chain: "b.crt", key: "b.key"),
      // The folder itself is a secret.
      .init(name: "certificates", chain: "tls.crt", key: "tls.key"),
      .init(name: "z", chain: "z/fullchain.pem", key: "z/privkey.pem"),
      .init(name: "é", chain: "é.crt", key: "é.key"),
    ]
    #expect(Array(entries) == expected)
    #expect(entries.indices.map { entries.chain($0) } == expected.map(\.chain))
    #expect(entries.indices.map { entries.name($0) } == expected.map(\.name))
    #expect(entries.indices.map { entries.isNamed("a", $0) } == expected.map { $0.name == "a" })
    #expect(Array(CertificateEntries()) == [])
  }

  @Test func `entries are found again in another list by their chains`() {
    let before = Self.entries("a.crt", "b.crt", "b.key", "d.crt", "d.key", "e.pem")
    let after = Self.entries("b.crt", "b-key.pem", "c.crt", "d.crt", "d.key", "f.crt", "f.key")
    #expect(after.indices(in: before) == [1, nil, 2, nil])
    #expect(before.indices(in: after) == [nil, 0, 2, nil])
    #expect(!after.hasKey(0, ofEntry: 1, in: before))
    #expect(after.hasKey(2, ofEntry: 2, in: before))
    #expect(before.indices(in: CertificateEntries()) == [nil, nil, nil, nil])
    #expect(before != after)
    #expect(before == Self.entries("e.pem", "d.key", "d.crt", "b.key", "b.crt", "a.crt"))
  }

  @Test func `all that an entry is made from is watched by the name it belongs to`() {
    let entries = Self.entries(
      "a.crt", "a.key", "b.pem", "live/x/fullchain.pem", "live/x/privkey.pem", root: "/c")
    let watched = WatchedCertificates(
      root: "/c", directories: ["live", "live/x"], entries: entries)
    #expect(
      watched.map { "\($0.name): \($0.directories + $0.files)" } == [
        #"live: ["/c/live"]"#, #"live: ["/c/live/x"]"#, #"a.crt: ["/c/a.crt"]"#,
        #"a.key: ["/c/a.key"]"#, #"b.pem: ["/c/b.pem"]"#,
        #"live: ["/c/live/x/fullchain.pem"]"#, #"live: ["/c/live/x/privkey.pem"]"#,
      ])
  }
}
