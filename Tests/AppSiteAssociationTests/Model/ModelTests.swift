import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import Testing

/// The model keeps the place of everything.
@Suite struct ModelTests {
  private let text = """
    {"applinks": {"apps": ["x"], "defaults": {"caseSensitive": false}, "typo": 1,
      "substitutionVariables": {"a": ["b", 5, "c"], "a": ["d"]},
      "details": [7, {"appIDs": ["A.b", 5], "defaults": {"/": "/d"},
        "components": [{"?": {"q": "1", "r": "2"}, "exclude": true, "/": "/x", "/": "/y"}, {}]}]},
     "webcredentials": {"apps": ["A.b", 1, "A.c"]}, "appclips": 5, "activitycontinuation": {}}
    """

  private func cut(_ range: Range<Int>) -> String {
    String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }

  @Test func `each part of a file has its place`() throws {
    let file = try association(text)
    let applinks = try #require(file.applinks)
    #expect(cut(applinks.keyRange) == #""applinks""#)
    #expect(applinks.detailsForm == .array)
    #expect(applinks.source.members.contains { $0.key == "typo" })
    let variables = applinks.variables
    #expect(variables.all.map(\.name.value) == ["a"])
    #expect(variables["a"]?.values.map(\.value) == ["d"])
    let entry = try #require(applinks.entries.first)
    #expect(entry.position == .index(1))
    #expect(entry.identifierForm == .appIDs && entry.ruleForm == .components)
    #expect(entry.appIdentifiers.map { cut($0.range) } == [#""A.b""#])
    let rule = entry.rules[0]
    #expect(rule.isExclusion && !rule.isCaseSensitive && rule.isPercentEncoded)
    let path = try #require(rule.effective.path)
    #expect(path.value == "/y" && cut(path.range) == #""/y""#)
    #expect(path.keyRange.map(cut) == #""/""#)
    guard case .items(let items, let range) = try #require(rule.written.query) else {
      Issue.record("no items")
      return
    }
    #expect(items.map(\.name.value) == ["q", "r"] && items.map(\.pattern.value) == ["1", "2"])
    #expect(cut(range) == #"{"q": "1", "r": "2"}"#)
    // An inherited field has the place of the defaults.
    #expect(rule.written.caseSensitive == nil)
    #expect(rule.effective.caseSensitive.map { cut($0.range) } == "false")
    #expect(entry.rules[1].written.path == nil && entry.rules[1].effective.path?.value == "/d")
  }

  @Test func `the other services are lists of apps`() throws {
    let file = try association(text)
    #expect(file.appLists.map(\.name) == ["webcredentials", "activitycontinuation"])
    #expect(file.apps(of: "webcredentials") == ["A.b", "A.c"])
    #expect(file.apps(of: "activitycontinuation") == [])
  }

  @Test func `the legacy dictionary is read in its order, of repeated keys the last`() throws {
    let file = try association(
      #"{"applinks": {"details": {"A.a": {"paths": ["NOT /x"]}, "A.b": {}, "A.a": {"paths": ["/y"]}}}}"#
    )
    let applinks = try #require(file.applinks)
    #expect(applinks.detailsForm == .dictionary)
    #expect(applinks.entries.map(\.position) == [.identifier("A.b"), .identifier("A.a")])
    #expect(applinks.entries[1].rules.map { $0.effective.path?.value } == ["/y"])
    #expect(applinks.entries[0].ruleForm == .none)
  }

  @Test func `texts that only look the same are different`() throws {
    // é composed and decomposed.
    let file = try association(
      #"{"applinks": {"substitutionVariables": {"\u00e9": ["a"], "e\u0301": ["b"]}}}"#)
    #expect(file.applinks?.variables.all.count == 2)
    #expect(file.applinks?.variables["\u{E9}"]?.values.map(\.value) == ["a"])
  }
}
