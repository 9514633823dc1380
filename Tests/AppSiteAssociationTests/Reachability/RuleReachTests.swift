import AppSiteAssociation
import Diagnostics
import Foundation
import JSON
import TestRunning
import Testing

@Suite struct `the decisions of rules` {
  @Test(arguments: [
    // an earlier rule that matches more
    (#"[{"/": "/buy/*"}, {"/": "/buy/secret", "exclude": true}]"#, 1, [0]),
    // the same path with and without slashes
    (#"[{"/": "buy"}, {"/": "/buy/"}]"#, 1, [0]),
    // an ending of `/*` need not be there
    (#"[{"/": "/buy/*"}, {"/": "/buy"}]"#, 1, [0]),
    // case
    (#"[{"/": "/BUY*", "caseSensitive": false}, {"/": "/buy/?"}]"#, 1, [0]),
    // a class and its digits
    (#"[{"/": "/$(alnum)"}, {"/": "/$(digit)"}]"#, 1, [0]),
    // two rules together
    (#"[{"/": "/a?*"}, {"/": "/x"}, {"/": "/a"}, {"/": "/a*"}]"#, 3, [0, 2]),
    // only with a query and only without one
    (#"[{"?": ""}, {"?": "?*"}, {"/": "/x"}]"#, 2, [0, 1]),
    // items: the order does not matter
    (#"[{"?": {"b": "?", "a": "*x"}}, {"?": {"a": "x", "b": "1", "c": "?*"}}]"#, 1, [0]),
    // an absent item is an empty one
    (#"[{"?": {"a": ""}}, {"?": ""}]"#, 1, [0]),
    // a query text and an item
    (#"[{"?": {"a": "1*"}}, {"?": "a=1?"}]"#, 1, [0]),
    // fragments
    (##"[{"/": "/a", "#": "*"}, {"/": "/a", "#": "top"}]"##, 1, [0]),
    // written and decoded
    (#"[{"/": "/é", "percentEncoded": false}, {"/": "/%C3%A9"}]"#, 1, [0]),
    (#"[{"/": "/?", "percentEncoded": false}, {"/": "/%E2%82%AC"}]"#, 1, [0]),
    // everything
    (#"[{}, {"/": "/a"}]"#, 1, [0]),
    (#"[{"/": "*"}, {"/": "/a"}]"#, 1, [0]),
    (#"[{"/": "/*"}, {}]"#, 1, [0]),
  ])
  func `A rule is covered by those before it`(rules: String, rule: Int, by: [Int]) throws {
    let answer = try reach(rules, rule)
    var covering: [Int] = []
    if case .isCovered(let by, _) = answer { covering = by }
    #expect(covering == by, "\(answer)")
  }

  @Test(arguments: [
    (#"[{"/": "/buy/secret", "exclude": true}, {"/": "/buy/*"}]"#, 1, "/buy"),
    (#"[{"/": "/buy/?*"}, {"/": "/buy/*"}]"#, 1, "/buy"),
    (#"[{"/": "/a*"}, {"/": "*b"}]"#, 1, "/b"),
    // other case
    (#"[{"/": "/buy"}, {"/": "/buy", "caseSensitive": false}]"#, 1, "/buY"),
    // every occurrence of an item must match
    (#"[{"?": {"a": "?"}}, {"?": {"a": "*1*"}}]"#, 1, "/?a=a1"),
    // a slash that is written as one, and not
    (#"[{"/": "/a/b"}, {"/": "/a/b", "percentEncoded": false}]"#, 1, "/a/%62"),
    // nothing but the fragment differs
    (##"[{"#": ""}, {"/": "/"}]"##, 1, "/#a"),
    (#"[{"?": {"a": "", "b": ""}}, {"/": "/"}]"#, 1, "/?a=a"),
    (
      #"[{"/": "*é*", "percentEncoded": false}, {"/": "/é", "percentEncoded": false}, {"/": "/?", "percentEncoded": false}]"#,
      2, "/a"
    ),
    (#"[{"/": "/é", "percentEncoded": false}]"#, 0, "/%C3%A9"),
  ])
  func `The shortest URL that a rule decides is found`(
    rules: String, rule: Int, url: String
  ) throws {
    #expect(try reach(rules, rule) == .decides(example(url)))
  }

  @Test(arguments: [
    #"[{"/": "/$(unknown)"}]"#,
    // no URL has a raw space or a letter beyond ASCII
    #"[{"/": "/a b"}]"#,
    #"[{"/": "/é"}]"#,
    // fragment and query are not part of the path
    ##"[{"/": "/a#b"}]"##,
    // `%` stands for nothing without two digits
    #"[{"/": "/100%"}]"#,
    #"[{"/": "/%zz"}]"#,
    #"[{"?": {"a&b": "?*"}}]"#,
    #"[{"?": {"a": "1&2"}}]"#,
    ##"[{"#": "#top"}]"##,
  ])
  func `A rule that no URL can match is known`(rules: String) throws {
    #expect(try reach(rules, 0) == .matchesNothing)
  }

  /// The corpus of real files, when it is there.
  static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/corpus")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: corpus.path)))
  func `the decisions of rules in real files are known`() throws {
    var (known, unknown) = (0, 0)
    for url in try FileManager.default.contentsOfDirectory(
      at: Self.corpus, includingPropertiesForKeys: nil)
    {
      let source = SourceText(
        path: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)))
      guard let document = try? Document(parsing: source),
        let applinks = Association(document.root).applinks
      else { continue }
      var budget = Budget(operations: ReachabilityLimits.largeFileSteps)
      for entry in applinks.entries {
        let reachability = EntryReachability(entry.rules, applinks.variables)
        for rule in entry.rules.indices {
          let isUnknown = reachability.reach(of: rule, budget: &budget) == .unknown
          if isUnknown { unknown += 1 } else { known += 1 }
        }
      }
      if budget.operations < ReachabilityLimits.largeFileSteps / 2 {
        print("\(source.path): \(budget.operations) operations are left")
      }
    }
    print("\(known) known, \(unknown) unknown")
    #expect(unknown * 100 <= known)
  }

  @Test func `Adversarial patterns give up soon`() throws {
    let rules = (1..<25).map { #"{"/": "*a\#(String(repeating: "?", count: $0))"}"# }
    let file = try association(
      RuleGenerator.file("[" + (rules + [#"{"/": "/*a*"}"#]).joined(separator: ",") + "]"))
    let entry = try #require(file.applinks?.entries.first)
    let reachability = EntryReachability(entry.rules, try #require(file.applinks?.variables))
    var budget = Budget(operations: ReachabilityLimits.largeFileSteps)
    let answers = entry.rules.indices.map { reachability.reach(of: $0, budget: &budget) }
    #expect(answers.contains(.unknown))
    // At most one question goes beyond.
    #expect(budget.operations > -ReachabilityLimits.questionSteps)
  }

  @Test func `Generated path rules agree with all short URLs`() throws {
    try checkGenerated(seed: 1, lists: rounds(30, stress: 300), URLs.paths, whole: false)
  }

  @Test func `Generated rules with queries and fragments agree with all short URLs`() throws {
    try checkGenerated(seed: 2, lists: rounds(12, stress: 80), URLs.wholes, whole: true)
  }

  private func checkGenerated(
    seed: UInt64, lists: Int, _ urls: [String], whole: Bool
  ) throws {
    var generator = RuleGenerator(seed: seed)
    let texts = urls.map { Array($0.utf8) }
    var counts = (decides: 0, covered: 0, nothing: 0, unknown: 0)
    for _ in 0..<lists {
      let components = generator.components(2 + generator.next(4), whole: whole)
      let file = try association(RuleGenerator.file(components))
      let entry = try #require(file.applinks?.entries.first)
      let variables = try #require(file.applinks?.variables)
      let matcher = try Matcher(file)
      var deciding: [Int: String] = [:]
      for (index, text) in texts.enumerated() {
        let decision = matcher.decide(text.span, app: "A.b", domain: nil)
        if let rule = decision.rule, deciding[rule] == nil { deciding[rule] = urls[index] }
      }
      let reachability = EntryReachability(entry.rules, variables)
      for rule in entry.rules.indices {
        var budget = Budget(operations: ReachabilityLimits.questionSteps)
        switch reachability.reach(of: rule, budget: &budget) {
        case .decides(let example):
          counts.decides += 1
          let decision = decide(matcher, example.reference, app: "A.b", domain: nil)
          #expect(decision.rule == rule, "\(example.reference) rule \(rule) of \(components)")
          if let known = deciding[rule] {
            #expect(
              example.reference.utf8.count <= known.utf8.count,
              "\(known) is shorter than \(example.reference): rule \(rule) of \(components)")
          }
        case .isCovered(let by, let example):
          counts.covered += 1
          #expect(deciding[rule] == nil, "\(deciding[rule] ?? "") rule \(rule) of \(components)")
          let decision = decide(matcher, example.reference, app: "A.b", domain: nil)
          #expect((decision.rule ?? rule) < rule && !by.isEmpty)
        case .matchesNothing:
          counts.nothing += 1
          #expect(deciding[rule] == nil, "\(deciding[rule] ?? "") rule \(rule) of \(components)")
        case .unknown:
          // Queries of many kinds at once can be too much work.
          counts.unknown += 1
        }
      }
    }
    #expect(counts.unknown * 25 <= (whole ? counts.decides : 0), "\(counts)")
    #expect(
      counts.decides > lists && counts.covered > lists / (whole ? 6 : 20)
        && counts.nothing > lists / (whole ? 16 : 60),
      "\(counts)")
  }

  private func reach(_ components: String, _ rule: Int) throws -> RuleReach {
    let file = try association(RuleGenerator.file(components))
    let entry = try #require(file.applinks?.entries.first)
    let reachability = EntryReachability(entry.rules, try #require(file.applinks?.variables))
    var budget = Budget(operations: ReachabilityLimits.fileSteps)
    return reachability.reach(of: rule, budget: &budget)
  }

  private func example(_ reference: String) -> ExampleURL {
    var result = ExampleURL(path: "")
    var part = 0
    for character in reference {
      if character == "?", part == 0 {
        part = 1
      } else if character == "#", part < 2 {
        part = 2
      } else {
        switch part {
        case 0: result.path.append(character)
        case 1: result.query.append(character)
        default: result.fragment.append(character)
        }
      }
    }
    return result
  }
}

extension RuleDecision {
  /// The place of the deciding rule in its entry.
  var rule: Int? {
    switch self {
    case .match(let reference), .exclude(let reference): reference.rule
    case .noMatch: nil
    }
  }
}
