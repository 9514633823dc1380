import AppSiteAssociation
import Diagnostics
import JSON
import Rules
import Testing

/// Answers that rest on what Apple does not document say so, and no others do.
@Suite struct OtherReadingTests {
  private static func answer(
    _ rules: String, _ url: String, domain: String? = nil
  ) throws -> LinkReport.Answer {
    let text = #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[\#(rules)]}]}}"#
    let document = try Document(parsing: SourceText(path: "f", bytes: Array(text.utf8)))
    return try LinkReport(AppleLinks(document, domain: domain.flatMap(Domain.init)))
      .answer(url, explaining: false)
  }

  static let unknown: [(rules: String, url: String, domain: String?, words: String)] = [
    (#"{"/":"/b"}"#, "/a/../b", nil, "`.` and `..` in a path"),
    (#"{"/":"/b"}"#, "/%2E/b", nil, "`.` and `..` in a path"),
    (#"{"/":"/a/*"}"#, "https://a.b/a/../b", nil, "`.` and `..` in a path"),
    (#"{"/":"/b"}"#, "https://a.b:8443/b", nil, "a link with a port"),
    (#"{"/":"/b"}"#, "https://a.b./b", nil, "a trailing dot makes a host a different host"),
    (#"{"/":"/b"}"#, "https://a.b./b", "a.b", "a trailing dot makes a host a different host"),
    (
      #"{"/":"/CAFÉ","caseSensitive":false,"percentEncoded":false}"#, "/caf%C3%A9", nil,
      "letters beyond ASCII"
    ),
    (#"{"?":{"id":"1"},"caseSensitive":false}"#, "/?ID=1", nil, "the names of query items"),
    (#"{"?":{"id":"*"},"caseSensitive":false,"exclude":true},{"/":"*"}"#, "/?ID=1", nil, ""),
    (#"{"?":{"id":""},"caseSensitive":false}"#, "/?ID=1", nil, "the names of query items"),
    (#"{"/":"/$(region)"}"#, "/us", nil, "codes in the other letter case"),
    (#"{"/":"/$(lang)_$(region)/a"}"#, "/en_us/a", nil, "codes in the other letter case"),
    (#"{"/":"/$(region)","exclude":true},{"/":"*"}"#, "/us", nil, "codes in the other letter case"),
  ]

  @Test(arguments: unknown) func `an answer that is not known has one remark`(
    rules: String, url: String, domain: String?, words: String
  ) throws {
    let answer = try Self.answer(rules, url, domain: domain)
    let notes = answer.text.split(separator: "\n").filter { $0.hasPrefix("    note: ") }
    guard !words.isEmpty else {
      #expect(notes.isEmpty, "\(notes)")
      return
    }
    #expect(notes.count == 1, "\(answer.text)")
    #expect(
      notes.first?.hasPrefix("    note: Apple does not document whether ") == true
        && notes.first?.contains(words) == true
        && notes.first?.hasSuffix("; devices may decide differently") == true, "\(notes)")
    #expect(answer.apps.description.contains("\"note\":"))
  }

  @Test(arguments: [
    // Both readings lead to the same answer.
    (#"{"/":"*"}"#, "/a/../b"), (#"{"/":"/b"}"#, "/a/../c"), (#"{"/":"/x"}"#, "https://a.b:8443/b"),
    (#"{"/":"/$(region)"},{"/":"*"}"#, "/us"), (#"{"/":"/shop/$(region)"}"#, "/Shop/us"),
    (#"{"?":{"id":"1"},"caseSensitive":false}"#, "/?x=1"),
    (#"{"/":"/café","caseSensitive":false,"percentEncoded":false}"#, "/caf%C3%A9"),
    // Documented, or recorded.
    (#"{"/":"/b"}"#, "https://a.b:443/b"), (#"{"/":"/b"}"#, "http://a.b:80/b"),
    (#"{"/":"/$(region)"}"#, "/US"), (#"{"/":"/$(region)","caseSensitive":false}"#, "/us"),
    (#"{"/":"/B","caseSensitive":false}"#, "/b"), (#"{"?":{"id":"1"}}"#, "/?ID=1"),
    (#"{"/":"/.well-known/*"}"#, "/.well-known/a"), (#"{"/":"/a..b"}"#, "/a..b"),
  ]) func `an answer that is known has no remark`(rules: String, url: String) throws {
    let answer = try Self.answer(rules, url)
    #expect(!answer.text.contains("note: "), "\(answer.text)")
  }

  @Test func `a variable of one's own hides a predefined one`() throws {
    let text =
      #"{"applinks":{"substitutionVariables":{"region":["A"]},"details":[{"appIDs":["A.b"],"#
      + #""components":[{"/":"/$(region)"}]}]}}"#
    let document = try Document(parsing: SourceText(path: "f", bytes: Array(text.utf8)))
    let answer = try LinkReport(AppleLinks(document)).answer("/us", explaining: false)
    #expect(!answer.text.contains("note: "))
  }
}
