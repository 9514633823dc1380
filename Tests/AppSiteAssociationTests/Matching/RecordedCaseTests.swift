import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import Testing

/// Recorded runs of Apple's own tool and examples out of its documentation.
@Suite struct RecordedCaseTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let value: Value
    var testDescription: String { text("id") }

    func text(_ key: String) -> String { value.member(key)?.string ?? "" }
  }

  static let cases: [Case] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Corpus/matching-cases.json").standardizedFileURL.path
    guard let data = FileManager.default.contents(atPath: path),
      let document = try? Document(parsing: SourceText(path: path, bytes: Array(data)))
    else { return [] }
    return document.root.elements.map(Case.init)
  }()

  @Test func `all cases are there`() {
    #expect(Self.cases.count == 119)
  }

  @Test(arguments: cases) func `a recorded case comes out as recorded`(one: Case) throws {
    let file = Association(try #require(one.value.member("aasa")))
    let matcher = try Matcher(file)
    let decision = decide(
      matcher, one.text("url"), app: one.text("app"), domain: one.text("domain"))
    let rule = one.value.member("rule")
    switch decision {
    case .match(let reference):
      #expect(one.text("expected") == "match")
      try check(reference, rule, file)
    case .exclude(let reference):
      #expect(one.text("expected") == "block")
      try check(reference, rule, file)
    case .noMatch:
      #expect(one.text("expected") == "unset")
    }
  }

  private func check(_ reference: RuleReference, _ rule: Value?, _ file: Association) throws {
    let entry = try #require(file.applinks).entries[reference.entry]
    #expect(entry.rules[reference.rule].index == rule?.member("rule")?.integer)
    switch entry.position {
    case .index(let index): #expect(index == rule?.member("detail")?.integer)
    case .identifier(let name): #expect(name == rule?.member("detail")?.string)
    }
  }
}
