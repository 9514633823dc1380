import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import TestRunning
import Testing

/// Lists as large sites have them: many long rules that all begin with the same variables.
@Suite struct `Long rule lists with variables` {
  /// A list, and which of its rules decide nothing.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rules: [String]
    var covered: [Int: [Int]] = [:]
  }

  private static func rule(_ path: String, _ more: String = "") -> String {
    #"{"/": "\#(path)"\#(more)}"#
  }

  /// As many as large sites have; few of them show the same.
  private static let count = rounds(9, stress: 60)
  /// The budget for one file is enough for 22 rules that others decide; A086 says so of the rest.
  private static let half = min(count / 2, 20)

  private static let plain = (0..<count).map {
    rule("/$(lang)-$(region)/shop/category-\($0)/products/item-*")
  }

  static let rows = [
    Row(testDescription: "none says anything of another one's links", rules: plain),
    Row(
      testDescription: "without regard to case",
      rules: (0..<count).map {
        rule("/$(lang)-$(region)/shop/category-\($0)/item-*", #","caseSensitive": false"#)
      }),
    Row(
      testDescription: "compared with the decoded path",
      rules: (0..<count).map {
        rule("/$(lang)-$(region)/shop/category-\($0)/item-*", #","percentEncoded": false"#)
      }),
    Row(
      testDescription: "written and decoded",
      rules: (0..<count).map {
        rule(
          "/$(lang)-$(region)/shop/category-\($0)/item-*",
          #","percentEncoded": \#($0 % 3 != 0), "caseSensitive": \#($0 % 2 == 0)"#)
      }),
    Row(
      testDescription: "the last one is a part of another",
      rules: plain + [rule("/de-DE/shop/category-7/products/item-77*")], covered: [count: [7]]),
    Row(
      testDescription: "half of them are parts of others",
      rules: plain[..<half]
        + (0..<half).map { rule("/$(lang)-$(region)/shop/category-\($0)/products/item-*/x") },
      covered: Dictionary(uniqueKeysWithValues: (0..<half).map { ($0 + half, [$0]) })),
    Row(
      testDescription: "a variable after a star",
      rules: (0..<count).map { rule("/*/$(lang)-$(region)/category-\($0)/*") }),
    Row(
      testDescription: "a pair",
      rules: [
        rule("/$(lang)-$(region)/buy/*", #","exclude": true"#),
        rule("/$(lang)-$(region)/buy/secret"),
      ], covered: [1: [0]]),
  ]

  @Test(arguments: rows) func `are decided`(_ row: Row) throws {
    let file = try association(RuleGenerator.file("[" + row.rules.joined(separator: ",") + "]"))
    let report = validate(
      SourceText(
        path: "site.json",
        bytes: Array(RuleGenerator.file("[" + row.rules.joined(separator: ",") + "]").utf8)))
    #expect(!report.diagnostics.contains { $0.code == "A086" })
    // A sample is enough for the slow way.
    let entry = try #require(file.applinks?.entries.first)
    let reachability = EntryReachability(entry.rules, try #require(file.applinks?.variables))
    for rule in row.rules.indices where row.covered[rule] != nil || rule % (Self.count / 3) == 2 {
      var budget = Budget(operations: ReachabilityLimits.questionSteps)
      let reach = reachability.reach(of: rule, budget: &budget)
      var covering: [Int]?
      if case .isCovered(let by, _) = reach { covering = by }
      #expect(covering == row.covered[rule] && reach != .unknown, "\(rule): \(reach)")
    }
    let reported = report.diagnostics.filter { ["A080", "A082", "A085"].contains($0.code) }
    #expect(reported.count == row.covered.count)
  }

  @Test func `are compared`() throws {
    var others = Self.plain
    others[8] = Self.rule("/$(lang)-$(region)/shop/category-x/products/item-*")
    let found = differences(
      old: try association(RuleGenerator.file("[" + Self.plain.joined(separator: ",") + "]")),
      new: try association(RuleGenerator.file("[" + others.joined(separator: ",") + "]")))
    let examples = found.compactMap { difference -> String? in
      guard let change = difference.change, difference.isDecision else { return nil }
      return change.example
    }
    #expect(
      Set(examples) == [
        "/aa-AC/shop/category-x/products/item-", "/aa-AC/shop/category-8/products/item-",
      ])
    #expect(found.count == 2)
  }
}
