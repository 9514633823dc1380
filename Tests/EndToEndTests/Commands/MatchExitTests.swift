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

  @Test func `an identifier that no app can have is noted, unless another app is asked about`()
    throws
  {
    let workspace = try Workspace()
    let apps = #"["TEAMID.com.example.app","K27TX9P4QD.org.swift.shop"]"#
    let details = #"[{"appIDs":\#(apps),"components":[{"/":"/buy"}]}]"#
    try workspace.write("aasa.json", #"{"applinks":{"details":\#(details)}}"#)
    let note =
      "note: aasa.json:1:36: no app has the identifier `TEAMID.com.example.app`; aasa validate says "
      + "why\n"
    let all = try workspace.aasa(["match", "aasa.json", "/buy"])
    #expect(all.exitCode == 0 && all.errors == note, "\(all.errors)")
    let one = try workspace.aasa([
      "match", "--app", "K27TX9P4QD.org.swift.shop", "aasa.json", "/buy",
    ])
    #expect(one.exitCode == 0 && one.errors.isEmpty, "\(one.errors)")
  }
}
