import HTTP
import Testing

@testable import Catalog
@testable import Settings

@Suite struct OutsideChecksTests {
  private func site(_ host: String) -> Site {
    Site(name: .host(host), association: .unavailable, assetLinks: .absent)
  }

  private func check(
    _ origin: OutsideCheck.Origin, _ copy: OutsideCheck.Copy = .same, _ fault: String? = nil,
    version: UInt64? = nil
  ) -> OutsideCheck {
    OutsideCheck(
      time: 1, version: version, origin: origin, copy: copy, age: nil, fault: fault)
  }

  @Test func `each domain is counted once, as it was seen last`() {
    let checks = OutsideChecks()
    let sites = ["a", "b", "c", "d", "e"].map { site($0 + ".example") }
    checks.note(check(.good), of: .host("a.example"))
    checks.note(check(.failing), of: .host("b.example"))
    checks.note(check(.unknown, .unknown), of: .host("c.example"))
    checks.note(check(.good, .other), of: .host("d.example"))
    checks.note(check(.good, .unknown), of: .host("e.example"))
    #expect(checks.counts(of: sites) == .init(good: 2, failing: 1, copyDiffers: 1, unknown: 1))
    checks.note(check(.good, .missing), of: .host("b.example"))
    #expect(checks.counts(of: sites) == .init(good: 2, failing: 0, copyDiffers: 2, unknown: 1))
    checks.keep([.host("a.example"), .host("z.example")])
    #expect(checks.counts(of: sites) == .init(good: 1, failing: 0, copyDiffers: 0, unknown: 0))
    #expect(checks[sites[1]] == nil)
  }

  @Test func `a check of another version does not count, and is repeated`() {
    let checks = OutsideChecks()
    let changed = site("a.example")
    checks.note(check(.good, version: 7), of: changed.name)
    #expect(checks[changed] == nil && checks.latest(changed.name) != nil)
    #expect(checks.counts(of: [changed]) == .init())
    #expect(checks.outdated([changed, site("new.example")]) == [changed.name])
    checks.note(check(.good), of: changed.name)
    #expect(checks[changed] != nil && checks.outdated([changed]) == [])
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
