import Foundation
import TestRunning
import Testing

@testable import EndToEnd

private let mayUnshare: Bool = {
  let flags = geteuid() == 0 ? "-n" : "-rn"
  return (try? run("/usr/bin/env", ["unshare", flags, "true"]).exitCode) == 0
}()

/// Clients that do nothing wrong are served while others take every connection that there may be:
/// `Tests/Tools/Operations/half_heads` has the attack, and measures it.
@Suite(
  "trust: connections that are kept waiting", .stress, .serialized, .needs(.python3),
  .enabled(if: mayUnshare, "network namespaces are not permitted here"))
struct HalfHeadTests {
  @Test(arguments: [
    ["--rate", "1500", "--seconds", "9"],
    ["--rate", "0", "--takers", "500", "--flags", "--max-connections 500", "--seconds", "3"],
  ])
  func `all of 45 TLS clients are answered meanwhile`(flags: [String]) throws {
    let child = try ChildProcess(
      try #require(Tool.python3.path),
      [repositoryFile("Tests/Tools/Operations/half_heads"), "--binary", Server.program] + flags)
    let code = try child.waitForExit(within: .seconds(120))
    let report = String(decoding: child.now.output + child.now.errors, as: UTF8.self)
    #expect(code == 0, "\(report)")
  }
}
