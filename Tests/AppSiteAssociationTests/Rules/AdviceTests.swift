import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// Single findings, and that their advice is right.
@Suite struct AdviceTests {
  private static func diagnostics(_ text: String) -> [Diagnostic] {
    validate(SourceText(path: "f", bytes: Array(text.utf8))).diagnostics
  }

  private static func found(_ code: String, in text: String) -> Diagnostic? {
    diagnostics(text).first { $0.code == code }
  }

  @Test func `a list of exclusions becomes NOT rules`() {
    let paths =
      #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["/t/*"],"exclude":["/zh*"]}]}}"#
    #expect(Self.found("A023", in: paths)?.help?.contains("`\"NOT /zh*\"` in `paths`") == true)
    let components = paths.replacing(#""paths":["/t/*"]"#, with: #""components":[{"/":"/t/*"}]"#)
    #expect(
      Self.found("A023", in: components)?.help?.contains(#"{"/": "/zh*", "exclude": true}"#) == true
    )
  }

  @Test(arguments: [
    ValidationTests.components(#"{"/":" /buy/*"},{"/":"/x"}"#),
    ValidationTests.components(#"{"/":"/buy/* "},{"/":"/x"}"#),
    ValidationTests.paths(#"" /buy/*","/x""#),
  ]) func `white space around a pattern is to be removed`(text: String) {
    #expect(Self.found("A094", in: text)?.help == "remove it")
  }

  @Test(arguments: [
    ("K27TX9P4QD", "K27TX9P4QE", true), ("K27TX9P4QD", "27TX9P4QD", true),
    ("K27TX9P4QD", "K27TX9P4QD", false), ("K27TX9P4QD", "ZZ7TX9P4QD", false),
  ]) func `a prefix that is nearly another is reported`(left: String, right: String, isNear: Bool) {
    let text =
      #"{"applinks":{"details":[{"appID":"\#(left).a.b","paths":["/x"]}]},"#
      + #""webcredentials":{"apps":["\#(right).a.b"]}}"#
    #expect((Self.found("A047", in: text) != nil) == isNear)
  }

  @Test(arguments: [
    (#"{"/":"*"},{"/":"/buy/*"}"#, "A085", Diagnostic.Severity.note),
    (#"{"/":"*","exclude":true},{"/":"/buy/*"}"#, "A081", .warning),
  ]) func `a rule after a catch-all is a warning only when it means otherwise`(
    components: String, code: String, severity: Diagnostic.Severity
  ) {
    let found = Self.diagnostics(ValidationTests.components(components))
      .filter { ["A080", "A081", "A082", "A085"].contains($0.code) }
    #expect(found.map(\.code) == [code] && found.first?.severity == severity)
  }

  @Test(arguments: [
    ("*", true), ("/*", true), ("/buy/*", false),
  ]) func `a catch-all names the other paths that it takes`(path: String, isReported: Bool) {
    let text = ValidationTests.components(#"{"/":"/login*","exclude":true},{"/":"\#(path)"}"#)
    let message = Self.found("A072", in: text)?.message
    #expect((message != nil) == isReported)
    if let message { #expect(message.contains("/oauth/callback") && !message.contains("/login")) }
  }

  @Test(
    arguments: [
      ("/buy/*/", "A114"), ("/indoor?*", "A114"), ("/reset?token", "A115"), ("/item?ID", "A115"),
      ("/buy/?*", nil), ("/id/????", nil), ("/a??", nil), ("/a/*/b/", nil),
      ("/x?y", nil),
    ] as [(String, String?)]) func `a path that resembles a query is noted`(
      path: String, code: String?
    )
  {
    let found = Self.diagnostics(ValidationTests.components(#"{"/":"\#(path)"}"#)).map(\.code)
    #expect(found == (code.map { [$0] } ?? []))
  }

  @Test func `apps that open the same links are named`() {
    func text(_ first: String, _ second: String) -> String {
      #"{"applinks":{"details":[{"appID":"K27TX9P4QD.a.b","paths":["\#(first)"]},"#
        + #"{"appID":"K27TX9P4QD.c.d","paths":["\#(second)"]}]}}"#
    }
    #expect(Self.found("A088", in: text("/nom/*", "/nom/x"))?.message.contains("/nom/x") == true)
    #expect(Self.found("A088", in: text("/nom/*", "/pay/*")) == nil)
  }
}
