import Testing

@testable import Keeping
@testable import Settings

@Suite struct MaintenanceTimersTests {
  @Test func `without HTTPS no timer runs`() {
    var options = HostingOptions()
    options.ticketRotation = 0
    let timers = MaintenanceTimers(options, wall: 0, now: 1_000)
    #expect(timers.delay(now: 1_000_000) > 1_000_000_000_000)
  }

  @Test func `the dates of certificates are checked each hour, whatever the lifetime of tickets`() {
    var options = HostingOptions()
    options.certificates = "certificates"
    options.ticketRotation = 7 * 86_400_000
    var timers = MaintenanceTimers(options, wall: 0, now: 1_000)
    #expect(timers.delay(now: 1_000) == 3_600_000)
    func take(_ now: Int64) -> Bool {
      timers.take(\.nextDateCheck, now: now, next: now + MaintenanceTimers.dateCheckPause)
    }
    let (isEarly, isTime) = (take(3_600_999), take(3_601_000))
    #expect(!isEarly && isTime && timers.delay(now: 3_601_000) == 3_600_000)
    // When one becomes valid, or expires, sooner.
    timers.nextChangeOfDates = 3_602_000
    #expect(timers.delay(now: 3_601_000) == 1_000)
    let isChange = timers.take(\.nextChangeOfDates, now: 3_602_000, next: .max)
    let isChangeAgain = timers.take(\.nextChangeOfDates, now: 3_602_001, next: .max)
    #expect(isChange && !isChangeAgain)
  }

  @Test func `ticket keys change at their pace`() {
    var options = HostingOptions()
    options.certificates = "certificates"
    options.ticketRotation = 60_000
    var timers = MaintenanceTimers(options, wall: 0, now: 0)
    let taken = [59_999, 60_000, 60_001, 120_000].map {
      timers.take(\.nextRotation, now: $0, next: $0 + options.ticketRotation)
    }
    #expect(taken == [false, true, false, true])
  }

  @Test func `a wall clock that is set is noticed, however it is set, and one that drifts is not`()
  {
    var timers = MaintenanceTimers(HostingOptions(), wall: 1_000_000, now: 0)
    let steps = [
      (1_000_000, 0), (1_001_000, 1_000), (1_002_100, 2_000),
      // A year on, and back to 1970.
      (31_536_000_000, 3_000), (31_536_001_000, 4_000), (0, 5_000), (1_000, 6_000),
    ].map { timers.takeClockStep(wall: $0, now: $1) }
    #expect(steps == [false, false, false, true, false, true, false])
    // Before the first look.
    var early = MaintenanceTimers(HostingOptions(), wall: 1_000_000, now: 0)
    let isStep = early.takeClockStep(wall: 31_536_000_000, now: 1_000)
    #expect(isStep)
  }
}
