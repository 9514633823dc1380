import Hosting
import Testing

@testable import Server

@Suite struct OutsideChecksTests {
  private func check(
    _ origin: OutsideCheck.Origin, _ copy: OutsideCheck.Copy = .same, _ fault: String? = nil
  ) -> OutsideCheck {
    OutsideCheck(time: 1, origin: origin, copy: copy, age: nil, fault: fault)
  }

  @Test func `each domain is counted once, as it was seen last`() {
    let checks = OutsideChecks()
    checks.note(check(.good), of: .host("a.example"))
    checks.note(check(.failing), of: .host("b.example"))
    checks.note(check(.unknown, .unknown), of: .host("c.example"))
    checks.note(check(.good, .other), of: .host("d.example"))
    checks.note(check(.good, .unknown), of: .host("e.example"))
    #expect(checks.counts == .init(good: 2, failing: 1, copyDiffers: 1, unknown: 1))
    checks.note(check(.good, .missing), of: .host("b.example"))
    #expect(checks.counts == .init(good: 2, failing: 0, copyDiffers: 2, unknown: 1))
    checks.keep([.host("a.example"), .host("z.example")])
    #expect(checks.counts == .init(good: 1, failing: 0, copyDiffers: 0, unknown: 0))
    #expect(checks[.host("b.example")] == nil)
  }

  @Test func `words are kept of a thousand domains at most`() {
    let checks = OutsideChecks()
    for number in 0..<1_001 {
      checks.note(check(.failing, .same, "fault \(number)"), of: .host("\(number).example"))
    }
    #expect(checks[.host("999.example")]?.fault == "fault 999")
    #expect(checks[.host("1000.example")]?.fault == nil)
    #expect(checks.counts.failing == 1_001)
    // One that is mended makes room.
    checks.note(check(.good), of: .host("0.example"))
    checks.note(check(.failing, .same, "fault"), of: .host("1000.example"))
    #expect(checks[.host("1000.example")]?.fault == "fault")
  }
}
