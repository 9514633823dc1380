import AppSiteAssociation
import Testing

/// The meaning of the parts of a file around the rules.
@Suite struct FileSemanticsTests {
  private func verdicts(_ applinks: String, _ url: String, _ apps: [String]) throws -> [Verdict] {
    let matcher = try Matcher(association(#"{"applinks": \#(applinks)}"#))
    return apps.map { app in
      verdict(decide(matcher, url, app: app, domain: "example.com"))
    }
  }

  @Test(
    arguments: [
      // Defaults of applinks, of the entry, of the component: the nearest, key by key.
      (#"{"caseSensitive": false}"#, "{}", #"{"/": "/A"}"#, "/a", .opens),
      (#"{"caseSensitive": false}"#, #"{"caseSensitive": true}"#, #"{"/": "/A"}"#, "/a", .browser),
      ("{}", #"{"caseSensitive": true}"#, #"{"/": "/A", "caseSensitive": false}"#, "/a", .opens),
      (
        #"{"caseSensitive": false}"#, #"{"percentEncoded": false}"#, #"{"/": "/É"}"#, "/%C3%A9",
        .opens
      ),
      (#"{"/": "/a"}"#, #"{"?": "b"}"#, ##"{"#": "c"}"##, "/a?b#c", .opens),
      (#"{"/": "/a"}"#, #"{"?": "b"}"#, ##"{"#": "c"}"##, "/x?b#c", .browser),
      (#"{"/": "/a"}"#, #"{"?": "b"}"#, ##"{"#": "c"}"##, "/a?x#c", .browser),
      (#"{"/": "/a"}"#, #"{"/": "/b"}"#, "{}", "/b", .opens),
      (#"{"exclude": true}"#, "{}", #"{"/": "/a"}"#, "/a", .blocked),
      (#"{"exclude": true}"#, "{}", #"{"/": "/a", "exclude": false}"#, "/a", .opens),
      (#"{"?": {"a": "1"}}"#, "{}", #"{"?": {"b": "2"}}"#, "/?b=2", .opens),
      // A value of another type is as if it were not there.
      (#"{"/": "/a"}"#, "{}", #"{"/": 5}"#, "/b", .browser),
      ("5", "null", #"{"/": "/a"}"#, "/a", .opens),
      ("{}", "{}", #"{"/": "/a", "exclude": "true"}"#, "/a", .opens),
      ("{}", "{}", #"{"/": "/a", "exclude": 1}"#, "/a", .blocked),
      ("{}", "{}", #"{"/": "/a", "exclude": 0, "caseSensitive": null}"#, "/a", .opens),
      // The last of repeated keys.
      ("{}", "{}", #"{"/": "/a", "/": "/b"}"#, "/b", .opens),
      // Misspelt keys are ignored.
      ("{}", "{}", #"{"/": "/A", "casesensitive": false}"#, "/a", .browser),
    ] as [(String, String, String, String, Verdict)])
  func `defaults`(
    outer: String, inner: String, component: String, url: String, expected: Verdict
  ) throws {
    let applinks = """
      {"details": [{"appID": "A.b", "components": [\(component)], "defaults": \(inner)}],
       "defaults": \(outer)}
      """
    #expect(try verdicts(applinks, url, ["A.b"]) == [expected])
  }

  @Test(
    arguments: [
      (#"["/a/*"]"#, "/a/b", .opens), (#"["/a/*"]"#, "/a?b=1#c", .opens),
      (#"["NOT /a/b", "/a/*"]"#, "/a/b", .blocked), (#"["/a/*", "NOT /a/b"]"#, "/a/b", .opens),
      (#"["*"]"#, "/", .opens), (#"["a"]"#, "/a", .opens), ("[]", "/", .browser),
      (#"[5, "/a"]"#, "/a", .opens), (#""/a""#, "/a", .browser),
      // Only "NOT " excludes.
      (#"["NOT/a", "/a"]"#, "/a", .opens), (#"["not /a", "/a"]"#, "/a", .opens),
      (#"["NOT\t/a", "/a"]"#, "/a", .opens), (#"["NOT  /a", "/a"]"#, "/a", .opens),
      (#"["!/a", "/a"]"#, "/a", .opens), (#"["NOT *"]"#, "/a", .blocked),
      // Variables, as in components.
      (#"["/$(digit)"]"#, "/7", .opens),
    ] as [(String, String, Verdict)])
  func `legacy paths`(paths: String, url: String, expected: Verdict) throws {
    #expect(
      try verdicts(#"{"details": [{"appID": "A.b", "paths": \#(paths)}]}"#, url, ["A.b"])
        == [expected])
    // The dictionary of iOS 8 says the same.
    #expect(
      try verdicts(#"{"apps": [], "details": {"A.b": {"paths": \#(paths)}}}"#, url, ["A.b"])
        == [expected])
  }

  @Test(
    arguments: [
      // Components win over paths, also when they are empty.
      (#""components": [{"/": "/a"}], "paths": ["/b"]"#, "/b", .browser),
      (#""components": [], "paths": ["/b"]"#, "/b", .browser),
      (#""components": null, "paths": ["/b"]"#, "/b", .opens),
      (#""components": {"/": "/b"}"#, "/b", .browser),
      (#""comment": "no rules""#, "/b", .browser),
    ] as [(String, String, Verdict)])
  func `the places of rules`(members: String, url: String, expected: Verdict) throws {
    #expect(
      try verdicts(#"{"details": [{"appID": "A.b", \#(members)}]}"#, url, ["A.b"]) == [expected])
  }

  @Test(
    arguments: [
      (#""appIDs": ["A.b", "A.c"]"#, [.opens, .opens]),
      (#""appIDs": ["A.c"], "appID": "A.b""#, [.browser, .opens]),
      (#""appIDs": [], "appID": "A.b""#, [.browser, .browser]),
      (#""appIDs": "A.c", "appID": "A.b""#, [.opens, .browser]),
      (#""appIDs": [5, "A.c"]"#, [.browser, .opens]),
      (#""appID": ["A.b"]"#, [.browser, .browser]),
      // Identifiers are compared exactly.
      (#""appIDs": ["a.b", " A.c"]"#, [.browser, .browser]),
    ] as [(String, [Verdict])])
  func `which apps an entry is for`(members: String, expected: [Verdict]) throws {
    let applinks = #"{"details": [5, {\#(members), "components": [{}]}]}"#
    #expect(try verdicts(applinks, "/", ["A.b", "A.c"]) == expected)
  }

  @Test func `a second entry for an app is not merged into the first`() throws {
    let applinks = """
      {"details": [{"appID": "A.b", "components": [{"/": "/a"}]},
                   {"appIDs": ["A.b", "A.c"], "components": [{"/": "/b"}]}]}
      """
    #expect(try verdicts(applinks, "/b", ["A.b", "A.c"]) == [.browser, .opens])
  }

  @Test func `a block for one app does not touch another`() throws {
    let applinks = """
      {"details": [{"appID": "A.b", "components": [{"exclude": true}]},
                   {"appID": "A.c", "components": [{}]}]}
      """
    #expect(try verdicts(applinks, "/", ["A.b", "A.c", "A.d"]) == [.blocked, .opens, .browser])
  }

  @Test(arguments: [
    "null", "[]", "5", "{}", #"{"details": 5}"#, #"{"details": null}"#, #"{"details": []}"#,
    #"{"details": {}}"#, #"{"details": [[]]}"#, #"{"details": {"A.b": []}}"#,
    #"{"details": [{"appID": "A.b"}], "substitutionVariables": 5, "defaults": []}"#,
  ]) func `odd shapes say nothing`(applinks: String) throws {
    #expect(try verdicts(applinks, "/", ["A.b"]) == [.browser])
  }
}
