import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// A percent sign that begins no escape: the rules, the languages of patterns and the matcher say
/// the same of it.
@Suite struct StrayPercentSignTests {
  static let rows: [(component: String, url: String)] = [
    (#"{"/": "/100%"}"#, "/100%"), (#"{"/": "/100%/*"}"#, "/100%/a"),
    (#"{"/": "/a%zz"}"#, "/a%zz"), (#"{"/": "/a%2"}"#, "/a%2"), (#"{"/": "/a%%41"}"#, "/a%%41"),
    (#"{"?": "q=%"}"#, "/?q=%"), (##"{"#": "%g0"}"##, "/#%g0"),
  ]

  @Test(arguments: rows)
  func `a rule with one never matches, and is warned of`(component: String, url: String) throws {
    let text =
      #"{"applinks": {"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": ["#
      + component + "]}]}}"
    let report = validate(SourceText(path: "f", bytes: Array(text.utf8)))
    #expect(report.diagnostics.contains { $0.code == "A097" })
    let file = try association(text)
    let applinks = try #require(file.applinks)
    let reachability = EntryReachability(applinks.entries[0].rules, applinks.variables)
    var budget = Budget(operations: ReachabilityLimits.questionSteps)
    #expect(reachability.reach(of: 0, budget: &budget) == .matchesNothing)
    #expect(try verdict(components: "[\(component)]", url) == .browser)
  }
}
