import TestRunning
import Testing

@testable import EndToEnd

/// The exit codes of `aasa match`.
@Suite("match: exit codes", .manyAtOnce) struct MatchExitTests {
  @Test(
    arguments: [
      (["/buy"], 0), (["/sell"], 1), (["/buy", "/sell"], 0), (["not a url"], 2),
      (["/buy", "not a url"], 2), (["not a url", "/buy"], 2),
    ] as [([String], Int32)])
  func `a URL that cannot be read counts more than one that opens no app`(
    urls: [String], code: Int32
  ) throws {
    let workspace = try Workspace()
    let details = #"[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/buy"}]}]"#
    try workspace.write("aasa.json", #"{"applinks":{"details":\#(details)}}"#)
    let found = try workspace.aasa(["match", "aasa.json"] + urls)
    #expect(found.exitCode == code, "\(found.text)\(found.errors)")
  }
}
