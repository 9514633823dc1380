import AppSiteAssociation
import Diagnostics
import JSON
import Testing

/// Two files are merged into an equivalent one.
@Suite struct MergingTests {
  private static func document(_ text: String) throws -> Document {
    try Document(parsing: SourceText(path: "f", bytes: Array(text.utf8)))
  }

  private static func entry(_ app: String, _ path: String) -> String {
    #"{"appIDs":["K27TX9P4QD.\#(app)"],"components":[{"/":"\#(path)"}]}"#
  }

  private static func links(_ entries: String, _ more: String = "") -> String {
    #"{"applinks":{\#(more)"details":[\#(entries)]}}"#
  }

  @Test(arguments: [
    (
      links(entry("a.b", "/x")), links(entry("c.d", "/y")),
      links(entry("a.b", "/x") + "," + entry("c.d", "/y"))
    ),
    (links(entry("a.b", "/x")), links(entry("a.b", "/x")), links(entry("a.b", "/x"))),
    (
      links(entry("a.b", "/x")), #"{"webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#,
      #"{"applinks":{"details":[\#(entry("a.b", "/x"))]},"webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#
    ),
    (
      #"{"webcredentials":{"apps":["K27TX9P4QD.a.b"]}}"#,
      #"{"webcredentials":{"apps":["K27TX9P4QD.c.d","K27TX9P4QD.a.b"]}}"#,
      #"{"webcredentials":{"apps":["K27TX9P4QD.a.b","K27TX9P4QD.c.d"]}}"#
    ),
  ]) func `each app keeps its rules`(first: String, second: String, merged: String) throws {
    let tree = try merging(Self.document(first), Self.document(second))
    #expect(String(decoding: tree.minified, as: UTF8.self) == merged)
  }

  @Test(arguments: [
    (links(entry("a.b", "/x")), links(entry("a.b", "/y")), "K27TX9P4QD.a.b"),
    (
      links(entry("a.b", "/x"), #""substitutionVariables":{"v":["1"]},"#),
      links(entry("c.d", "/y"), #""substitutionVariables":{"v":["2"]},"#), "\"v\""
    ),
    (
      links(entry("a.b", "/x"), #""defaults":{"caseSensitive":false},"#),
      links(entry("c.d", "/y")), "defaults"
    ),
  ]) func `a conflict is named`(first: String, second: String, word: String) throws {
    let (left, right) = (try Self.document(first), try Self.document(second))
    let conflict = #expect(throws: MergeConflict.self) { try merging(left, right) }
    #expect(conflict?.message.contains(word) == true, "\(conflict?.message ?? "")")
  }

  @Test func `a file for old and new systems means the same to both`() throws {
    let old = try Self.document(
      #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.a.b","K27TX9P4QD.c.d"],"#
        + #""components":[{"/":"/x/*","exclude":true},{"/":"/$(v)"}]}],"#
        + #""substitutionVariables":{"v":["a","b"]}}}"#)
    let both = try Conversion(form: .both).convert(old)
    let text = String(decoding: both.minified, as: UTF8.self)
    #expect(text.contains(#""appID":"K27TX9P4QD.a.b","paths":["NOT /x/*","/a","/b"]"#))
    #expect(
      text.contains(#""appIDs":["K27TX9P4QD.c.d"],"components":[{"/":"/x/*","exclude":true}"#))
  }
}
