import Diagnostics
import JSON
import Rules
import Testing

@testable import AppSiteAssociation

/// What finding the part of a rule that no URL has may cost (A083).
@Suite struct ImpossibleRuleTests {
  /// The parts that are named of two rules with an impossible query.
  private static func named(_ budget: Int) throws -> [String] {
    let rule = #"{"/":"/search","?":{"q":"a&b"}}"#
    let text = ValidationTests.components(rule + "," + rule.replacing("a&b", with: "c&d"))
    let source = SourceText(path: "f", bytes: Array(text.utf8))
    return AssociationRule.report(
      of: [ruleThatNeverMatches(Budget(operations: budget))],
      on: FileUnderCheck(try Document(parsing: source), options: ValidationOptions()), in: source,
      ignoring: [], limit: 100
    ).diagnostics.map { $0.message.replacing("no possible URL matches ", with: "") }
  }

  @Test func `rules beyond the budget are named without the part`() throws {
    let (whole, query) = ("this rule", "the query of this rule")
    var (low, high) = (0, 1_000_000)
    let (none, all) = (try Self.named(low), try Self.named(high))
    try #require(none == [whole, whole] && all == [query, query])
    while high - low > 1 {
      let middle = (low + high) / 2
      if try Self.named(middle)[0] == query { high = middle } else { low = middle }
    }
    // At the limit, and one past it.
    try #expect(Self.named(high) == [query, whole])
    try #expect(Self.named(high - 1) == [whole, whole])
    try #expect(Self.named(3 * high) == [query, query])
  }

  @Test(arguments: [
    ("$(lang)", true), ("$(food)", true), ("$(none)", false), ("$(missing)", false),
  ])
  func `a variable with values does not hide that a rule matches nothing`(
    variable: String, isReported: Bool
  ) throws {
    let text = #"""
      {"applinks": {"substitutionVariables": {"food": ["sushi"], "none": []}, "details": [
        {"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [
          {"/": "/\#(variable)/*", "?": {"q": "a&b"}}, {"/": "/buy/*"}]}]}}
      """#
    let source = SourceText(path: "f", bytes: Array(text.utf8))
    let file = FileUnderCheck(try Document(parsing: source), options: ValidationOptions())
    let report = AssociationRule.report(
      of: [ruleThatNeverMatches()], on: file, in: source, ignoring: [], limit: 100)
    // Other rules report a variable without values.
    #expect(
      report.diagnostics.map(\.message)
        == (isReported ? ["no possible URL matches the query of this rule"] : []))
  }
}
