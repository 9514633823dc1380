import Diagnostics
import HTTP
import Testing

@testable import Catalog
@testable import Reporting
@testable import Settings

@Suite struct OutsideChecksTests {
  private func site(_ host: String) -> Site {
    Site(name: .host(host), answers: [.unavailable])
  }

  private func check(
    _ origin: OriginState, _ copy: CDNCopy = .same, _ fault: String? = nil,
    version: UInt64? = nil
  ) -> OutsideCheck {
    OutsideCheck(
      time: 1, version: version, origin: origin, copy: copy, age: nil, fault: fault)
  }

  @Test func `each domain is counted once, as it was seen last`() {
    let checks = OutsideChecks()
    let sites = ["a", "b", "c", "d", "e"].map { site($0 + ".example") }
    let catalog = Catalog(sites: sites, material: nil)
    checks.note(check(.good), of: .host("a.example"))
    checks.note(check(.failing), of: .host("b.example"))
    checks.note(check(.unknown, .unknown), of: .host("c.example"))
    checks.note(check(.good, .other), of: .host("d.example"))
    checks.note(check(.good, .unknown), of: .host("e.example"))
    #expect(checks.counts(of: catalog) == .init(good: 2, failing: 1, copyDiffers: 1, unknown: 1))
    checks.note(check(.good, .missing), of: .host("b.example"))
    #expect(checks.counts(of: catalog) == .init(good: 2, failing: 0, copyDiffers: 2, unknown: 1))
    checks.keep(Catalog(sites: [sites[0], site("z.example")], material: nil))
    #expect(checks.counts(of: catalog) == .init(good: 1, failing: 0, copyDiffers: 0, unknown: 0))
    #expect(checks[sites[1]] == nil)
  }

  @Test func `a domain whose copy was not asked for has no sample of the copy`() {
    let checks = OutsideChecks()
    let sites = ["a", "b", "c"].map { site($0 + ".example") }
    checks.note(check(.good, .unknown), of: sites[0].name)
    checks.note(check(.failing, .other), of: sites[1].name)
    checks.note(check(.unknown, .same), of: sites[2].name)
    let samples = checks.metrics(of: Catalog(sites: sites, material: nil)).flatMap { family in
      family.samples.map { "\(family.name) \($0.labels.first?.1 ?? "") \($0.value)" }
    }
    #expect(
      samples.filter { $0.hasPrefix("aasa_cdn_in_sync ") || $0.hasPrefix("aasa_origin_ok ") }
        .sorted() == [
          "aasa_cdn_in_sync b.example 0", "aasa_cdn_in_sync c.example 1",
          "aasa_origin_ok a.example 1", "aasa_origin_ok b.example 0",
        ])
  }

  @Test func `a check of another version does not count, and is repeated`() {
    let checks = OutsideChecks()
    let changed = site("a.example")
    checks.note(check(.good, version: 7), of: changed.name)
    #expect(checks[changed] == nil && checks.latest(changed.name) != nil)
    #expect(checks.counts(of: Catalog(sites: [changed], material: nil)) == .init())
    #expect(checks.outdated([changed, site("new.example")]) == [changed.name])
    checks.note(check(.good), of: changed.name)
    #expect(checks[changed] != nil && checks.outdated([changed]) == [])
  }

  @Test func `hosts of a list count beside their entry, and go with the list`() {
    let checks = OutsideChecks()
    let links = site("links")
    func catalog(_ names: String...) -> Catalog {
      Catalog(
        sites: [links], hosts: [(0, names.map { .host($0 + ".example") })], material: nil)
    }
    for name in ["a", "b"] { checks.note(check(.good), of: .host(name + ".example")) }
    #expect(checks.counts(of: catalog("a", "b")).good == 2)
    #expect(checks[links, .host("a.example")] != nil && checks[links] == nil)
    // The check of a version that is not served any more.
    checks.note(check(.good, version: 7), of: .host("b.example"))
    #expect(checks.counts(of: catalog("a", "b")).good == 1)
    checks.keep(catalog("b"))
    #expect(checks.latest(.host("a.example")) == nil && checks.latest(.host("b.example")) != nil)
  }

  @Test func `failing hosts of lists have names, those that failed first before the others`() {
    let checks = OutsideChecks()
    let names = (0..<120).map { DomainName.host("h\($0).example") }
    let catalog = Catalog(sites: [site("links")], hosts: [(0, names)], material: nil)
    func note(_ name: DomainName, _ time: Int64, _ origin: OriginState = .failing) {
      checks.note(
        OutsideCheck(
          time: time, version: nil, origin: origin, copy: .same, age: nil, fault: "no file"),
        of: name)
    }
    note(.host("links"), 1)
    #expect(checks.failingListed(in: catalog).count == 0)
    note(names[7], 1)
    for name in names { note(name, 5) }
    note(names[8], 9, .good)
    let found = checks.failingListed(in: catalog)
    #expect(found.count == 119 && found.worst.count == 100)
    #expect(found.worst[0].name == names[7] && found.worst[0].check.failingSince == 1)
    #expect(found.worst[0].check.fault == "no file" && found.worst[0].check.time == 5)
    #expect(!found.worst.contains { $0.name == names[8] })
    // Without any, failing begins anew.
    note(names[7], 10, .good)
    note(names[7], 11)
    #expect(checks.latest(names[7])?.failingSince == 11)
  }

  @Test func `words are kept of a thousand domains at most`() {
    let checks = OutsideChecks()
    for number in 0..<1_001 {
      checks.note(check(.failing, .same, "fault \(number)"), of: .host("\(number).example"))
    }
    #expect(checks.latest(.host("999.example"))?.fault == "fault 999")
    #expect(checks.latest(.host("1000.example"))?.fault == nil)
    // One that is fixed makes room.
    checks.note(check(.good), of: .host("0.example"))
    checks.note(check(.failing, .same, "fault"), of: .host("1000.example"))
    #expect(checks.latest(.host("1000.example"))?.fault == "fault")
  }
}
