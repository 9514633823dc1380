import Rules
import Testing

@testable import AppSiteAssociation

@Suite struct ExplanationTests {
  private func sentences(_ components: String, _ url: String) throws -> [String] {
    let file = try document(
      #"{"applinks": {"details": [{"appID": "A.b", "components": \#(components)}]}}"#)
    return try AppleLinks(file).trials(of: url, app: "A.b").map(\.sentence)
  }

  @Test(
    arguments: [
      (
        #"{"/": "/help/*", "?": {"articleNumber": "????"}}"#, "/help/1?articleNumber=481",
        "path matched `/help/*`; query `articleNumber` has 3 characters, but `????` needs 4"
      ),
      (#"{"?": {"a": "?"}}"#, "/?a=1&a=23", "query `a` has 2 characters, but `?` needs 1"),
      (#"{"?": {"a": "1"}}"#, "/", "query `a` is absent and treated as empty, but `1` needs `1`"),
      (#"{"?": {"a": "1"}}"#, "/?a", "query `a` is empty, but `1` needs `1`"),
      (
        #"{"/": "/buy"}"#, "/buyer",
        "path matched `/buy` up to `/buy`, then has `er` where the pattern needs the end"
      ),
      (#"{"/": "/buy/?*"}"#, "/buy", "path `/buy` ends where `/buy/?*` needs `/`"),
      (
        #"{"/": "/a/$(digit)"}"#, "/a/x",
        "path matched `/a/$(digit)` up to `/a/`, then has `x` where the pattern needs a digit"
      ),
      (#"{"/": "/a?b"}"#, "/a", "path `/a` ends where `/a?b` needs any character"),
      (
        #"{"/": "/$(alnum)"}"#, "/_",
        "path matched `/$(alnum)` up to `/`, then has `_` where the pattern needs a digit,"
          + " an upper-case letter or a lower-case letter"
      ),
      (
        #"{"/": "/Buy"}"#, "/buy",
        "path matched `/Buy` up to `/`, then has `buy` where the pattern needs `B`"
          + " (only the letter case differs)"
      ),
      (
        #"{"/": "/a b"}"#, "/a%20b",
        "path matched `/a b` up to `/a`, then has `%20b` where the pattern needs ` `"
          + " (it would match with percentEncoded false)"
      ),
      (
        #"{"/": "/$(food)/*"}"#, "/x/y",
        "path: `$(food)` is not defined, so `/$(food)/*` never matches"
      ),
      (#"{"?": "abc"}"#, "/?xyz", "query `xyz` does not begin with `a`, which `abc` requires"),
      (##"{"#": "a"}"##, "/", "fragment is empty, but `a` needs `a`"),
      (#"{"?": ""}"#, "/?x", "query `x` is not empty, but the pattern is"),
      (
        #"{"/": "/caf\u00e9", "percentEncoded": false}"#, "/cafe%CC%81",
        "path matched `/café` up to `/caf`, then has `é` where the pattern needs `é`"
          + " (the same character in another Unicode form)"
      ),
      ("{}", "/", "has no conditions"),
      (
        ##"{"/": "*", "?": "*", "#": "*"}"##, "/",
        "path matched `*`; query is absent and treated as empty, which `*` accepts; "
          + "fragment is absent and treated as empty, which `*` accepts"
      ),
    ] as [(String, String, String)])
  func `a rule shows where it stopped matching`(
    component: String, url: String, sentence: String
  ) throws {
    #expect(try sentences("[\(component)]", url) == [sentence])
  }

  @Test func `rules after the one that decides are not tried`() throws {
    #expect(
      try sentences(#"[{"/": "/a"}, {"/": "/b", "exclude": true}, {"/": "/c"}]"#, "/b").count == 2)
  }

  @Test(arguments: [
    ("https://example.org/", "A.b", NoMatchReason.otherHost),
    ("nonsense", "A.b", .fault(.noScheme)), ("https://example.com/", "A.c", .unknownApp),
  ]) func `without a rule tried there is only the reason`(
    url: String, app: String, reason: NoMatchReason
  ) throws {
    let file = try document(
      #"{"applinks": {"details": [{"appID": "A.b", "components": [{}]}]}}"#)
    let links = try AppleLinks(file, domain: Domain("example.com"))
    #expect(
      links.decide(url, for: [app]) == [
        LinkDecision(.browser, reason: reason.words)
      ])
    #expect(try links.trials(of: url, app: app).isEmpty)
  }
}
