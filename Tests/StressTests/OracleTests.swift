import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Files change at random for a while, and a model knows which answers are permitted:
/// `Tests/Tools/Operations/oracle` does so for as long as one likes.
@Suite("withdrawal: random changes", .stress, .needs(.python3), .needs(.openssl)) struct OracleTests
{
  @Test(arguments: ["auto", "poll"])
  func `no answer is given that is not permitted`(watch: String) throws {
    let child = try ChildProcess(
      try #require(Tool.python3.path),
      [
        repositoryFile("Tests/Tools/Operations/oracle"), "--binary", Server.program, "--seconds",
        "20",
        // How late a change is answered on a busy machine is another question.
        "--watch", watch, "--allowance", "12", "--clean",
      ])
    let code = try child.waitForExit(within: .seconds(300))
    let report = String(decoding: child.now.output + child.now.errors, as: UTF8.self)
    #expect(code == 0 || code == 77, "\(report)")
  }
}
