import Catalog
import CatalogSupport
import Diagnostics
import Settings
import TLS
import Testing

@testable import Keeping

/// Faults of the catalog as a whole.
@Suite struct CatalogDiagnosticsTests {
  /// Entries, aliases and the codes of what is reported.
  static let aliasCases: [([String], [(String, String)], [String])] = [
    ([], [], ["H010"]),
    (["a.test"], [], []),
    // good aliases
    (["a.test"], [("b.test", "a.test")], []),
    (["a.test"], [("b.test", "A.test")], []),
    (["*.a.test"], [("b.test", "x.y.a.test")], []),
    (["*.a.test"], [("b.test", "a.test")], []),
    // a host without entry
    (["a.test"], [("b.test", "c.test")], ["H012"]),
    // a host that only the default serves
    (["a.test", "_default"], [("b.test", "c.test")], ["H012"]),
    // an alias of an alias
    (["a.test"], [("b.test", "a.test"), ("c.test", "b.test")], ["H012"]),
    // an entry that hides it
    (["a.test", "b.test"], [("b.test", "a.test")], ["H013"]),
    (["a.test", "*.b.test"], [("*.b.test", "a.test")], ["H013"]),
  ]

  @Test(arguments: aliasCases)
  func `aliases that do nothing are reported`(
    entries: [String], aliases: [(String, String)], codes: [String]
  ) {
    var options = HostingOptions()
    options.aliases = aliases.map { (from: .named($0.0), to: $0.1) }
    let catalog = Catalog(
      sites: entries.map {
        Site(name: .named($0), association: .absent, assetLinks: .absent)
      }, aliases: options.aliases, material: nil)
    let found = catalogDiagnostics(catalog, options, hasCertificates: false)
    #expect(found.map(\.code) == codes)
  }

  @Test func `a folder of domains that cannot be read gets no advice to put files into it`() {
    let help = [false, true].map { isIncomplete in
      let catalog = Catalog(sites: [], isIncomplete: isIncomplete, material: nil)
      return catalogDiagnostics(catalog, HostingOptions(), hasCertificates: false).map(\.help)
    }
    #expect(help[0].first??.hasPrefix("put a file named after its host") == true)
    #expect(help[1] == [nil])
  }

  @Test func `each host that no certificate covers is reported, twenty by their names`() {
    var options = HostingOptions()
    let names = (10..<33).map { DomainName.host("h\($0).test") }
    let material = TLSMaterial(
      certificates: [], defaultName: "", ticketKeys: TicketKeys(), selfSignedFallback: nil, now: 0)
    let catalog = Catalog(
      sites: [Site(name: .host("links"), association: .absent, assetLinks: .absent)],
      hosts: [(0, names)], material: material)
    let found = catalogDiagnostics(catalog, options, hasCertificates: true)
    #expect(found.count == 21 && found.allSatisfy { $0.code == "H014" })
    #expect(found.first?.message == "no certificate covers h10.test")
    #expect(found.last?.message == "no certificate covers 3 more hosts")
    #expect(!found.contains { $0.message.contains("links") })
    let lost = catalogDiagnostics(catalog, options, hasCertificates: true) { host in
      host == "h11.test" ? "c/b.crt" : nil
    }
    #expect(lost[0].message == "no certificate covers h10.test")
    #expect(lost[1].message == "no certificate covers h11.test, which c/b.crt covered before")
    #expect(lost[1].help?.hasPrefix("put that certificate back") == true)
    // The issuer says why a host has none yet.
    options.issuedCertificates = "issued"
    #expect(catalogDiagnostics(catalog, options, hasCertificates: true).isEmpty)
  }
}
