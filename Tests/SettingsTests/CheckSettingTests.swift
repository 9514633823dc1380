import Diagnostics
import Settings
import Testing

/// The settings of checks from outside.
@Suite struct CheckSettingTests {
  @Test func `checks are off by default, and then run every hour`() {
    let configuration = resolve().configuration
    #expect(configuration?.isChecking == false && configuration?.checkCDN == "apple")
    #expect(configuration?.checkInterval == 3_600_000)
    #expect(resolve(flags: ["check": ["on"]]).configuration?.isChecking == true)
  }

  @Test(
    arguments: [
      ("apple", nil), ("none", nil), ("https://cdn.example/a/v1", nil), ("http://[::1]:8080", nil),
      ("HTTPS://cdn.example:8443/", nil),
      // No URL, or more than its beginning.
      ("", "C023"), ("cdn.example", "C023"), ("ftp://cdn.example", "C023"), ("https://", "C023"),
      ("https://cdn.example/?a", "C023"), ("https://cdn.example/#a", "C023"),
      ("https://user@cdn.example", "C023"), ("https://cdn.example/a b", "C023"),
      ("https://cdn.example/é", "C023"), ("https://cdn.example:65536", "C023"),
      ("https://" + String(repeating: "a.", count: 600), "C023"),
    ] as [(String, String?)])
  func `a CDN is a word or the beginning of a URL`(_ row: (text: String, code: String?)) {
    let resolution = resolve(
      files: ["Config/server.json": #"{"checkCdn": "\#(row.text)"}"#])
    #expect(resolution.diagnostics.map(\.code) == (row.code.map { [$0] } ?? []), "\(row.text)")
    if row.code == nil { #expect(resolution.configuration?.checkCDN == row.text) }
  }

  @Test(arguments: [("9999ms", "C008"), ("10s", nil), ("168h", nil), ("169h", "C008")])
  func `the interval of checks is ten seconds to a week`(_ row: (text: String, code: String?)) {
    let resolution = resolve(flags: ["checkInterval": [row.text]])
    #expect(resolution.diagnostics.map(\.code) == (row.code.map { [$0] } ?? []))
  }
}
