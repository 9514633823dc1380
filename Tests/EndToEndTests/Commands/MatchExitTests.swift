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
    try workspace.aasa(["match", "aasa.json"] + urls).says(exit: code)
  }

  @Test
  func `an identifier that no app can have is noted, unless another app is asked about`() throws {
    let workspace = try Workspace()
    let apps = #"["TEAMID.com.example.app","K27TX9P4QD.org.swift.shop"]"#
    let details = #"[{"appIDs":\#(apps),"components":[{"/":"/buy"}]}]"#
    try workspace.write("aasa.json", #"{"applinks":{"details":\#(details)}}"#)
    let note =
      "note: aasa.json:1:36: no app has the identifier `TEAMID.com.example.app`; aasa validate says "
      + "why\n"
    try workspace.aasa("match", "aasa.json", "/buy").says(exit: 0, errors: .whole(note))
    try workspace.aasa("match", "--app", "K27TX9P4QD.org.swift.shop", "aasa.json", "/buy")
      .says(exit: 0, errors: .nothing)
  }
}
