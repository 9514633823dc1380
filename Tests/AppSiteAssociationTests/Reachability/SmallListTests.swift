import AppSiteAssociation
import Diagnostics
import Rules
import TestRunning
import Testing

/// Thousands of lists of short rules over few characters: for such lists everything is known, and
/// all short URLs agree with it.
@Suite struct `Small rule lists` {
  @Test(arguments: [false, true])
  func `decisions and differences are known, and agree with all short URLs`(
    whole: Bool
  ) throws {
    var generator = RuleGenerator(seed: whole ? 6 : 5)
    let urls = whole ? SmallURLs.wholes : SmallURLs.paths
    var counts = Counts()
    let count = rounds(200, stress: 2_000)
    for number in 0..<count {
      let rules = (0..<(1 + generator.next(3))).map { _ in generator.smallRule(whole: whole) }
      let left = try RuleList(rules, urls)
      try left.checkReach(&counts)
      // Comparisons take longer, and those of queries that are decoded and not take seconds in a
      // build that is not optimised.
      guard number % 8 == 0 else { continue }
      let others = generator.changed(rules, whole: whole)
      if whole, (rules + others).contains(where: { $0.contains("percentEncoded") }) { continue }
      try RuleList.checkDifferences(left, RuleList(others, urls), &counts)
    }
    #expect(counts.unknown == 0, "\(counts)")
    // A test in which nothing happens shows nothing.
    #expect(counts.decides > count * 3 / 2 && counts.covered > count / 10, "\(counts)")
    #expect(counts.same > count / 100 && counts.different > count / 50, "\(counts)")
  }
}

private struct Counts {
  var decides = 0
  var covered = 0
  var nothing = 0
  var same = 0
  var different = 0
  var unknown = 0
}

/// A list of components and which of them decides each URL; -1 for none.
private struct RuleList {
  let text: String
  let file: Association
  let urls: [String]
  private let matcher: Matcher
  private let deciding: [Int]

  init(_ rules: [String], _ urls: [String]) throws {
    text = "[" + rules.joined(separator: ",") + "]"
    file = try association(RuleGenerator.file(text))
    matcher = try Matcher(file)
    self.urls = urls
    var deciding: [Int] = []
    deciding.reserveCapacity(urls.count)
    for url in urls {
      deciding.append(Self.rule(matcher, url))
    }
    self.deciding = deciding
  }

  private static func rule(_ matcher: Matcher, _ url: String) -> Int {
    let bytes = Array(url.utf8)
    guard let texts = try? matcher.texts(of: bytes.span, domain: nil) else { return -1 }
    return matcher.decide(texts, appAt: 0).rule ?? -1
  }

  private func rule(_ example: ExampleURL) -> Int { Self.rule(matcher, example.reference) }

  func checkReach(_ counts: inout Counts) throws {
    let applinks = try #require(file.applinks)
    let entry = try #require(applinks.entries.first)
    let reachability = EntryReachability(entry.rules, applinks.variables)
    for rule in entry.rules.indices {
      var budget = Budget(operations: ReachabilityLimits.questionSteps)
      let reach = reachability.reach(of: rule, budget: &budget)
      let first = deciding.firstIndex(of: rule)
      var isRight = true
      switch reach {
      case .decides(let example):
        counts.decides += 1
        isRight = self.rule(example) == rule
        if let first {
          isRight = isRight && example.reference.utf8.count <= urls[first].utf8.count
        }
      case .isCovered(let by, let example):
        counts.covered += 1
        isRight = first == nil && !by.isEmpty && (0..<rule).contains(self.rule(example))
      case .matchesNothing:
        counts.nothing += 1
        isRight = first == nil
      case .unknown:
        counts.unknown += 1
      }
      if !isRight {
        Issue.record("\(reach), rule \(rule) of \(text), \(first.map { urls[$0] } ?? "-")")
      }
    }
  }

  private func outcome(_ rule: Int) -> LinkOutcome {
    guard rule >= 0 else { return .browser }
    return file.applinks?.entries[0].rules[rule].isExclusion == true ? .blocked : .opens
  }

  static func checkDifferences(_ old: RuleList, _ new: RuleList, _ counts: inout Counts) {
    var examples: [[Int]: Int] = [:]
    for difference in differences(old: old.file, new: new.file) {
      if difference.kind == .notCompared {
        counts.unknown += 1
        continue
      }
      guard let change = difference.change, difference.isDecision else {
        Issue.record("\(difference): \(old.text) \(new.text)")
        continue
      }
      let pair = [Self.rule(old.matcher, change.example), Self.rule(new.matcher, change.example)]
      examples[pair] = change.example.utf8.count
      let isRight =
        old.outcome(pair[0]) == change.old && new.outcome(pair[1]) == change.new
        && change.old != change.new
      if !isRight { Issue.record("\(change): \(old.text) \(new.text)") }
    }
    for (index, url) in old.urls.enumerated() {
      let (before, after) = (old.deciding[index], new.deciding[index])
      guard before != after, old.outcome(before) != new.outcome(after) else { continue }
      if examples[[before, after]] ?? .max > url.utf8.count {
        Issue.record("\(url) differs: \(old.text) \(new.text)")
      }
    }
    if examples.isEmpty { counts.same += 1 } else { counts.different += 1 }
  }
}

extension RuleGenerator {
  /// The list without one rule, with another one in its place, or in another order.
  fileprivate mutating func changed(_ rules: [String], whole: Bool) -> [String] {
    var rules = rules
    let place = next(rules.count)
    switch next(3) {
    case 0: rules.remove(at: place)
    case 1: rules[place] = smallRule(whole: whole)
    default: rules.swapAt(place, next(rules.count))
    }
    return rules
  }

  /// At most three characters for each part.
  fileprivate mutating func smallRule(whole: Bool) -> String {
    var members: [String] = []
    if !whole || next(4) == 0 {
      members.append(#""/": "\#(text(["a", "b", "/", "*", "?"], upTo: 3))""#)
    }
    if whole {
      switch next(3) {
      case 0: members.append(#""?": "\#(text(["a", "=", "&", "*", "?"], upTo: 3))""#)
      case 1: members.append(#""?": {"a": "\#(text(["a", "*", "?"], upTo: 2))"}"#)
      default: members.append(##""#": "\##(text(["a", "b", "*", "?"], upTo: 2))""##)
      }
    }
    if next(8) == 0 { members.append(#""caseSensitive": false"#) }
    if next(8) == 0 { members.append(#""percentEncoded": false"#) }
    if next(3) == 0 { members.append(#""exclude": true"#) }
    return "{" + members.joined(separator: ",") + "}"
  }
}

private enum SmallURLs {
  static let paths = byLength(URLs.texts(["a", "b", "/"], upTo: 3).map { "/" + $0 })

  static let wholes = byLength(
    URLs.texts(["a", "=", "&"], upTo: 3).flatMap { query in
      ["", "#a"].map { "/?" + query + $0 }
    } + ["/", "/a", "/b?a", "/#b"])

  private static func byLength(_ urls: [String]) -> [String] {
    urls.sorted { $0.utf8.count < $1.utf8.count }
  }
}
