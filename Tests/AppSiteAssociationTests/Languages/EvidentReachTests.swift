import Diagnostics
import JSON
import TestRunning
import Testing

@testable import AppSiteAssociation

/// What is seen at a glance agrees with what exploring the languages proves.
@Suite struct EvidentReachTests {
  @Test(arguments: [
    // other paths
    (#"[{"/": "/a/*"}, {"/": "/b/*"}]"#, "/b/"),
    // a part that the URL does not have
    (##"[{"#": "no", "exclude": true}, {"/": "/b/?"}]"##, "/b/x"),
    (#"[{"?": {"q": "1"}}, {"/": "/b"}]"#, "/b"),
    (##"[{"/": "/a"}, {"/": "/b", "?": {"q": "1?", "r": "*"}, "#": "top*"}]"##, "/b?q=1x&r=#top"),
    // a variable that may be empty, the same path, a path within another, everything
    (##"[{"#": "$(any)"}, {"/": "/b"}]"##, nil),
    (#"[{"/": "/b"}, {"/": "/b"}]"#, nil), (#"[{"/": "/b*"}, {"/": "/bc"}]"#, nil),
    (#"[{"/": "*"}, {"/": "/b"}]"#, nil), (#"[{}, {"/": "/b"}]"#, nil),
    // case, and what is decoded
    (#"[{"/": "/B", "caseSensitive": false}, {"/": "/b"}]"#, nil),
    (#"[{"/": "/a", "percentEncoded": false}, {"/": "/b"}]"#, nil),
    // characters that mean something else when they are decoded, in paths that may be cleaned up
    (#"[{"/": "/a"}, {"/": "/%62"}]"#, nil), (#"[{"/": "/a"}, {"/": "/é"}]"#, nil),
    (#"[{"/": "/a"}, {"/": "/b/../c"}]"#, nil), (#"[{"/": "/a"}, {"/": "/b//c"}]"#, nil),
    (#"[{"/": "/a"}, {"/": "b"}]"#, nil), (#"[{"/": "/a"}, {"/": "/b/$(digit)"}]"#, nil),
  ])
  func `the second rule decides evidently, or not`(rules: String, example: String?) throws {
    let entry = try #require(try Self.association(rules).applinks?.entries.first)
    #expect(EvidentReach(entry.rules).example(decidedBy: 1)?.reference == example)
  }

  @Test(arguments: [false, true])
  func `what is evident is true`(whole: Bool) throws {
    var generator = RuleGenerator(seed: whole ? 11 : 12)
    var count = 0
    let lists = rounds(300, stress: 2_000)
    for _ in 0..<lists {
      let rules = (0..<(1 + generator.next(4))).map { _ in
        whole ? generator.wholeRule() : generator.pathRule()
      }
      let applinks = try Self.association("[" + rules.joined(separator: ",") + "]").applinks
      let entry = try #require(applinks?.entries.first)
      let evident = EvidentReach(entry.rules)
      let indexes = entry.rules.indices.filter { evident.example(decidedBy: $0) != nil }
      if indexes.isEmpty { continue }
      var system = RuleSystem()
      _ = system.append(entry.rules, try #require(applinks?.variables))
      for index in indexes {
        let example = try #require(evident.example(decidedBy: index))
        let matching = system.matching(Array(0...index), example)
        #expect(matching == [index], "\(rules) \(index) \(example)")
        count += 1
      }
    }
    // A test in which nothing happens shows nothing.
    #expect(count > lists / 40)
  }

  private static func association(_ components: String) throws -> Association {
    let text = RuleGenerator.file(components)
    return Association(
      try Document(parsing: .init(path: "file", bytes: Array(text.utf8))).root)
  }
}
