import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa test`.
@Suite(.manyAtOnce) struct ExpectationTests {
  private let workspace: Workspace
  private static let file = shopFile(
    components: #"[{"/":"/buy/secret","exclude":true},{"/":"/buy/*"}]"#)
  private static let cases = """
    # the shop
    https://example.com/buy/1  opens \(shop)

    https://example.com/buy/secret\tblocked   # is not to be found
    https://example.com/buy/secret  Blocked \(shop)
    https://example.com/help   browser
    https://example.com/help#top   browser K27TX9P4QD.org.swift.other
    """
  private static let csv = #"""
    url,expectation,app\#r
    "https://example.com/buy/1",opens,\#(shop)\#r
    # the same
    https://example.com/buy/secret,blocked,\#r
    "https://example.com/help?q=""a,b""",browser\#r

    """#

  init() throws {
    workspace = try Workspace()
    try workspace.write("site.json", Self.file)
    try workspace.write("broken.json", shopFile(components: #"[{"/":"/help"},{"/":"/buy/*"}]"#))
    try workspace.write("domains/example.com.json", Self.file)
    try workspace.write(
      "domains/_wildcard.example.org.json", shopFile(components: #"[{"/":"/org"}]"#))
    try workspace.write("app.cases", Self.cases)
    try workspace.write("app.csv", Self.csv)
  }

  @Test(arguments: ["site.json", "domains"])
  func `expectations that are met are 0`(path: String) throws {
    try workspace.aasa("test", "app.cases", "app.csv", "--file", path).says(
      .whole("app.cases: 5 of 5 expectations are met\napp.csv: 3 of 3 expectations are met\n"),
      exit: 0, errors: .nothing)
  }

  @Test func `the folder of domains is where the server has it`() throws {
    try workspace.aasa("test", "app.cases").says(exit: 0)
  }

  @Test func `each host has its file, as the server finds it`() throws {
    try workspace.write(
      "hosts.cases",
      """
      https://example.com/org browser
      https://a.example.org/org opens \(shop)
      https://a.b.example.org/buy/1 browser
      /org browser
      """)
    try workspace.aasa("test", "hosts.cases", "--file", "domains", "--domain", "example.com")
      .says(exit: 0)
    try workspace.aasa("test", "hosts.cases", "--file", "domains")
      .says(.start("hosts.cases:4: /org has no host\n"), exit: 1)
    try workspace.write("other.cases", "https://elsewhere.test/ browser")
    try workspace.aasa("test", "other.cases", "--file", "domains").says(" has no file", exit: 1)
  }

  @Test func `an expectation that is not met is reported with the line and the reason`() throws {
    let secret = "https://example.com/buy/secret opens \(shop), but blocked is expected\n"
    let help = "https://example.com/help opens \(shop), but browser is expected\n"
    let query = "https://example.com/help?q=\"a,b\" opens \(shop), but browser is expected\n"
    let buy = "  decided by broken.json:1:93: path matched `/buy/*`\n"
    let first = "  decided by broken.json:1:79: path matched `/help`\n"
    try workspace.aasa("test", "app.cases", "app.csv", "--file", "broken.json").says(
      .whole(
        "app.cases:4: \(secret)\(buy)app.cases:5: \(secret)\(buy)"
          + "app.cases:6: \(help)\(first)"
          + "app.cases: 2 of 5 expectations are met, 3 are not\n"
          + "app.csv:4: \(secret)\(buy)app.csv:5: \(query)\(first)"
          + "app.csv: 1 of 3 expectations are met, 2 are not\n"), exit: 1, errors: .nothing)

    let json = try workspace.aasa("test", "app.cases", "--file", "broken.json", "--json")
      .says(exit: 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
    #expect(report.passed == 2 && report.failed == 3 && report.failures.map(\.line) == [4, 5, 6])
    #expect(report.failures.map(\.expected) == ["blocked", "blocked", "browser"])
  }

  private struct Report: Decodable {
    struct Failure: Decodable {
      let line: Int
      let expected: String
    }

    let passed: Int
    let failed: Int
    let failures: [Failure]
  }

  @Test func `expectations come from the standard input too`() throws {
    try workspace.aasa("test", "-", "--file", "site.json", input: Self.cases)
      .says(.whole("standard input: 5 of 5 expectations are met\n"), exit: 0)
  }

  @Test(arguments: [
    ("/a opens\n", "1:4: error: `opens` needs an app", "E005"),
    ("/a open A.b\n", "did you mean `opens`?", "E004"),
    ("# x\n/a\n", "2:1: error: the line has no expectation", "E003"),
    ("/a browser A.b more\n", "this text after the app is not allowed", "E006"),
    ("ftp://a/ browser\n", "the scheme is ftp", "E007"),
    ("url,expectation\n\"/a\"b,browser\n", "text follows the closing quote", "E002"),
  ])
  func `a line that is not an expectation is 2`(cases: String, words: String, code: String) throws {
    try workspace.write("bad.cases", cases)
    try workspace.aasa("test", "bad.cases", "--file", "site.json")
      .says(exit: 2, errors: .start("bad.cases:"), .part(words), "[\(code)]")
  }

  @Test func `unreadable files exit with 2`() throws {
    for (arguments, words) in [
      (["absent.cases", "--file", "site.json"], "absent.cases"),
      (["app.cases", "--file", "absent.json"], "absent.json"),
      ([], "there are no expectations for domains"),
      (["app.cases", "--file", "app.cases"], "app.cases:1:1"),
    ] {
      try workspace.aasa(["test"] + arguments).says(exit: 2, errors: .part(words))
    }
  }
}
