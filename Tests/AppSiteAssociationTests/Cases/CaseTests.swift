import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import Testing

@Suite struct `Files of expectations` {
  @Test(arguments: [
    ("/a opens A.b", ["/a opens A.b"]),
    ("  /a\topens   A.b # why\n\n# all\r\n/b blocked", ["/a opens A.b", "/b blocked -"]),
    // a fragment is not a comment
    ("https://example.com/a#b browser", ["https://example.com/a#b browser -"]),
    ("\u{FEFF}/a BROWSER A.b", ["/a browser A.b"]),
    ("", []),
    // CSV, by its first line
    (
      "url,expectation,app\n/a,opens,A.b\n\"/b?a=1,2\",blocked,\n",
      ["/a opens A.b", "/b?a=1,2 blocked -"]
    ),
    ("URL,expectation\r\n\"/a\"\"b\" , x", ["2:1 E002"]),
    ("url,expectation,app\n\"/a", ["2:1 E002"]),
    ("/a", ["1:1 E003"]),
    ("/a  open A.b", ["1:5 E004"]),
    ("/b browser\n/a opens", ["/b browser -", "2:4 E005"]),
    ("/a opens A.b C", ["1:14 E006"]),
    ("ftp://example.com/ browser", ["1:1 E007"]),
    ("example.com/a browser", ["1:1 E007"]),
  ])
  func `Lines are read, or reported with their place`(text: String, expected: [String]) {
    let file = CaseFile(SourceText(path: "x.cases", bytes: Array(text.utf8)))
    let read = file.expectations(on: .apple).map {
      "\($0.url) \($0.outcome.rawValue) \($0.app ?? "-")"
    }
    let faults = file.diagnostics.map {
      "\($0.location?.place?.line ?? 0):\($0.location?.place?.column ?? 0) \($0.code)"
    }
    #expect(read + faults == expected)
  }

  static let kinds = expectationKinds.filter { $0.wrong != nil }

  @Test(arguments: kinds) func `A wrong example has its fault, and the right one none`(
    kind: Kind
  ) throws {
    #expect(Self.kinds.count == 6)
    // Only in CSV can a field lack its end.
    let path = kind == .expectationUnreadable ? "x.csv" : "x.cases"
    func codes(_ text: String) -> [String] {
      CaseFile(SourceText(path: path, bytes: Array(text.utf8))).diagnostics.map(\.code)
    }
    let (wrong, right) = (try #require(kind.wrong), try #require(kind.right))
    #expect(codes(wrong) == [kind.code] && codes(right) == [])
  }

  @Test(arguments: [
    ("/a opens ios:A.b android:c.d", "/a opens A.b", "/a opens c.d"),
    ("/a opens android:c.d", "", "/a opens c.d"),
    ("/a blocked android:c.d ios:A.b # x", "/a blocked A.b", "/a blocked c.d"),
    ("url,expectation,app\n/a,opens,ios:A.b android:c.d", "/a opens A.b", "/a opens c.d"),
    ("/a browser android:", "", "/a browser -"),
  ])
  func `Apps of each platform are read`(text: String, apple: String, android: String) {
    let file = CaseFile(SourceText(path: "x.cases", bytes: Array(text.utf8)))
    func read(_ expectations: [Rules.Expectation]) -> String {
      expectations.map { "\($0.url) \($0.outcome.rawValue) \($0.app ?? "-")" }
        .joined(separator: ", ")
    }
    #expect(file.diagnostics.isEmpty)
    #expect(read(file.expectations(on: .apple)) == apple)
    #expect(read(file.expectations(on: .android)) == android)
  }

  @Test(arguments: [
    ("/a opens android:", "E005"), ("/a opens ios:A.b x", "E006"),
    ("/a opens A.b android:c.d", "E006"),
  ])
  func `Apps of platforms have their faults`(text: String, code: String) {
    let file = CaseFile(SourceText(path: "x.cases", bytes: Array(text.utf8)))
    #expect(file.diagnostics.map(\.code) == [code] && file.count == 0)
  }

  @Test func `Too much is refused`() {
    let line = Array("/a browser\n".utf8)
    let atLimit = (0..<100).flatMap { _ in line }
    func codes(_ bytes: [UInt8]) -> [String] {
      CaseFile(SourceText(path: "x", bytes: bytes), most: 100).diagnostics.map(\.code)
    }
    #expect(codes(atLimit) == [])
    #expect(codes(atLimit + line) == ["E001"])
    #expect(CaseLimits.expectations == 100_000)
    let large = [UInt8](repeating: 0x20, count: CaseLimits.fileBytes + 1)
    #expect(CaseFile(SourceText(path: "x", bytes: large)).diagnostics.map(\.code) == ["E001"])
    let garbage = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    #expect(CaseFile(SourceText(path: "x", bytes: garbage)).diagnostics.count <= 20)
  }

  @Test func `Expectations that cost too much are not all checked, and that is said`() throws {
    let rules = (0..<500).map { "\"/no\($0)\"" }.joined(separator: ",")
    let text = #"{"applinks":{"details":[{"appID":"A.b","paths":[\#(rules)]}]}}"#
    let links = try AppleLinks(Document(parsing: SourceText(path: "a", bytes: Array(text.utf8))))
    func diagnostics(_ count: Int) -> [Diagnostic] {
      let lines = String(repeating: "/x browser A.b\n", count: count)
      // Each line costs its rules, and the work of its app.
      var budget = Budget(operations: 20 * 508)
      return caseDiagnostics(
        CaseFile(SourceText(path: "x.cases", bytes: Array(lines.utf8))), against: links, &budget)
    }
    let most = 20
    #expect(CaseLimits.hosted == Budget(operations: 8_000_000))
    #expect(CaseLimits.tested == Budget(operations: 400_000_000))
    #expect(diagnostics(most) == [])
    let found = diagnostics(most + 2)
    #expect(found.map(\.code) == ["E012"])
    #expect(found.first?.location?.place?.line == most + 1)
  }

  @Test(arguments: [
    ("/a browser\n", 1_000, nil), ("/a browser\n", 1_001, "E001"), ("a\n", 20_000, "E003"),
    ("a ", 900, "E004"), ("a ", 20_000, "E002"), ("\n", 40_000, nil),
  ])
  func `lines and fields have a limit`(text: String, count: Int, code: String?) {
    for path in ["x.cases", "x.csv"] {
      let text = path == "x.csv" ? text.replacing(" ", with: ",") : text
      let source = SourceText(path: path, bytes: Array(String(repeating: text, count: count).utf8))
      let file = CaseFile(source, most: 1_000)
      #expect(file.diagnostics.first?.code == code, "\(path)")
    }
  }

  static let file = #"""
    {"applinks":{"details":[
      {"appID":"A.b","components":[{"/":"/a/secret","exclude":true},{"/":"/a/*"}]},
      {"appID":"A.c","paths":["/c"]}
    ]}}
    """#

  @Test(arguments: [
    ("/a/x opens A.b", nil),
    ("/a/secret blocked", nil),
    ("/a/secret blocked A.b", nil),
    ("/d browser", nil),
    ("/c browser A.b", nil),
    ("https://example.com/c opens A.c", nil),
    ("/d opens A.b", "/d stays in the browser for A.b, but opens is expected"),
    ("/a/x blocked", "/a/x opens A.b, but blocked is expected"),
    ("/a/secret browser", "/a/secret is blocked for A.b, but browser is expected"),
    ("/c opens A.d", "/c stays in the browser for A.d, but opens is expected"),
    ("/d blocked", "/d stays in the browser, but blocked is expected"),
    (
      "https://example.org/c opens A.c",
      "https://example.org/c stays in the browser for A.c, but opens is expected"
    ),
  ])
  func `Expectations are met or not, for a reason`(line: String, message: String?) throws {
    let document = try Document(
      parsing: SourceText(path: "site.json", bytes: Array(Self.file.utf8)))
    let cases = CaseFile(SourceText(path: "x.cases", bytes: Array(line.utf8)))
    let links = try AppleLinks(document, domain: Domain("example.com"))
    var budget = CaseLimits.hosted
    let all = caseDiagnostics(cases, against: links, &budget)
    #expect(all.map(\.message) == (message.map { [$0] } ?? []))
  }
}
