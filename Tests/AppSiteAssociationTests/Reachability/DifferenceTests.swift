import AppSiteAssociation
import Diagnostics
import Rules
import TestRunning
import Testing

@Suite struct `Differences for users` {
  @Test(arguments: [
    // white space, order of keys, comments
    (
      #"{"applinks":{"details":[{"appID":"A.b","components":[{"/":"/a","exclude":true},{"/":"*"}]}]}}"#,
      #"{ "x": 1, "applinks": {"apps": [], "details": [{"components": [{"exclude": true, "comment": "no", "/": "/a"}, {"/": "*"}], "appIDs": ["A.b"]}]}}"#
    ),
    // another form of the same
    (
      #"{"applinks":{"details":[{"appID":"A.b","paths":["NOT /a","/b/*"]}]}}"#,
      #"{"applinks":{"details":{"A.b":{"paths":["NOT /a/","b/*"]}}}}"#
    ),
    // a rule that an earlier one covers
    (
      #"{"applinks":{"details":[{"appID":"A.b","paths":["/a*"]}]}}"#,
      #"{"applinks":{"details":[{"appID":"A.b","paths":["/a*","/ab/*"]}]}}"#
    ),
    // two rules instead of one
    (
      #"{"applinks":{"details":[{"appID":"A.b","components":[{}]}]}}"#,
      #"{"applinks":{"details":[{"appID":"A.b","components":[{"?":""},{"?":"?*"}]}]}}"#
    ),
    // variables by their values
    (
      #"{"applinks":{"substitutionVariables":{"x":["a","b"]},"details":[{"appID":"A.b","components":[{"/":"/$(x)"}]}]}}"#,
      #"{"applinks":{"substitutionVariables":{"y":["b"],"z":[]},"details":[{"appID":"A.b","components":[{"/":"/a"},{"/":"/$(z)"},{"/":"/$(y)"}]}]}}"#
    ),
    // an app of which nothing is said, and a second entry, which does not count
    (
      #"{"applinks":{"details":[{"appID":"A.b","paths":["*"]}]}}"#,
      #"{"applinks":{"details":[{"appID":"A.b","paths":["*"]},{"appID":"A.c","paths":[]},{"appID":"A.b","paths":["NOT *"]}]}}"#
    ),
    // lists as sets
    (
      #"{"webcredentials":{"apps":["A.b","A.c"]}}"#,
      #"{"webcredentials":{"apps":["A.c","A.b","A.b"]},"appclips":{}}"#
    ),
  ])
  func `Files that mean the same do not differ`(old: String, new: String) throws {
    #expect(try differences(old: association(old), new: association(new)).isEmpty)
  }

  @Test(arguments: [
    (#"["*"]"#, #"["NOT /buy/secret", "*"]"#, ["opens>blocked /buy/secret"]),
    (#"["/a", "/b"]"#, #"["/b"]"#, ["opens>browser /a"]),
    (#"["/a"]"#, #"["/a", "/a/*"]"#, ["browser>opens /a/a"]),
    (#"["/buy/*"]"#, #"["/sell/*"]"#, ["opens>browser /buy", "browser>opens /sell"]),
    (#"["NOT /a", "/*"]"#, #"["/*"]"#, ["blocked>opens /a"]),
  ])
  func `Each kind of difference has its shortest example`(
    old: String, new: String, expected: [String]
  ) throws {
    let all = try differences(old: paths(old), new: paths(new))
    #expect(Set(all.map(text)) == Set(expected))
  }

  @Test func `Apps that are added or removed are reported for each service`() throws {
    let old = try association(
      #"{"applinks":{"details":[{"appID":"A.b","paths":["/b"]}]},"appclips":{"apps":["A.b.Clip"]}}"#
    )
    let new = try association(
      #"{"applinks":{"details":[{"appIDs":["A.c","A.d"],"paths":["NOT /","/c"]}]},"webcredentials":{"apps":["A.b"]}}"#
    )
    #expect(
      differences(old: old, new: new).map(text) == [
        "+applinks A.c /c", "+applinks A.d /c", "-applinks A.b /b", "+webcredentials A.b",
        "-appclips A.b.Clip",
      ])
  }

  @Test func `differences of generated path rules agree with all short URLs`() throws {
    try checkGenerated(seed: 3, pairs: rounds(20, stress: 200), URLs.paths, whole: false)
  }

  @Test func `differences of generated rules with queries and fragments agree with all short URLs`()
    throws
  {
    try checkGenerated(seed: 4, pairs: rounds(10, stress: 60), URLs.wholes, whole: true)
  }

  private struct RulePair: Hashable {
    let old: Int?
    let new: Int?
  }

  private func checkGenerated(
    seed: UInt64, pairs: Int, _ urls: [String], whole: Bool
  ) throws {
    var generator = RuleGenerator(seed: seed)
    let texts = urls.map { Array($0.utf8) }
    var counts = (same: 0, different: 0, unknown: 0)
    for _ in 0..<pairs {
      let (left, right) = similar(&generator, whole: whole)
      let (old, new) = (
        try association(RuleGenerator.file(left)), try association(RuleGenerator.file(right))
      )
      let (oldMatcher, newMatcher) = (try Matcher(old), try Matcher(new))
      var found: [RulePair: String] = [:]
      var isKnown = true
      for difference in differences(old: old, new: new, budget: Budget(operations: 1_000_000)) {
        guard let change = difference.change, difference.isDecision else {
          isKnown = false
          continue
        }
        let url = change.example
        let before = decide(oldMatcher, url, app: "A.b", domain: nil)
        let after = decide(newMatcher, url, app: "A.b", domain: nil)
        #expect(before.rule == change.oldRule?.index && after.rule == change.newRule?.index)
        #expect(LinkOutcome(before) == change.old && LinkOutcome(after) == change.new)
        #expect(change.old != change.new)
        found[RulePair(old: before.rule, new: after.rule)] = url
      }
      // Queries of many kinds at once can be too much work; the examples are right nevertheless.
      if !isKnown {
        counts.unknown += 1
        continue
      }
      for (index, text) in texts.enumerated() {
        let before = oldMatcher.decide(text.span, app: "A.b", domain: nil)
        let after = newMatcher.decide(text.span, app: "A.b", domain: nil)
        guard LinkOutcome(before) != LinkOutcome(after) else { continue }
        let example = found[RulePair(old: before.rule, new: after.rule)]
        if (example?.utf8.count ?? .max) > text.count {
          Issue.record("\(urls[index]) differs, \(example ?? "-") found: \(left) \(right)")
        }
      }
      if found.isEmpty { counts.same += 1 } else { counts.different += 1 }
    }
    #expect(
      counts.same > pairs / (whole ? 6 : 20) && counts.different > pairs / (whole ? 3 : 10),
      "\(counts)")
    #expect(counts.unknown <= (whole ? pairs / 6 : pairs / 100), "\(counts)")
  }

  /// Two lists that share most rules.
  private func similar(_ generator: inout RuleGenerator, whole: Bool) -> (String, String) {
    let count = 1 + generator.next(4)
    let left = (0..<count).map { _ in whole ? generator.wholeRule() : generator.pathRule() }
    var right = left
    switch generator.next(3) {
    case 0: right.remove(at: generator.next(count))
    case 1: right[generator.next(count)] = whole ? generator.wholeRule() : generator.pathRule()
    default: right.swapAt(generator.next(count), generator.next(count))
    }
    return ("[" + left.joined(separator: ",") + "]", "[" + right.joined(separator: ",") + "]")
  }

  private func paths(_ list: String) throws -> Association {
    try association(#"{"applinks": {"details": [{"appID": "A.b", "paths": \#(list)}]}}"#)
  }

  private func text(_ difference: Difference) -> String {
    let (app, link) = (difference.app, difference.example)
    let example = link.map { " " + $0 } ?? ""
    return switch difference.kind {
    case .appAdded: "+\(difference.service ?? "") \(app)\(example)"
    case .appRemoved: "-\(difference.service ?? "") \(app)\(example)"
    case .appsSwapped: "\(app)<\(difference.other ?? "")\(example)"
    case .notCompared: "? \(app)"
    default:
      difference.change.map { "\($0.old.rawValue)>\($0.new.rawValue)\(example)" } ?? "no change"
    }
  }
}
