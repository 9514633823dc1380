import Diagnostics
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct CertificateFolderTests {
  struct Row: Sendable {
    let comment: Comment
    let paths: [String]
    /// `name: chain + key`
    let entries: [String]
    var codes: [String] = []

    init(_ comment: Comment, _ paths: [String], _ entries: [String], _ codes: [String] = []) {
      self.comment = comment
      self.paths = paths
      self.entries = entries
      self.codes = codes
    }
  }

  static let rows = [
    Row("nothing", [], []),
    Row("a chain and its key", ["a.crt", "a.key"], ["a: a.crt + a.key"]),
    Row("the other ending", ["a.pem", "a.key"], ["a: a.pem + a.key"]),
    Row("upper case", ["a.CRT", "a.KEY"], ["a: a.CRT + a.KEY"]),
    Row("both in one", ["a.pem"], ["a: a.pem"]),
    Row("a chain without a key is reported when it is read", ["a.crt"], ["a: a.crt"]),
    Row(
      "names with dots and wildcards", ["_wildcard.example.com.crt", "_wildcard.example.com.key"],
      ["_wildcard.example.com: _wildcard.example.com.crt + _wildcard.example.com.key"]),
    Row("several", ["b.crt", "b.key", "a.pem"], ["a: a.pem", "b: b.crt + b.key"]),
    Row("mkcert's names", ["a.pem", "a-key.pem"], ["a: a.pem + a-key.pem"]),
    Row("a name that only resembles mkcert's", ["a-key.pem"], ["a-key: a-key.pem"]),
    Row("two chains for one key", ["a.crt", "a.pem", "a.key"], ["a: a.crt + a.key"], ["T030"]),
    Row("two chains without one", ["a.crt", "a.pem"], ["a: a.pem"], ["T030"]),
    Row(
      "lego's files", ["a.crt", "a.key", "a.issuer.crt", "a.json"], ["a: a.crt + a.key"]),
    Row(
      "a name that only resembles lego's", ["a.issuer.crt", "a.issuer.key", "b.issuer.crt"],
      ["a.issuer: a.issuer.crt + a.issuer.key", "b.issuer: b.issuer.crt"]),
    Row("a key alone", ["a.key", "b.crt"], ["b: b.crt"], ["T031"]),
    Row("other forms", ["a.p12", "b.cer", "c.der"], [], ["T032", "T032", "T032"]),
    Row(
      "files that nobody expects to be served",
      [
        "README", "README.md", "a.csr", "a.cnf", ".gitkeep", "a.crt~", ".a.crt.swp", "crt", "x.",
        "ssl-dhparams.pem", "dhparam.pem", "dhparams-4096.pem",
      ], []
    ),

    Row(
      "a Kubernetes secret", ["k/tls.crt", "k/tls.key", "k/ca.crt"], ["k: k/tls.crt + k/tls.key"]),
    Row(
      "the folder is a Kubernetes secret", ["tls.crt", "tls.key", "ca.crt"],
      ["certificates: tls.crt + tls.key"]),
    Row(
      "elsewhere ca.crt is a certificate like others", ["ca.crt", "ca.key"],
      ["ca: ca.crt + ca.key"]),
    Row(
      "a certbot folder",
      [
        "e.com/README", "e.com/cert.pem", "e.com/chain.pem", "e.com/fullchain.pem",
        "e.com/privkey.pem",
      ],
      ["e.com: e.com/fullchain.pem + e.com/privkey.pem"]),
    Row(
      "the folder is a certbot folder", ["fullchain.pem", "privkey.pem", "cert.pem", "chain.pem"],
      ["certificates: fullchain.pem + privkey.pem"]),
    Row(
      "certbot's live folder",
      [
        "live/README", "live/e.com/fullchain.pem", "live/e.com/privkey.pem",
        "live/f.com/fullchain.pem", "live/f.com/privkey.pem",
      ],
      [
        "e.com: live/e.com/fullchain.pem + live/e.com/privkey.pem",
        "f.com: live/f.com/fullchain.pem + live/f.com/privkey.pem",
      ]),
    Row(
      "a folder of ordinary pairs", ["more/a.crt", "more/a.key"], ["a: more/a.crt + more/a.key"]),
    Row("a key in another folder is not a key", ["x/a.crt", "a.key"], ["a: x/a.crt"], ["T031"]),
    Row("a secret without its key", ["k/tls.crt"], ["k: k/tls.crt"]),
  ]

  @Test(arguments: rows) func `names become certificates`(row: Row) {
    let folder = CertificateFolder(
      root: "/etc/certificates", paths: row.paths.map { ($0, isDirectory: false) })
    let entries = folder.entries.map { entry in
      "\(entry.name): " + entry.files.joined(separator: " + ")
    }
    #expect(entries == row.entries, row.comment)
    #expect(folder.diagnostics.map(\.code) == row.codes, row.comment)
  }

  @Test func `two files for one key are explained`() {
    let folder = CertificateFolder(
      root: "c", paths: ["a.crt", "a.pem", "a.key"].map { ($0, isDirectory: false) })
    #expect(
      folder.diagnostics.map(\.line) == [
        "c/a.pem: warning: this file and a.crt are chains of one name; only a.crt is read; "
          + "remove one of the two files, or give one file another name and its own key [T030]"
      ])
  }

  @Test(
    arguments: [
      // A folder's path, the folders beside it, whether it is searched.
      ("a", ["a"], true),
      ("a/b", ["b"], true),
      ("a/live/e.com", ["e.com"], true),
      ("a/b/c/d", ["d"], false),
      ("..data", ["..data"], false),
      ("a/.git", [".git"], false),
      ("lost+found", ["lost+found"], false),
      // certbot's configuration folder: only the current certificates.
      ("live", ["live", "archive", "keys", "renewal"], true),
      ("archive", ["live", "archive", "keys", "renewal"], false),
      ("keys", ["live", "archive", "keys", "renewal"], false),
      // A folder that happens to be called so.
      ("archive", ["archive", "a"], true),
    ] as [(String, Set<String>, Bool)])
  func `folders are searched to a depth of three, hidden ones never`(
    path: String, siblings: Set<String>, isSearched: Bool
  ) {
    #expect(CertificateFolder.isSearched(path, siblings: siblings) == isSearched)
  }

  @Test(
    arguments: [
      ("a.der", "openssl x509 -inform der -in a.der -out a.crt"),
      ("a.p12", "openssl pkcs12 -in a.p12"),
      ("a.pfx", "openssl pkcs12 -in a.pfx"), ("a.p7b", "openssl pkcs7 -print_certs -in a.p7b"),
      ("a.jks", "keytool"), ("a.cer", "rename it to a.crt"),
    ])
  func `each other form has its own way to PEM`(name: String, words: String) {
    let folder = CertificateFolder(root: "c", paths: [(name, isDirectory: false)])
    #expect(folder.diagnostics.first?.help?.contains(words) == true)
  }
}
