import AppSiteAssociation
import Diagnostics
import Foundation
import Testing

@testable import aasa

/// `aasa explain`.
@Suite struct ExplainTests {
  /// All sources.
  static let sources: [String] = {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      found.append(text)
    }
    return found
  }()

  /// Every code in the sources.
  static let codes: [String] = {
    var found = Set<String>()
    for text in sources {
      // The ends of ranges are not printed.
      let codes = text.replacing(/"[A-Z]\d{3}"\.\.\."[A-Z]\d{3}"/, with: "")
      for match in codes.matches(of: /"([A-Z]\d{3})"/) { found.insert(String(match.output.1)) }
    }
    return found.sorted()
  }()

  @Test func `every code that the program prints has a page, and no page is for another`() {
    #expect(Self.codes.count > 200)
    let difference = Set(Self.codes).symmetricDifference(
      Kinds.all.map(\.code).filter { !$0.hasPrefix("SWCERR") })
    #expect(difference.sorted() == [])
  }

  @Test func `a page names no grade that Checking.md does not list`() {
    let grades = Kinds.all.flatMap { $0.page.matches(of: /\(grade (.*?)\)/).map(\.output.1) }
    #expect(Set(grades) == ["V", "D", "O"])
  }

  @Test func `every kind of diagnostic is reported somewhere, and explained`() {
    var uses: [Substring: Int] = [:]
    for text in Self.sources {
      for word in text.split(whereSeparator: { !$0.isLetter }) { uses[word, default: 0] += 1 }
    }
    let names = Self.sources.flatMap {
      $0.matches(of: /static let ([A-Za-z]+) = (?:SyntaxError\.)?Kind\(/).map(\.output.1)
    }
    #expect(names.count > 80)
    // Once where it is declared, and once in the list of kinds.
    #expect(names.filter { uses[$0, default: 0] < 3 } == [])
  }

  @Test func `behaviour hangs on kinds and not on the text of a code`() {
    let comparisons = [
      ".code.hasPrefix", ".code.hasSuffix", ".code.prefix", ".code.first", ".code.starts",
      ".code.dropFirst", ".code.contains", #".code == ""#, #".code != ""#, #""..."A"#,
    ]
    for text in Self.sources {
      #expect(comparisons.filter { text.contains($0) } == [])
    }
  }

  @Test func `a code and a name mean one thing`() {
    #expect(Set(Kinds.all.map(\.code)).count == Kinds.all.count)
    #expect(Set(Kinds.all.map(\.name)).count == Kinds.all.count)
    for group in Kinds.groups {
      #expect(group.kinds.allSatisfy { $0.code.first == group.letter }, "\(group.title)")
    }
  }

  @Test(arguments: [
    ("J011", "trailing-comma-in-array"), ("J027", "invalid-utf8"), ("J037", "nan-or-infinity"),
  ])
  func `the name of a syntax error is made of whole words`(code: String, name: String) throws {
    #expect(try #require(Kinds.kinds(of: code).first).name == name)
  }

  @Test(arguments: Kinds.all)
  func `a page has the fault, the reason and the fix`(kind: Kind) {
    for text in [kind.what, kind.consequence] + [kind.fix].compactMap(\.self) {
      #expect(!text.isEmpty && !text.hasSuffix("."), "\(text)")
    }
    // Faults of association files are shown by an example.
    if !"AJV".contains(kind.code.prefix(1)) {
      #expect(kind.fix != nil || kind.right != nil, "\(kind.code)")
    }
    let text = kind.page
    #expect(text.hasPrefix("\(kind.code) \(kind.name) (\(kind.severity.rawValue))\n\nWhat: "))
    #expect(text.contains("\nWhy: "))
    if let fix = kind.fix { #expect(text.contains("\nFix: \(fix.prefix(20))")) }
  }

  @Test func `the list has a heading and a line for each code`() {
    let lines = Kinds.list.split(separator: "\n")
    #expect(lines.count == Kinds.all.count + Kinds.groups.count)
    #expect(lines.first == "A: association files")
    #expect(lines.contains { $0.hasPrefix("T010  warning  chain-incomplete ") })
    #expect(lines.contains("H: hosting"))
  }

  /// What a system or a browser says, and the beginning of its page.
  static let messages: [(text: String, page: String)] = [
    ("1004", "1004 not-associated"), ("error -25293", "1004 not-associated"),
    ("Application with identifier K27TX9P4QD.a.b is not associated with domain a.example", "1004 "),
    ("Unable to verify webcredentials association of a.b with domain a.example", "1004 "),
    ("RP ID cannot be validated.", "RP ID cannot be validated android-not-associated"),
    ("E/OriginVerifier: Statement failure", "OriginVerifier web-activity-not-verified"),
    ("Using HTTPS callbacks requires Associated Domains", "HTTPS callback callback-without"),
    ("legacy_failure", "legacy_failure android-state"), ("1024", "1024 android-state"),
  ]

  @Test(arguments: messages) func `messages of systems have a page`(text: String, page: String) {
    #expect(Program.run(["explain", text], output: { _ in }, errors: { _ in }) == 0)
    let found = Kinds.kinds(of: text.uppercased()).first?.page ?? ""
    #expect(found.lowercased().hasPrefix(page.lowercased()), "\(found)")
    #expect(found.contains("\nFix: "))
  }

  static let unknown: [(code: String, words: String)] = [
    // One character is wrong, missing, or added; case does not matter.
    ("H03", "did you mean H0"), ("t010x", "did you mean T010?"), ("X010", "did you mean "),
    ("A999", "did you mean "), ("", "aasa explain --list prints all"),
  ]

  @Test(arguments: unknown) func `an unknown code is reported`(code: String, words: String) {
    #expect(Program.run(["explain", code], output: { _ in }, errors: { _ in }) == 2)
    let near = unknownCode(code)
    #expect(near.hasPrefix("there is no code \(code); "))
    #expect(near.contains(words), "\(near)")
  }

  @Test func `the words of a message need no quotes, and several codes are all explained`() {
    let words = ["explain"] + "RP ID cannot be validated.".split(separator: " ").map(String.init)
    #expect(Program.run(words, output: { _ in }, errors: { _ in }) == 0)
    let codes = ["explain", "A044", "legacy_failure", "SWCERR00301"]
    #expect(Program.run(codes, output: { _ in }, errors: { _ in }) == 0)
  }

  @Test func `a text without a known message is reported, with the nearest three`() {
    let text = "the universal link does not do what I want"
    let words = text.split(separator: " ").map(String.init)
    for arguments in [[text], words, ["banana"], ["A044", "banana"]] {
      #expect(
        Program.run(["explain"] + arguments, output: { _ in }, errors: { _ in }) == 1,
        "\(arguments)")
    }
    for text in [text, "banana"] {
      let message = unknownText(text)
      #expect(
        message.hasPrefix(
          "no known message is in \"\(text)\"; the most similar messages are \""))
      #expect(message.split(separator: "\"").count == 8, "\(message)")
    }
  }

  @Test func `a code in brackets in a text is explained`() {
    let text = "error: Apple's CDN has a different version [F062]"
    #expect(Kinds.kinds(of: text).first?.code == "F062")
  }
}
