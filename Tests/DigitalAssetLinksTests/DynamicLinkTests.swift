import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import Testing

@testable import DigitalAssetLinks

/// The decision of dynamic rules on URLs.
@Suite struct DynamicLinkTests {
  private static func list(_ rules: String) -> String {
    Example.dynamic(
      #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#(rules)}"#)
  }

  /// A decision, with the index of the deciding rule.
  enum Outcome: Equatable, Sendable {
    /// The app has no dynamic rules.
    case opensAll
    case opens(Int)
    case blocked(Int)
    case browser
  }

  private static func outcome(_ list: String, _ url: String) throws -> Outcome {
    let document = try Document(parsing: SourceText(path: "l", bytes: Array(list.utf8)))
    let app = try #require(StatementList(document.root).linkedApps.first)
    let decision = app.decision(try AndroidURL(url))
    #expect((decision.rule == nil) == !decision.reason.isEmpty)
    switch decision.outcome {
    case .opens: return decision.rule.map { .opens($0.index) } ?? .opensAll
    case .blocked: return .blocked(try #require(decision.rule).index)
    case .browser: return .browser
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let rules: String
    let url: String
    let outcome: Outcome
    var testDescription: String { "\(url) with \(rules)" }

    init(_ rules: String, _ url: String, _ outcome: Outcome) {
      self.rules = rules
      self.url = url
      self.outcome = outcome
    }
  }

  private static let first =
    ##"[{"?": {"dl": "*"}}, {"#": "app"}, {"/": "/products/*"}, "##
    + #"{"/": "/shoes", "?": {"in_app": "true"}}, {"/": "*", "exclude": true}]"#
  private static let query = #"[{"?": {"dl": "*", "in_app": "true"}}]"#

  /// The examples of developer.android.com, "Configure website associations and dynamic rules" and
  /// "Test App Links".
  private static let documented = [
    Row(first, "https://example.com/any?dl=1", .opens(0)),
    Row(first, "https://example.com/any#app", .opens(1)),
    Row(first, "https://example.com/products/1", .opens(2)),
    Row(first, "https://example.com/shoes?in_app=true", .opens(3)),
    Row(first, "https://example.com/shoes", .blocked(4)),
    Row(first, "https://example.com/shoes?in_app=false", .blocked(4)),
    Row(query, "https://example.com/?in_app=true&dl=abc", .opens(0)),
    Row(query, "https://example.com/?lang=en&in_app=true&tz=pst&dl=abc", .opens(0)),
    Row(query, "https://example.com/?lang=en&tz=pst&dl=abc", .browser),
    Row(#"[{"/": "*", "exclude": true}, {"/": "/path1"}]"#, "/path1", .blocked(0)),
    Row(#"[{"/": "/path1"}, {"/": "*", "exclude": true}]"#, "/path1", .opens(0)),
    Row(#"[{"/": "/path1"}, {"/": "*", "exclude": true}]"#, "/path2", .blocked(1)),
    Row(#"[{"/": "/path1"}, {"/": "/path2"}]"#, "/path3", .browser),
    Row(#"[{"/": "/path1", "exclude": true}, {"/": "*"}]"#, "/path1", .blocked(0)),
    Row(#"[{"/": "/path1", "exclude": true}, {"/": "*"}]"#, "/path2", .opens(1)),
    Row(#"[{"/": "/foo*", "exclude": true}, {"/": "*"}]"#, "https://xyz.com/foo", .blocked(0)),
    Row(#"[{"/": "/foo*", "exclude": true}, {"/": "*"}]"#, "https://xyz.com/bar", .opens(1)),
  ]

  @Test(arguments: documented)
  func `Google's examples are decided as Google says`(row: Row) throws {
    try #expect(Self.outcome(Self.list(row.rules), row.url) == row.outcome)
  }

  /// As in Android's source code; Google's documentation does not say.
  private static let undocumented = [
    Row(#"[{"/": "/a b"}]"#, "/a%20b", .opens(0)),
    Row(#"[{"/": "/A"}]"#, "/a", .browser),
    Row(#"[{"/": "/a"}]"#, "//a", .browser),
    Row(#"[{"/": "/a"}]"#, "/a/", .browser),
    Row(#"[{"/": "*"}]"#, "https://example.com", .opens(0)),
    Row(##"[{"#": "*"}]"##, "/a", .browser),
    Row(##"[{"#": "*"}]"##, "/a#", .opens(0)),
    Row(#"[{"?": {"a": "*"}}]"#, "/?a", .browser),
    Row(#"[{"?": {"a": "*"}}]"#, "/?a=", .opens(0)),
    Row(#"[{"?": {"a": "1"}}]"#, "/?b=2;a=1", .opens(0)),
    Row(#"[{"?": {"a": "1"}}]"#, "/?b=2%26a=1", .opens(0)),
    Row(#"[{"exclude": true}, {"/": "*"}]"#, "/a", .opens(1)),
    Row(#"[{"comments": "all"}]"#, "/a", .browser),
  ]

  @Test(arguments: undocumented)
  func `what Google leaves open is decided as in Android's source code`(row: Row) throws {
    try #expect(Self.outcome(Self.list(row.rules), row.url) == row.outcome)
  }

  @Test(arguments: [
    "[]", "{}", #"[{"/": ""}]"#, #"[{"/": 1}]"#, #"[{"?": {}}]"#, #"[{"?": {"a": ""}}]"#,
    #"[{"/": "/a", "exclude": "true"}]"#, #"[{"/": "/a"}, 1]"#, ##"[{"#": null}]"##,
    #"[{"/": "/a", "comments": 1}]"#,
  ])
  func `malformed rules are discarded, and every link opens`(rules: String) throws {
    try #expect(Self.outcome(Self.list(rules), "/b") == .opensAll)
    let report = AssetLinksFile(
      SourceText(path: "l", bytes: Array(Self.list(rules).utf8))
    ).report()
    #expect(!report.diagnostics.isEmpty)
    #expect(report.diagnostics.allSatisfy { ["D112", "D141", "D143", "D144"].contains($0.code) })
  }

  @Test(arguments: [
    ("*", "", true), ("*", "/a/b", true), ("?*", "", false), ("?*", "a", true), ("?", "ab", false),
    ("/a?c", "/abc", true), ("/a?c", "/ac", false), ("/a*", "/a", true), ("/*/b", "/a/b", true),
    ("/*/b", "//b", true), ("*b", "ab", true),
    // A star ends at the first occurrence of what follows.
    ("/a*b/c", "/a1b/c", true), ("/a*b/c", "/a1b2b/c", false), ("*.html", "/a.b.html", false),
    ("*?", "", false), ("*?", "a", true), ("**", "", true), ("é*", "é!", true), ("", "", true),
  ])
  func `patterns match`(pattern: String, text: String, matches: Bool) {
    #expect(AndroidPattern(pattern).matches(text) == matches)
  }

  @Test(arguments: [
    (#"{"/": "*"}, {"/": "/a"}"#, true), (##"{"/": "*"}, {"#": "a"}"##, true),
    (#"{"/": "/a*"}, {"/": "/a/b"}"#, true), (#"{"/": "/a*"}, {"/": "/a*b*"}"#, true),
    (#"{"/": "/a?*"}, {"/": "/a*"}"#, false), (#"{"/": "/a*"}, {"/": "/*"}"#, false),
    (#"{"/": "/?/*"}, {"/": "/a/b"}"#, true), (#"{"/": "/a/*"}, {"/": "/?/b"}"#, false),
    (#"{"/": "/*b"}, {"/": "/ab"}"#, false), (#"{"/": "/a"}, {"/": "/a"}"#, true),
    (#"{"/": "/a*", "?": {"x": "1"}}, {"/": "/a/b"}"#, false),
    (#"{"/": "/a*", "?": {"x": "1"}}, {"/": "/a/b", "?": {"y": "2", "x": "1"}}"#, true),
    (#"{"?": {"x": "1"}}, {"/": "/a", "?": {"x": "1"}}"#, true),
    (#"{"?": {"x": "1"}}, {"?": {"x": "2"}}"#, false),
    (##"{"/": "/a*", "#": "f"}, {"/": "/a/b", "#": "g"}"##, false),
    (##"{"/": "/a/*"}, {"#": "f"}"##, false), (#"{"exclude": true}, {"/": "/a"}"#, false),
  ])
  func `a rule that an earlier one covers is never reached`(rules: String, isCovered: Bool) throws {
    let list = Self.list("[\(rules)]")
    let report = AssetLinksFile(SourceText(path: "l", bytes: Array(list.utf8))).report()
    #expect(report.diagnostics.contains { $0.code == "D145" } == isCovered)
  }

  private static func codes(_ list: String) -> [String] {
    AssetLinksFile(SourceText(path: "l", bytes: Array(list.utf8))).report().diagnostics.map(\.code)
  }

  @Test(arguments: [
    (#"[{"/": "buy/*"}, {"/": "/sell/*"}]"#, ["D148"]), (#"[{"/": "buy/*"}]"#, ["D149", "D148"]),
    (#"[{"/": "/$(lang)/*"}, {"/": "/sell/*"}]"#, ["D148"]),
    (#"[{"/": "?buy"}, {"/": "*/buy"}]"#, []),
  ])
  func `a rule that no link can match is reported`(rules: String, codes: [String]) {
    #expect(Self.codes(Self.list(rules)) == codes)
  }

  @Test func `dynamic rules where Android does not read them are reported`() {
    let rules = #""dynamic_app_link_components": [{"/": "/buy"}]"#
    let extensions = #""relation_extensions": {"\#(AppRelation.openLinks.rawValue)": {\#(rules)}}"#
    func beside(_ member: String) -> String { Example.list(Example.relation, Example.app, member) }
    #expect(Self.codes(beside(extensions)) == [])
    #expect(Self.codes(beside(rules)) == ["D142"])
    for (member, code) in [(extensions, "D142"), (rules, "D142"), (#""comment": "1""#, nil)] {
      let target = Example.right.replacing(#""namespace""#, with: member + #", "namespace""#)
      #expect(Self.codes(target) == [code].compactMap(\.self))
    }
    let list = #"[{"/": "/buy"}]"#
    #expect(Self.codes(beside("\"relation_extensions\": \(list)")) == ["D141"])
    #expect(
      Self.codes(Example.dynamic("\"\(AppRelation.openLinks.rawValue)\": \(list)")) == ["D141"])
  }

  @Test func `apps without dynamic rules open every link`() throws {
    try #expect(Self.outcome(Example.right, "/any") == .opensAll)
  }

  @Test func `only apps of App Links count, each once`() throws {
    let creds = #""relation": ["delegate_permission/common.get_login_creds"]"#
    let other = Example.app.replacing("org.swift.shop", with: "org.swift.other")
    func names(_ list: String) throws -> [String] {
      let document = try Document(parsing: SourceText(path: "l", bytes: Array(list.utf8)))
      return StatementList(document.root).linkedApps.map(\.packageName)
    }
    try #expect(names(Example.list(creds, Example.app)) == [])
    let list =
      "["
      + [Example.right, Example.right, Example.list(Example.relation, other)]
      .map { $0.dropFirst().dropLast() }.joined(separator: ",") + "]"
    try #expect(names(list) == ["org.swift.shop", "org.swift.other"])
  }
}
