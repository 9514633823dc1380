import Diagnostics
import Rules
import Testing

@testable import AppSiteAssociation

/// Findings in texts that people write for each other.
@Suite struct RemarkTests {
  static func codes(_ remark: String) -> [String] {
    let text = #"{"webcredentials":{"apps":["K27TX9P4QD.org.swift.shop"]},"_note":"\#(remark)"}"#
    let source = SourceText(path: "f", bytes: Array(text.utf8))
    return validate(source).diagnostics.map(\.code)
  }

  @Test(
    arguments: [
      ("", []), ("the shop", []), ("é", []),
      // secrets
      ("password=x", ["A150"]), ("Token : x", ["A150"]), ("API KEY=1", ["A150"]), ("token x", []),
      ("AKIA", ["A150"]), ("akia", []), ("x Bearer y", ["A150"]), ("Bearer", []),
      ("\u{2013}pwd=", ["A150"]),
      // hosts
      ("wiki.corp", ["A151"]), ("WIKI.CORP.", ["A151"]), ("caf\u{E9}.lan", ["A151"]),
      ("\u{201C}localhost\u{201D}", ["A151"]), ("localhosts", []), (".corp", []),
      ("x.corporate", []),
      ("10.0.0.1", ["A151"]), ("010.1.1.1", ["A151"]), ("110.0.0.1", []), ("10.0.0.1.2", []),
      ("172.15.0.1", []), ("172.16.0.1", ["A151"]), ("192.168.0.1:80", ["A151"]),
      ("10.0.0.256", []), ("iOS 10.", []),
      // tasks
      ("TODO", ["A152"]), ("TODOS", []), ("todo", []), ("a\u{2014}FIXME\u{2014}b", ["A152"]),
      ("TODO\u{E9}", []), ("XXX1", ["A152"]), ("HACK", ["A152"]),
      // addresses
      ("@", []), ("a@b", []), ("a@b.de", ["A153"]), ("@b.de", []), ("ask a@b.de, c", ["A153"]),
      ("a@1.de", []), ("a@\u{E9}.de", ["A153"]),
    ] as [(String, [String])]) func `remarks are reported for their content`(
      remark: String, expected: [String]
    )
  {
    #expect(Self.codes(remark) == expected)
  }

  @Test(arguments: [
    ("", false), ("a", false), ("ab", true), ("AB", true), ("xxab", true), ("abxx", true),
    ("xa", false), ("aab", true), ("a b", false), ("\u{E9}ab\u{E9}", true), ("a.", false),
    ("@.c", true), ("@.", false),
  ]) func `a phrase is found in any place`(text: String, isFound: Bool) {
    #expect(PhraseSearch(["ab", "abc", "@.c"]).mayOccur(in: text) == isFound)
  }
}
