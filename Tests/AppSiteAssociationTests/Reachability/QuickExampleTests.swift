import Diagnostics
import JSON
import TestRunning
import Testing

@testable import AppSiteAssociation

/// Quick examples agree with matching.
@Suite struct `Quick examples` {
  @Test(arguments: [
    // other paths
    (#"[{"/": "/a/*"}, {"/": "/b/*"}]"#, "/b/"),
    // a part that the URL does not have
    (##"[{"#": "no", "exclude": true}, {"/": "/b/?"}]"##, "/b/x"),
    (#"[{"?": {"q": "1"}}, {"/": "/b"}]"#, "/b"),
    (##"[{"/": "/a"}, {"/": "/b", "?": {"q": "1?", "r": "*"}, "#": "top*"}]"##, "/b?q=1x&r=#top"),
    // the rest after an earlier rule
    (#"[{"/": "/b"}, {"/": "/b*"}]"#, "/bx0"),
    // variables
    (##"[{"#": "$(any)"}, {"/": "/b"}]"##, "/b"),
    (#"[{"/": "/a"}, {"/": "/b/$(digit)$(v)"}]"#, "/b/0a"),
    // the same path, a path within another, everything
    (#"[{"/": "/b"}, {"/": "/b"}]"#, nil), (#"[{"/": "/b*"}, {"/": "/bc"}]"#, nil),
    (#"[{"/": "*"}, {"/": "/b"}]"#, nil), (#"[{}, {"/": "/b"}]"#, nil),
    // case
    (#"[{"/": "/B", "caseSensitive": false}, {"/": "/b"}]"#, nil),
    // characters that mean something else when they are decoded, paths that may be cleaned up
    (#"[{"/": "/a"}, {"/": "/%62"}]"#, nil), (#"[{"/": "/a"}, {"/": "/é"}]"#, nil),
    (#"[{"/": "/a"}, {"/": "/b/../c"}]"#, nil), (#"[{"/": "/a"}, {"/": "/b//c"}]"#, nil),
    (#"[{"/": "/a"}, {"/": "b"}]"#, nil),
  ])
  func `the second rule decides evidently, or not`(rules: String, example: String?) throws {
    let file = try association(rules)
    let entry = try #require(file.applinks?.entries.first)
    let reachability = EntryReachability(entry.rules, try #require(file.applinks?.variables))
    var budget = Budget(operations: ReachabilityLimits.fileSteps)
    let found = reachability.quickExample(decidedBy: 1, budget: &budget)
    #expect(found?.reference == example)
  }

  @Test(arguments: [false, true])
  func `a quick example is true`(whole: Bool) throws {
    var generator = RuleGenerator(seed: whole ? 11 : 12)
    var counts = (byLook: 0, byMatching: 0)
    let lists = rounds(300, stress: 2_000)
    for _ in 0..<lists {
      let file = try association(generator.components(1 + generator.next(4), whole: whole))
      let entry = try #require(file.applinks?.entries.first)
      let matcher = try Matcher(file)
      let reachability = EntryReachability(entry.rules, try #require(file.applinks?.variables))
      let looks = entry.rules.map { QuickLook($0) }
      for (index, rule) in entry.rules.enumerated() {
        var budget = Budget(operations: ReachabilityLimits.fileSteps)
        var examples: [ExampleURL] = []
        if let example = reachability.quickExample(decidedBy: index, budget: &budget) {
          examples.append(example)
          counts.byMatching += 1
        }
        // Nothing is compiled to know it.
        if let example = looks.example(decidedBy: index, rule) {
          examples.append(example)
          counts.byLook += 1
        }
        for example in examples {
          let decision = decide(matcher, example.reference, app: "A.b", domain: nil)
          #expect(decision.rule == index, "\(file) \(index) \(example)")
        }
      }
    }
    // A test in which nothing happens shows nothing.
    #expect(counts.byLook > lists / 40 && counts.byMatching > lists / 10, "\(counts)")
  }

  private func association(_ components: String) throws -> Association {
    let text = RuleGenerator.file(components)
    return Association(
      try Document(parsing: .init(path: "file", bytes: Array(text.utf8))).root)
  }
}
