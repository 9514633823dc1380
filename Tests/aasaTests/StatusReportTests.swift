import Posix
import Testing

@testable import aasa

/// The exit code of `aasa status`: whether anything needs to be fixed.
@Suite struct StatusReportTests {
  private func report(_ members: String, domain: String = "") throws -> StatusReport {
    let address = try #require(SocketAddress(literal: "127.0.0.1", port: 1))
    let text = #"{"now": 1, "list": [\#(domain)], \#(members)}"#
    return try #require(StatusReport(Array(text.utf8), at: address))
  }

  private static let good = #""ready": true, "domains": {"served": 2}"#

  @Test func `without a fault all is good`() throws {
    let outside = #", "outside": {"good": 2, "originFailing": 0}"#
    let certificates = #", "certificates": {"count": 1, "faulty": 0}"#
    let report = try report(Self.good + outside + certificates)
    #expect(report.isGood(areNamed: false) && report.isGood(areNamed: true))
  }

  @Test(arguments: [
    #""ready": true, "domains": {"served": 1, "refused": 1}"#,
    #""ready": true, "domains": {"served": 1, "last-good": 1}"#,
    #""ready": true, "domains": {"served": 1, "flawed": 1}"#,
    good + #", "folderFault": "the folder is gone""#,
    good + #", "certificates": {"folderFault": "the folder is gone"}"#,
    good + #", "certificates": {"faulty": 1}"#,
    good + #", "outside": {"good": 1, "originFailing": 1}"#,
  ])
  func `each fault is enough, unless others were asked about`(_ members: String) throws {
    let report = try report(members)
    #expect(!report.isGood(areNamed: false))
    #expect(report.isGood(areNamed: true))
  }

  @Test func `a server that is not ready is never good`() throws {
    let report = try report(#""ready": false, "domains": {"served": 2}"#)
    #expect(!report.isGood(areNamed: false) && !report.isGood(areNamed: true))
  }
}
