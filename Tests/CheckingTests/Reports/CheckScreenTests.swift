import Diagnostics
import TestRunning
import Testing

@testable import Checking
@testable import Client

/// What `aasa check` shows on a terminal of 80 columns.
@Suite struct CheckScreenTests {
  @Test func `a good domain`() throws {
    let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
    let answer = CheckServer.Answer.answer(fields: ["Cache-Control: public, max-age=3600"], file)
    let world = CheckWorld(
      CheckServer { path(of: $0).contains("apple") ? answer : .answer("404 Not Found", "no") })
    let report = try world.check(cdn: { _ in answer }, exitCode: 0)
    try expectScreen(report.normalized, "check-good")
  }

  @Test func `a faulty domain`() throws {
    let world = CheckWorld(
      CheckServer { path(of: $0).contains("apple") ? .redirect(to: "/x") : .answer("no") })
    try expectScreen(world.check(exitCode: 1).normalized, "check-faulty")
  }
}
