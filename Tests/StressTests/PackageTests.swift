import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The packages of Config/packaging.
@Suite("trust: packages", .stress) struct PackageTests {
  /// Where it cannot be tried, it says so: it takes root, and leave to mount.
  @Test(
    .needs(.python3),
    .enabled(if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil, "not in the package"))
  func `the Debian package is installed, upgraded, removed and purged`() throws {
    let process = try ChildProcess(
      Tool.python3.path ?? "",
      [repositoryFile("Tests/Tools/Operations/packages.py"), "--program", Server.program])
    let code = try process.waitForExit(within: .seconds(600))
    let state = process.now
    let text = String(decoding: state.output + state.errors, as: UTF8.self)
    #expect(code == 0 || code == 77, "\(text)")
    if code == 0 { #expect(text.contains("purged")) }
  }
}
