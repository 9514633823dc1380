import AppSiteAssociation
import Testing

/// The meaning of rules, one row per case: a component's members, a URL, the verdict.
@Suite struct SemanticsTests {
  typealias Row = (component: String, url: String, verdict: Verdict)

  private func check(_ row: Row) throws {
    #expect(try verdict(components: "[{\(row.component)}]", row.url) == row.verdict)
  }

  @Test(
    arguments: [
      // A leading slash may be missing, whatever the pattern begins with.
      (#""/": "abc""#, "/abc", .opens),
      (#""/": "*abc""#, "/xabc", .opens),
      (#""/": "*abc""#, "/abc", .opens),
      // A star at the beginning stands for nothing, too.
      (#""/": "*/admin""#, "/admin", .opens),
      (#""/": "*/admin""#, "/a/b/admin", .opens),
      (#""/": "*/admin""#, "/xadmin", .browser),
      (#""/": "**/admin""#, "/admin", .opens),
      (#""/": "*//admin""#, "/admin/", .opens),
      (#""/": "*/c/*""#, "/c/1", .opens),
      (#""/": "*/c/*""#, "/c", .opens),
      (#""/": "*/?*""#, "/a", .opens),
      (#""/": "*/""#, "/", .opens),
      (#""/": "/*/c""#, "/c", .browser),
      (#""/": "?/c""#, "/c", .browser),
      (#""/": "*""#, "/", .opens),
      (#""/": "?bc""#, "/abc", .opens),
      (#""/": "?abc""#, "/abc", .browser),
      (#""/": """#, "/", .opens),
      (#""/": """#, "/a", .browser),
      (#""/": "/""#, "https://example.com", .opens),
      (#""/": "/""#, "https://example.com?a=1", .opens),
      (#""/": "/""#, "https://example.com#a", .opens),
      // Runs of slashes count as one, on both sides.
      (#""/": "/a//b""#, "/a/b", .opens),
      (#""/": "/a/b""#, "/a///b", .opens),
      (#""/": "//""#, "https://example.com/", .opens),
      (#""/": "//a""#, "https://example.com//a", .opens),
      // A slash at the end does not matter, on both sides.
      (#""/": "/buy""#, "/buy/", .opens),
      (#""/": "/buy/""#, "/buy", .opens),
      (#""/": "/buy/""#, "/buyer", .browser),
      (#""/": "/id/????""#, "/id/481/", .browser),
      (#""/": "/id/????""#, "/id/4815/", .opens),
      // `/*` at the end may be missing altogether.
      (#""/": "/buy/*""#, "/buy", .opens),
      (#""/": "/buy/*/""#, "/buy", .opens),
      (#""/": "/buy/**""#, "/buy", .opens),
      (#""/": "/buy/*""#, "/buyer", .browser),
      (#""/": "/buy/*""#, "/", .browser),
      (#""/": "/*""#, "https://example.com", .opens),
      (#""/": "/a/*/*""#, "/a/b", .opens),
      (#""/": "/a/*/*""#, "/a", .browser),
      // In the middle it may not.
      (#""/": "/a/*/c""#, "/a/c", .browser),
      (#""/": "/a/*/c""#, "/a/b/c", .opens),
      (#""/": "/a/*/c""#, "/a/x/y/c", .opens),
      // Wildcards take slashes.
      (#""/": "/a?c""#, "/a/c", .opens),
      (#""/": "/a*c""#, "/a/b/c", .opens),
      (#""/": "/a/?*""#, "/a/", .browser),
      (#""/": "/a/?*""#, "/a//", .browser),
      (#""/": "/a/?*""#, "/a/b/c", .opens),
      // Path only: nothing of query and fragment, and dots are characters.
      (#""/": "/a""#, "/a?b=/c#/d", .opens),
      (#""/": "/a?b""#, "/a?b", .browser),
      (#""/": "/a/b""#, "/a/./b", .browser),
      // No regular expressions, braces, classes.
      (#""/": "/[ab]""#, "/a", .browser),
      (#""/": "/a.c""#, "/abc", .browser),
      (#""/": "/a+""#, "/a+", .opens),
    ] as [Row])
  func `a path`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      (#""?": "a=1""#, "/x?a=1", .opens),
      (#""?": "a=?""#, "/x?a=1", .opens),
      (#""?": "a=*&b=2""#, "/x?a=1&b=2", .opens),
      (#""?": "a=1&b=2""#, "/x?b=2&a=1", .browser),
      (#""?": "*""#, "/x", .opens),
      (#""?": "?*""#, "/x", .browser),
      (#""?": """#, "/x?", .opens),
      (#""?": """#, "/x?a", .browser),
      // Slashes are nothing special here.
      (#""?": "a=/""#, "/x?a=", .browser),
      (#""?": "a""#, "/x?a/", .browser),
      (#""?": "u=https://a//b""#, "/x?u=https://a//b", .opens),
      // Text after a second question mark is query.
      (#""?": "a=1?b=2""#, "/x?a=1?b=2", .opens),
    ] as [Row])
  func `a query as a whole`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      (#""?": {}"#, "/x?a=1", .opens),
      (#""?": {}"#, "/x", .opens),
      (#""?": {"a": "1", "b": "2"}"#, "/x?b=2&c=3&a=1", .opens),
      (#""?": {"a": "1", "b": "2"}"#, "/x?a=1", .browser),
      // Every occurrence.
      (#""?": {"a": "?"}"#, "/x?a=1&a=2", .opens),
      (#""?": {"a": "?"}"#, "/x?a=1&a=22", .browser),
      // No value, an empty value, an item that is not there.
      (#""?": {"a": ""}"#, "/x?a", .opens),
      (#""?": {"a": ""}"#, "/x?a=", .opens),
      (#""?": {"a": ""}"#, "/x", .opens),
      (#""?": {"a": "?*"}"#, "/x?a", .browser),
      (#""?": {"a": "*"}"#, "/x", .opens),
      // A value may contain `=`.
      (#""?": {"a": "b=c"}"#, "/x?a=b=c", .opens),
      (#""?": {"a": "1"}"#, "/x?&&a=1&", .opens),
      // Names are compared exactly, wildcards in them are characters.
      (#""?": {"A": "1"}"#, "/x?a=1", .browser),
      (#""?": {"A": "1"}, "caseSensitive": false"#, "/x?a=1", .browser),
      (#""?": {"?": "1"}"#, "/x?a=1", .browser),
      (#""?": {"a[]": "1"}"#, "/x?a[]=1", .opens),
      // A value that is not a string makes the whole object ignored.
      (#""?": {"a": "1", "b": 2}"#, "/x?a=5", .opens),
      (#""?": {"a": "1", "b": null}"#, "/x", .opens),
      // So does another type than string and object.
      (#""?": ["a"]"#, "/x", .opens),
      (#""?": 5"#, "/x?a", .opens),
      // Of a repeated key the last one counts.
      (#""?": {"a": "1", "a": "2"}"#, "/x?a=2", .opens),
      (#""?": {"a": 1, "a": "2"}"#, "/x?a=1", .browser),
      // Variables work in values.
      (#""?": {"a": "$(digit)$(digit)"}"#, "/x?a=42", .opens),
      // Escapes separate nothing.
      (#""?": {"a": "1"}, "percentEncoded": false"#, "/x?b=2%26a=2", .browser),
      (#""?": {"b": "2&a=1"}, "percentEncoded": false"#, "/x?b=2%26a%3D1", .opens),
      (#""?": {"é": "ü"}, "percentEncoded": false"#, "/x?%C3%A9=%C3%BC", .opens),
      (#""?": {"a": "b c"}, "percentEncoded": false"#, "/x?a=b+c", .browser),
    ] as [Row])
  func `a query by items`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      (##""#": "a*""##, "/x#abc", .opens),
      (##""#": "a*""##, "/x", .browser),
      (##""#": """##, "/x#", .opens),
      (##""#": "a#b""##, "/x#a#b", .browser),
      (##""#": "a%23b""##, "/x#a#b", .opens),
      (##""#": "a?b/""##, "/x#a?b/", .opens),
      (##""#": "a""##, "/x#a/", .browser),
      (##""#": "é", "percentEncoded": false"##, "/x#%C3%A9", .opens),
      (##""#": 1"##, "/x#2", .opens),
    ] as [Row])
  func `a fragment`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      // Written: as the URL has it, raw characters encoded.
      (#""/": "/a%20b""#, "/a%20b", .opens),
      (#""/": "/a%20b""#, "/a b", .opens),
      (#""/": "/a b""#, "/a b", .browser),
      (#""/": "/caf%C3%A9""#, "/café", .opens),
      (#""/": "/café""#, "/café", .browser),
      (#""/": "/caf%c3%a9", "caseSensitive": false"#, "/caf%C3%A9", .opens),
      (#""/": "/a???b""#, "/a%20b", .opens),
      (#""/": "/a%2Fb""#, "/a%2Fb", .opens),
      // Decoded: the pattern stays as it is.
      // A `%` that begins no escape is not a part of any URL: it is seen as `%25`.
      (#""/": "/100%""#, "/100%", .browser),
      (#""/": "/100%""#, "/100%25", .browser),
      (#""/": "/100%25""#, "/100%", .opens),
      (#""/": "/100%25""#, "/100%25", .opens),
      (#""/": "/a%zz""#, "/a%zz", .browser),
      (#""/": "/a%2""#, "/a%2", .browser),
      (#""/": "/a%252/b""#, "/a%2/b", .opens),
      (#""?": "q=5%""#, "/x?q=5%", .browser),
      (#""?": {"q": "5%"}"#, "/x?q=5%&4=1", .browser),
      (#""?": {"q": "5%25"}"#, "/x?q=5%&4=1", .opens),
      (##""#": "%""##, "/x#%", .browser),
      (#""/": "/100%", "percentEncoded": false"#, "/100%", .opens),
      (#""/": "/100%", "percentEncoded": false"#, "/100%25", .opens),
      (#""/": "/a b", "percentEncoded": false"#, "/a b", .opens),
      (#""/": "/a?b", "percentEncoded": false"#, "/a%20b", .opens),
      (#""/": "/caf?", "percentEncoded": false"#, "/caf%C3%A9", .opens),
      (#""/": "/?", "percentEncoded": false"#, "/%F0%9F%8D%95", .opens),
      (#""/": "/a/b", "percentEncoded": false"#, "/a%2F%2fb%2F", .opens),
      (#""/": "/a%b", "percentEncoded": false"#, "/a%b", .opens),
      (#""/": "/a%2b", "percentEncoded": false"#, "/a%252b", .opens),
      // Only wildcards match invalid UTF-8, one byte for one `?`.
      (#""/": "/a?b", "percentEncoded": false"#, "/a%FFb", .opens),
      (#""/": "/a??b", "percentEncoded": false"#, "/a%C3%28b", .opens),
      (#""/": "/\uFFFD", "percentEncoded": false"#, "/%FF", .browser),
    ] as [Row])
  func `percent-encoding`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      (#""/": "/Help", "caseSensitive": false"#, "/hELP", .opens),
      (#""/": "/é", "caseSensitive": false, "percentEncoded": false"#, "/%C3%89", .opens),
      (#""/": "/ß", "caseSensitive": false, "percentEncoded": false"#, "/SS", .browser),
      (#""?": "Q=A", "caseSensitive": false"#, "/?q=a", .opens),
      (##""#": "A", "caseSensitive": false"##, "/#a", .opens),
      (#""?": {"q": "A"}, "caseSensitive": false"#, "/?q=a", .opens),
      (#""/": "/$(upper)", "caseSensitive": false"#, "/a", .opens),
      (#""/": "/$(lower)", "caseSensitive": false"#, "/A", .opens),
      (#""/": "/$(lang)_$(region)", "caseSensitive": false"#, "/EN_us", .opens),
      // Only letters have cases.
      (#""/": "/@[", "caseSensitive": false"#, "/`[", .browser),
    ] as [Row])
  func `case`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      (#""/": "/$(alpha)""#, "/a", .opens), (#""/": "/$(alpha)""#, "/Z", .opens),
      (#""/": "/$(alpha)""#, "/é", .browser), (#""/": "/$(alpha)""#, "/ab", .browser),
      (#""/": "/$(upper)""#, "/A", .opens), (#""/": "/$(upper)""#, "/a", .browser),
      (#""/": "/$(lower)""#, "/a", .opens), (#""/": "/$(lower)""#, "/A", .browser),
      (#""/": "/$(alnum)""#, "/7", .opens), (#""/": "/$(alnum)""#, "/_", .browser),
      (#""/": "/$(digit)""#, "/42", .browser), (#""/": "/$(digit)*""#, "/42", .opens),
      (#""/": "/$(xdigit)""#, "/F", .opens), (#""/": "/$(xdigit)""#, "/g", .browser),
      (#""/": "/$(region)""#, "/GB", .opens), (#""/": "/$(region)""#, "/UK", .browser),
      (#""/": "/$(region)""#, "/gb", .browser), (#""/": "/$(region)""#, "/GBR", .browser),
      (#""/": "/$(region)""#, "/419", .browser), (#""/": "/$(region)""#, "/XK", .opens),
      (#""/": "/$(lang)""#, "/en", .opens), (#""/": "/$(lang)""#, "/EN", .browser),
      (#""/": "/$(lang)""#, "/fil", .opens), (#""/": "/$(lang)""#, "/xx", .browser),
      (#""/": "/$(lang)""#, "/eng", .browser), (#""/": "/$(lang)""#, "/zh_Hans", .browser),
      (#""/": "/$(lang)-$(region)/*""#, "/pt-BR", .opens),
      (#""/": "/$(Digit)""#, "/7", .browser), (#""/": "/$()""#, "/x", .browser),
      // Not closed: characters like others.
      (#""/": "/$(digit""#, "/$(digit", .opens), (#""/": "/$digit""#, "/7", .browser),
      (#""/": "/$($(digit)""#, "/$(7", .opens),
    ] as [Row])
  func `predefined variables`(row: Row) throws { try check(row) }

  @Test(
    arguments: [
      ("/$(x)/c", #"["a", "b"]"#, "/b/c", .opens),
      ("/$(x)/c", #"["a", "b"]"#, "/$(x)/c", .browser),
      ("/$(x)$(x)", #"["a", "b"]"#, "/ab", .opens),
      ("/$(x)/c", #"["a*", "?"]"#, "/abc/d/c", .opens),
      ("/$(x)", #"["??"]"#, "/ab", .opens),
      ("/$(x)", #"["??"]"#, "/abc", .browser),
      // Values are inserted before slashes are compared.
      ("/a/$(x)/c", #"[""]"#, "/a/c", .opens),
      ("/a/$(x)", #"["*"]"#, "/a", .opens),
      ("/a$(x)", #"["/", "/*"]"#, "/a", .opens),
      ("$(x)/c", #"["/a/"]"#, "/a/c", .opens),
      // A value refers to no other variable.
      ("/$(x)", #"["$(y)"]"#, "/a", .browser),
      ("/$(x)", #"["$(y)"]"#, "/$(y)", .opens),
      // No values.
      ("/$(x)", "[]", "/", .browser), ("/$(x)", "5", "/5", .browser),
      ("/$(x)", #"[5, "a"]"#, "/a", .opens), ("*$(z)", #"["a"]"#, "/a", .browser),
      // The file's own variable hides a predefined one.
      ("/$(y)/$(digit)", "[]", "/a/seven", .opens), ("/$(digit)", "[]", "/7", .browser),
    ] as [(String, String, String, Verdict)])
  func `variables of the file`(
    pattern: String, values: String, url: String, expected: Verdict
  ) throws {
    let variables = #", "substitutionVariables": {"x": \#(values), "y": ["a"], "digit": ["seven"]}"#
    #expect(
      try verdict(components: #"[{"/": "\#(pattern)"}]"#, url, applinks: variables) == expected)
  }

  @Test func `the first rule that matches decides`() throws {
    let rules =
      #"[{"/": "/a/b", "exclude": true}, {"/": "/a/*"}, {"/": "/a/c", "exclude": true}, 5]"#
    #expect(try verdict(components: rules, "/a/b") == .blocked)
    #expect(try verdict(components: rules, "/a/c") == .opens)
    #expect(try verdict(components: rules, "/b") == .browser)
    #expect(try verdict(components: "[]", "/") == .browser)
    #expect(try verdict(components: "[{}]", "/any?thing#else") == .opens)
  }
}
