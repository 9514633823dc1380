import Testing

@testable import Diagnostics

@Suite struct SourceTextTests {
  @Test(arguments: [
    // Text, byte offset, line, column.
    ("", 0, 1, 1),
    ("abc", 0, 1, 1), ("abc", 2, 1, 3),
    // The end of the file, and past it.
    ("abc", 3, 1, 4), ("abc", 9, 1, 4), ("abc\n", 4, 2, 1),
    // LF, CR LF, CR alone; both bytes of CR LF are the end of the first line.
    ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1),
    ("a\r\nb", 1, 1, 2), ("a\r\nb", 2, 1, 3), ("a\r\nb", 3, 2, 1),
    ("a\rb", 2, 2, 1), ("a\n\rb", 3, 3, 1), ("\r\n\r\n", 4, 3, 1),
    // Columns count scalars, not bytes and not characters as drawn.
    ("éx", 2, 1, 2), ("😀x", 4, 1, 2), ("e\u{301}x", 3, 1, 3), ("a\né\"x", 5, 2, 3),
  ]) func `a byte has a line and a column`(
    text: String, offset: Int, line: Int, column: Int
  ) {
    let source = SourceText(path: "a", bytes: Array(text.utf8))
    let place = source.place(of: offset..<offset)
    #expect(place.line == line && place.column == column, "\(place)")
    #expect(place.range == offset..<offset)
  }

  @Test func `a location has the path and the place`() {
    let source = SourceText(path: "Config/a.json", bytes: Array("{\n}".utf8))
    let location = source.location(of: 2..<3)
    #expect(location.path == "Config/a.json")
    #expect(location.place == Diagnostic.Place(range: 2..<3, line: 2, column: 1))
  }
}

@Suite struct SuggestionTests {
  static let candidates = ["applinks", "webcredentials", "appclips", "http", "https"]

  @Test(
    arguments: [
      ("applinks", "applinks"), ("appLinks", "applinks"), ("aplinks", "applinks"),
      // Neighbours swapped count once.
      ("webcerdentials", "webcredentials"), ("htpt", "http"), ("httpss", "https"),
      // A third may differ, no more.
      ("x", nil), ("activity", nil), ("", nil), ("apps", nil),
    ] as [(String, String?)])
  func `the nearest word is suggested unless it is far`(word: String, expected: String?) {
    #expect(nearest(to: word, among: Self.candidates) == expected)
  }

  @Test func `a word of more than a hundred letters resembles none`() {
    let word = String(repeating: "a", count: 99)
    #expect(nearest(to: word + "x", among: [word + "y"]) == word + "y")
    #expect(nearest(to: word + "xz", among: [word + "yz"]) == nil)
    #expect(nearest(to: "é" + word, among: ["e" + word]) == "e" + word)
  }

  @Test func `of equally near words the first wins`() {
    #expect(nearest(to: "cat", among: ["car", "bat"]) == "car")
    #expect(nearest(to: "cat", among: [String]()) == nil)
  }
}

@Suite struct LineRendererTests {
  @Test func `all parts are on one line`() {
    let diagnostic = Diagnostic(
      Kind("J004", "x", "x", "x", nil), severity: .error, "a comma is missing",
      at: .init(path: "a.json", place: .init(range: 3..<4, line: 2, column: 1)),
      help: "write one", note: "RFC 8259")
    #expect(
      diagnostic.line == "a.json:2:1: error: a comma is missing; write one (RFC 8259) [J004]")
  }

  @Test func `absent parts leave no traces`() {
    #expect(
      Diagnostic(Kind("C001", "x", "x", "x", nil), severity: .warning, "late").line
        == "warning: late [C001]")
    let file = Diagnostic(
      Kind("C002", "x", "x", "x", nil), severity: .note, "read", at: .init(path: "b"))
    #expect(file.line == "b: note: read [C002]")
  }

  @Test func `the fix of the kind is the help of a case that has none of its own`() {
    let kind = Kind("H031", "x", "x", "x", nil, severity: .warning, fix: "put the files back")
    let usual = Diagnostic(kind, "lost")
    #expect(usual.line == "warning: lost; put the files back [H031]")
    #expect(
      Diagnostic(kind, "lost", help: "put a.json back").line
        == "warning: lost; put a.json back [H031]")
    #expect(usual.withoutHelp.line == "warning: lost [H031]")
  }

  @Test func `a file name cannot forge a line`() {
    let forged = Diagnostic(
      Kind("C003", "x", "x", "x", nil), severity: .error, "x",
      at: .init(path: "a\nerror: b\u{1B}[31m"))
    #expect(forged.line == "a\\u{a}error: b\\u{1b}[31m: error: x [C003]")
  }

  @Test(arguments: [
    ("plain é 😀", "plain é 😀"), ("", ""), ("\0", "\\u{0}"), ("a\tb", "a\\u{9}b"),
    ("\r\n", "\\u{d}\\u{a}"), ("\u{7F}\u{85}", "\\u{7f}\\u{85}"),
  ]) func `control characters are escaped`(text: String, expected: String) {
    #expect(escapingInvisible(text) == expected)
  }

  @Test func `severities are ordered`() {
    #expect(Diagnostic.Severity.allCases.sorted() == [.note, .warning, .error])
  }

  @Test func `what a diagnostic quotes is cut`() {
    let kind = Kind("X001", "x", "what", "why", nil)
    func quoting(_ count: Int) -> String {
      Diagnostic(kind, String(repeating: "é", count: count)).message
    }
    #expect(quoting(500) == String(repeating: "é", count: 500))
    #expect(quoting(2_000).unicodeScalars.count == 1_000 && quoting(2_000).hasSuffix("é…"))
    // One character of a thousand marks.
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(Diagnostic(kind, marks).message.utf8.count < 3_000)
  }

  @Test(arguments: [(9, 90, false), (10, 100, false), (11, 100, true), (10, 101, true)])
  func `a budget is spent one past its end`(operations: Int, bytes: Int, isSpent: Bool) {
    var budget = Budget(operations: 10, bytes: 100)
    budget.spend(operations, bytes: bytes)
    #expect(budget.isSpent == isSpent && budget.spent == operations)
    #expect(budget.part(5).operations <= 5)
  }
}
