import Foundation
import TestRunning
import Testing

@testable import EndToEnd

private let mayUnshare: Bool = {
  geteuid() == 0
    && (try? run("/usr/bin/env", ["unshare", "--net", "--mount", "true"]).exitCode) == 0
}()

/// The same with the system's own resolver and routes: `Tests/Tools/Operations/network_lab` has the
/// scenarios.
@Suite(
  "trust: scenarios in a network of their own", .stress, .needs(.python3), .needs(.openssl),
  .enabled(if: mayUnshare, "network namespaces are not permitted here"))
struct NetworkLabTests {
  @Test func `every verdict is right`() throws {
    let child = try ChildProcess(
      try #require(Tool.python3.path),
      [repositoryFile("Tests/Tools/Operations/network_lab"), "--binary", Server.program])
    let code = try child.waitForExit(within: .seconds(180))
    let report = String(decoding: child.now.output + child.now.errors, as: UTF8.self)
    #expect(code == 0 && report.contains("19 of 19 verdicts are right"), "\(report)")
  }
}
