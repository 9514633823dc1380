import Diagnostics
import Foundation
import Testing

@Suite struct TerminalRendererTests {
  static func rendered(
    _ text: String, _ range: Range<Int>, width: Int = 100, usesColor: Bool = false
  ) -> String {
    let source = SourceText(path: "a.json", bytes: Array(text.utf8))
    let diagnostic = Diagnostic(
      Kind("A044", "x", "x", "x", nil), severity: .warning, "the app stands twice",
      at: source.location(of: range),
      help: "remove one", note: "the second counts")
    let file = SubjectReport(path: "a.json", source: source, diagnostics: [diagnostic])
    return TerminalRenderer(usesColor: usesColor, width: width).render(file)
  }

  /// The line of the source and the mark under it.
  static func excerpt(_ text: String, _ range: Range<Int>, width: Int = 100) -> [String] {
    rendered(text, range, width: width).split(separator: "\n").filter { $0.contains("| ") }
      .map { String($0.drop { $0 != "|" }.dropFirst(2)) }
  }

  @Test func `all parts have their place`() {
    #expect(
      Self.rendered("{\n  \"app\": 1\n}", 4..<9) == """
        warning[A044]: the app stands twice
         --> a.json:2:3
          |
        2 |   "app": 1
          |   ^^^^^
          = help: remove one
          = note: the second counts


        """)
  }

  @Test func `the margin is as wide as the number of the line`() {
    let text = String(repeating: "\n", count: 99) + "abc"
    #expect(Self.rendered(text, 99..<102).contains("\n    |\n100 | abc\n    | ^^^\n    = help"))
  }

  @Test func `only colours are added where colours are allowed`() {
    let plain = Self.rendered("abc", 0..<1)
    let colored = Self.rendered("abc", 0..<1, usesColor: true)
    #expect(colored.contains("\u{1B}[1;33mwarning[A044]\u{1B}[0m"))
    let parts = colored.split(separator: "\u{1B}").map { part in
      part.hasPrefix("[") ? String(part.drop { $0 != "m" }.dropFirst()) : String(part)
    }
    #expect(parts.joined() == plain)
    #expect(!plain.contains("\u{1B}"))
  }

  @Test(arguments: [
    // Text, span, the line shown, the mark: ends, tabs, wide and combining characters, controls.
    ("abc", 0..<3, "abc", "^^^"), ("abc", 3..<3, "abc", "   ^"), ("abc", 1..<1, "abc", " ^"),
    ("a\tb", 2..<3, "a    b", "     ^"), ("日本x", 6..<7, "日本x", "    ^"),
    ("日本x", 0..<6, "日本x", "^^^^"), ("e\u{301}x", 3..<4, "e\u{301}x", " ^"),
    ("a\u{7}b", 2..<3, "a\u{FFFD}b", "  ^"), ("a\u{202E}b", 4..<5, "a\u{FFFD}b", "  ^"),
    // A span of several lines is marked on its first.
    ("ab\ncd", 1..<5, "ab", " ^"), ("ab\r\ncd", 1..<6, "ab", " ^"),
  ]) func `the mark is under the span`(
    text: String, range: Range<Int>, line: String, mark: String
  ) {
    #expect(Self.excerpt(text, range) == [line, mark])
  }

  @Test func `a long line is cut around the span`() {
    let text = String(repeating: "a", count: 500) + "XYZ" + String(repeating: "b", count: 500)
    let shown = Self.excerpt(text, 500..<503, width: 60)
    #expect(shown[0].hasPrefix("…a") && shown[0].hasSuffix("b…"))
    #expect(shown[0].count <= 60)
    let start = shown[1].count - 3
    #expect(shown[1].hasSuffix("^^^"))
    #expect(shown[0].dropFirst(start).hasPrefix("XYZ"))
  }

  @Test func `a span of a hundred thousand bytes is cut too`() {
    let text = String(repeating: "é", count: 50_000)
    let shown = Self.excerpt(text, 0..<100_000, width: 60)
    #expect(shown[0].count <= 60 && shown[1].count <= 60)
  }

  @Test func `bytes that are no UTF-8 are shown as such`() {
    let source = SourceText(path: "a", bytes: [0x61, 0xFF, 0x62])
    let diagnostic = Diagnostic(
      Kind("J027", "x", "x", "x", nil), severity: .error, "x", at: source.location(of: 1..<2))
    let file = SubjectReport(path: "a", source: source, diagnostics: [diagnostic])
    #expect(TerminalRenderer().render(file).contains("a\u{FFFD}b\n  |  ^\n"))
  }

  @Test func `a file name cannot steer the terminal`() {
    let diagnostic = Diagnostic(
      Kind("V001", "x", "x", "x", nil), severity: .error, "x", at: .init(path: "a\u{1B}[2J"))
    let file = SubjectReport(path: "a", source: nil, diagnostics: [diagnostic], omitted: 3)
    let text = TerminalRenderer().render(file)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("3 more diagnostics are not shown"))
  }
}

@Suite struct MachineRendererTests {
  static let files: [SubjectReport] = {
    let source = SourceText(path: "d/a, b:\"c\".json", bytes: Array("{\n \"é\": <1>\n}".utf8))
    return [
      SubjectReport(
        path: source.path, source: source,
        diagnostics: [
          Diagnostic(
            Kind("A012", "a", "s", "h\n\"x\"", nil), severity: .error, "100% \"wrong\" & <bad>",
            at: source.location(of: 3..<7),
            help: "line\nbreak", note: "n"),
          Diagnostic(
            Kind("A021", "b", "s", "h", nil, severity: .note), severity: .note, "tab\t\u{1}",
            at: .init(path: source.path)),
          Diagnostic(
            Kind("H031", "file-lost", "a file is gone", "it is served still", nil, fix: "restore"),
            severity: .warning, "two lines",
            at: source.location(of: 0..<13)),
        ], omitted: 2),
      SubjectReport(path: "clean", source: nil, diagnostics: []),
    ]
  }()

  static func object(_ text: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  @Test func `JSON has every part of every diagnostic`() throws {
    let root = try Self.object(Self.files.json)
    #expect(root["files"] as? Int == 2)
    #expect(root["errors"] as? Int == 1)
    #expect(root["omitted"] as? Int == 2)
    let all = try #require(root["diagnostics"] as? [[String: Any]])
    try #require(all.count == 3)
    #expect(all[0]["message"] as? String == "100% \"wrong\" & <bad>")
    #expect(all[0]["line"] as? Int == 2)
    #expect(all[0]["column"] as? Int == 2)
    // Columns count scalars, offsets bytes.
    #expect(all[0]["endColumn"] as? Int == 5)
    #expect(all[0]["end"] as? Int == 7)
    #expect(all[1]["message"] as? String == "tab\t\u{1}")
    #expect(all[1]["line"] == nil)
    #expect(all[2]["endLine"] as? Int == 3)
  }

  @Test func `annotations are one line each and escaped`() throws {
    let lines = Self.files.githubAnnotations.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(
      lines[0]
        == "::error file=d/a%2C b%3A\"c\".json,line=2,endLine=2,col=2,endColumn=5,title=A012::"
        + "100%25 \"wrong\" & <bad>%0Ahelp: line\\u{a}break%0Anote: n")
    #expect(lines[1].hasPrefix("::notice file="))
    // A column without its line is refused.
    #expect(!lines[2].contains("col="))
  }

  @Test func `SARIF has what the standard demands`() throws {
    let root = try Self.object(Self.files.sarif(version: "1.2.3"))
    #expect(root["version"] as? String == "2.1.0")
    #expect(root["$schema"] as? String == "https://json.schemastore.org/sarif-2.1.0.json")
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "aasa")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.map { $0["id"] as? String } == ["A012", "A021", "H031"])
    #expect(rules.map { $0["name"] as? String } == ["a", "b", "file-lost"])
    let levels = rules.map { ($0["defaultConfiguration"] as? [String: Any])?["level"] as? String }
    #expect(levels == ["error", "note", "error"])
    for rule in rules {
      let help = try #require((rule["help"] as? [String: Any])?["text"] as? String)
      #expect(help.contains("Why: "))
      #expect((rule["shortDescription"] as? [String: Any])?["text"] is String)
    }
    // A code of a group that is not about the files' content is described as all others are.
    let hosting = try #require(rules.last)
    let description = hosting["shortDescription"] as? [String: Any]
    #expect(description?["text"] as? String == "a file is gone")
    let help = try #require((hosting["help"] as? [String: Any])?["text"] as? String)
    #expect(help.contains("Why: it is served still\nFix: restore\n"))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.map { $0["level"] as? String } == ["error", "note", "warning"])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(result["ruleId"] as? String == rules[index]["id"] as? String)
      #expect((result["message"] as? [String: Any])?["text"] is String)
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let physical = try #require(location["physicalLocation"] as? [String: Any])
      let uri = (physical["artifactLocation"] as? [String: Any])?["uri"] as? String
      #expect(uri == "d/a%2C%20b%3A%22c%22.json")
      guard let region = physical["region"] as? [String: Int] else { continue }
      // 3.30: lines and columns count from 1, the end column is exclusive.
      #expect((region["startLine"] ?? 0) >= 1 && (region["startColumn"] ?? 0) >= 1)
      #expect((region["endLine"] ?? 0) >= (region["startLine"] ?? 0))
    }
  }

  @Test func `nothing found is still a run of SARIF`() throws {
    let root = try Self.object([SubjectReport]().sarif(version: "1"))
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.isEmpty == true)
  }

  @Test func `JUnit is XML with one case for each file`() throws {
    let text = Self.files.junit(failing: .warning)
    let document = XMLCounter(text)
    #expect(document.isWellFormed)
    #expect(document.counts["testcase"] == 2)
    #expect(document.counts["failure"] == 1)
    #expect(document.counts["system-out"] == 1)
    #expect(text.contains("tests=\"2\" failures=\"1\""))
    #expect(Self.files.junit(failing: .error).contains("type=\"A012\""))
  }
}

/// Counts elements and sees whether tags are balanced: Foundation's XML is another product here.
private struct XMLCounter {
  private(set) var counts: [String: Int] = [:]
  private(set) var isWellFormed = true

  init(_ text: String) {
    var open: [String] = []
    for part in text.split(separator: "<").dropFirst() {
      guard let end = part.firstIndex(of: ">") else {
        isWellFormed = false
        return
      }
      let tag = part[..<end]
      if tag.hasPrefix("?") { continue }
      let name = String(tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" })
      if tag.hasPrefix("/") {
        if open.popLast() != name { isWellFormed = false }
        continue
      }
      counts[name, default: 0] += 1
      if !tag.hasSuffix("/") { open.append(name) }
    }
    if !open.isEmpty || text.unicodeScalars.contains(where: { $0.value < 9 }) {
      isWellFormed = false
    }
  }
}
