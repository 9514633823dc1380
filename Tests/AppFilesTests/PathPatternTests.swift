import Diagnostics
import Testing

@testable import AppFiles

/// What Android's own code decides, worked out by hand from PatternMatcher.
@Suite struct PathPatternTests {
  private static func pattern(_ attribute: String, _ text: String) -> PathPattern? {
    PathPattern(.init(attribute: attribute, text: text))
  }

  @Test(arguments: [
    ("path", "/buy", "/buy", true), ("path", "/buy", "/buy/", false), ("path", "", "", true),
    ("pathPrefix", "/buy", "/buy", true), ("pathPrefix", "/buy", "/buyer", true),
    ("pathPrefix", "/buy/", "/buy", false), ("pathPrefix", "/", "", false),
    ("pathPrefix", "", "", true), ("pathSuffix", ".html", "/a.html", true),
    ("pathSuffix", ".html", "/a.htm", false), ("pathSuffix", "/ab", "ab", false),
    // `.` is any character, `c*` any number of one, `.*` ends at the first next character.
    ("pathPattern", "/b.y", "/buy", true), ("pathPattern", "/b.y", "/by", false),
    ("pathPattern", "/bu*y", "/buuuy", true), ("pathPattern", "/bu*y", "/by", true),
    ("pathPattern", "/.*", "/", true), ("pathPattern", "/.*", "/a/b", true),
    ("pathPattern", "/buy/.*/item", "/buy/1/item", true),
    ("pathPattern", "/buy/.*/item", "/buy/1/2/item", false),
    ("pathPattern", "/.*b/c", "/a1b/c", true), ("pathPattern", "/.*b/c", "/a1b2b/c", false),
    ("pathPattern", ".*\\.html", "/a.html", true), ("pathPattern", ".*\\.html", "/a.b.html", false),
    // A backslash does not take the meaning from `.`, but from `.*`.
    ("pathPattern", "/a\\.b", "/axb", true), ("pathPattern", "/a\\.*b", "/a..b", true),
    ("pathPattern", "/a\\.*b", "/axxb", false), ("pathPattern", "/\\*", "/*", true),
    ("pathPattern", "/a\\\\b", "/a\\b", true),
    // At the end of the text only `.*` may be left.
    ("pathPattern", "/ab*", "/a", false), ("pathPattern", "/ab*", "/abb", true),
    ("pathPattern", "/a.*", "/a", true), ("pathPattern", "*", "*", true),
    ("pathPattern", "", "", true), ("pathPattern", "", "/", false),
    ("pathAdvancedPattern", "/[a-z]+", "/buy", true),
    ("pathAdvancedPattern", "/[a-z]+", "/", false),
    ("pathAdvancedPattern", "/[^a-z]+", "/BUY", true),
    ("pathAdvancedPattern", "/[^a-z]+", "/bUY", false),
    ("pathAdvancedPattern", "/[^xa]", "/a", false), ("pathAdvancedPattern", "/[^xa]", "/b", true),
    ("pathAdvancedPattern", "/[0-9]{2,3}", "/1", false),
    ("pathAdvancedPattern", "/[0-9]{2,3}", "/123", true),
    ("pathAdvancedPattern", "/[0-9]{2,3}", "/1234", false),
    ("pathAdvancedPattern", "/[0-9]{2}", "/12", true),
    ("pathAdvancedPattern", "/[0-9]{2,}", "/12345", true),
    ("pathAdvancedPattern", "/a\\+", "/a+", true), ("pathAdvancedPattern", "/a.", "/ab", true),
    // Nothing is tried twice.
    ("pathAdvancedPattern", "/.*/item", "/1/item", false),
    ("pathAdvancedPattern", "/[.*+\\]]+", "/.*+]", true),
    ("pathAdvancedPattern", "/[a-]+", "/a-", true), ("pathAdvancedPattern", "/a}", "/a", true),
    ("pathAdvancedPattern", "/a]", "/a]", true), ("pathAdvancedPattern", "/ab*", "/a", true),
    // Outside the basic plane a character has two units.
    ("pathPattern", "/.", "/\u{1F6D2}", false), ("pathPattern", "/..", "/\u{1F6D2}", true),
  ])
  func `a path matches as on Android`(attribute: String, text: String, path: String, does: Bool)
    throws
  {
    let pattern = try #require(Self.pattern(attribute, text))
    #expect(pattern.matches(path) == does)
  }

  @Test(arguments: [
    "*", "+a", "/a**", "/a{1}{2}", "/a+*", "{2}", "/a{2", "/a{}",
    "/a{,2}", "/a{3,2}", "/a{x}", "/[", "/[]", "/[^]", "/[a", "/[a-", "/\\", "/[\\",
  ])
  func `a pattern that Android refuses is none`(text: String) {
    #expect(Self.pattern("pathAdvancedPattern", text) == nil)
  }

  @Test func `an advanced pattern has a limit`() {
    let text = String(repeating: "a", count: AppFileLimits.patternPieces)
    #expect(Self.pattern("pathAdvancedPattern", text)?.matches(text) == true)
    #expect(Self.pattern("pathAdvancedPattern", text + "a") == nil)
  }

  @Test(arguments: [
    ("path", "/buy", "/buy", true), ("path", "/buy", "/b?y", true), ("path", "/buy", "/bu", false),
    ("path", "/buy", "/sell/*", false), ("pathPrefix", "/buy/", "/sell/*", false),
    ("pathPrefix", "/buy/", "/*/item", true), ("pathPrefix", "/buy/", "/b*", true),
    ("pathSuffix", ".html", "/buy/*", true), ("pathSuffix", ".html", "/buy/*.htm", false),
    ("pathPattern", "/buy/.*/item", "/buy/*", true), ("pathPattern", "/bu*y", "/b?", true),
    ("pathPattern", "/bu*y", "/bx?", false), ("pathAdvancedPattern", "/[0-9]+", "/a*", false),
    ("pathAdvancedPattern", "/[^0-9]{2,3}", "/1?", false),
    ("pathAdvancedPattern", "/[^0-9]{2,3}", "/a?", true),
    ("pathAdvancedPattern", "/[^0-9]{2,3}", "/abcd", false),
    ("path", "/\u{1F6D2}", "/?", true),
  ])
  func `patterns of both kinds may have a path in common`(
    attribute: String, text: String, wildcards: String, does: Bool
  ) throws {
    let pattern = try #require(Self.pattern(attribute, text))
    var budget = Budget(operations: 1_000)
    #expect(pattern.mayOverlap(wildcards: wildcards, &budget) == does)
  }

  @Test func `what takes too many steps may overlap`() throws {
    let pattern = try #require(Self.pattern("path", "/" + String(repeating: "a", count: 1_001)))
    var budget = Budget(operations: 1_000_000)
    #expect(pattern.mayOverlap(wildcards: String(repeating: "b", count: 1_000), &budget))
    #expect(budget.isSpent)
  }
}
