import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import Testing

@testable import aasa

/// `aasa explain`.
@Suite struct ExplainTests {
  /// Every code in the sources, and those of JSON, which are counted.
  static let codes: [String] = {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var found = Set(SyntaxError.Kind.allCases.map(\.code))
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !file.path.contains("/aasa/Explain/"),
        let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      // The ends of ranges are not printed.
      let codes = text.replacing(/"[A-Z]\d{3}"\.\.\."[A-Z]\d{3}"/, with: "")
      for match in codes.matches(of: /"([A-Z]\d{3})"/) { found.insert(String(match.output.1)) }
    }
    return found.sorted()
  }()

  @Test func `every code that the program prints has a page, and no page is for another`() {
    #expect(Self.codes.count > 200)
    let difference = Set(Self.codes).symmetricDifference(
      Pages.all.map(\.code).filter { !$0.hasPrefix("SWCERR") })
    #expect(difference.sorted() == [])
  }

  @Test func `a code and a name mean one thing`() {
    #expect(Set(Pages.all.map(\.code)).count == Pages.all.count)
    #expect(Set(Pages.all.map(\.name)).count == Pages.all.count)
    for group in Pages.groups {
      #expect(group.pages.allSatisfy { $0.code.first == group.letter }, "\(group.title)")
    }
  }

  @Test(arguments: Pages.all)
  func `a page has the fault, the reason and the fix`(page: RulePage) {
    for text in [page.what, page.consequence] + [page.fix].compactMap(\.self) {
      #expect(!text.isEmpty && !text.hasSuffix("."), "\(text)")
    }
    // Faults of association files are shown by an example.
    if !"AJV".contains(page.code.prefix(1)) {
      #expect(page.fix != nil || page.right != nil, "\(page.code)")
    }
    let text = page.text
    #expect(text.hasPrefix("\(page.code) \(page.name) (\(page.severity.rawValue))\n\nWhat: "))
    #expect(text.contains("\nWhy: "))
    if let fix = page.fix { #expect(text.contains("\nFix: \(fix.prefix(20))")) }
  }

  @Test func `the list has a heading and a line for each code`() {
    let lines = Pages.list.split(separator: "\n")
    #expect(lines.count == Pages.all.count + Pages.groups.count)
    #expect(lines.first == "A: association files")
    #expect(lines.contains { $0.hasPrefix("T010  warning  chain-incomplete ") })
    #expect(lines.contains("H: hosting"))
  }

  static let unknown: [(code: String, words: String)] = [
    // One character is wrong, missing, or added; case does not matter.
    ("H03", "did you mean H0"), ("t010x", "did you mean T010?"), ("X010", "did you mean "),
    // Nothing is near.
    ("banana", "aasa explain --list prints all"), ("", "aasa explain --list prints all"),
  ]

  @Test(arguments: unknown) func `an unknown code is reported`(code: String, words: String) {
    #expect(Program.run(["explain", code], output: { _ in }, errors: { _ in }) == 2)
    let near = unknownCode(code)
    #expect(near.hasPrefix("there is no code \(code); "))
    #expect(near.contains(words), "\(near)")
  }
}
