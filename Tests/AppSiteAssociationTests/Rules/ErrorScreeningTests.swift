import Diagnostics
import Testing

@testable import AppSiteAssociation

/// What decides of very many files whether they can be served, without all rules being asked.
@Suite struct ErrorScreeningTests {
  static func source(_ text: String) -> SourceText {
    SourceText(path: "file", bytes: Array(text.utf8))
  }

  static func hasErrors(_ source: SourceText) -> Bool {
    validate(source).diagnostics.contains { $0.severity == .error }
  }

  @Test func `every rule of severity error can be screened`() {
    for rule in RuleTable.all {
      let isScreened = rule is any ErrorRule.Type
      #expect(isScreened == (rule.severity == .error), "\(rule.code)")
    }
    #expect(RuleTable.errors.count >= 3)
  }

  @Test func `examples are never taken for free of errors when they are not`() {
    for example in RuleTable.all.flatMap({ [$0.documentation.wrong, $0.documentation.right] }) {
      let source = Self.source(example.file)
      if isCertainlyFreeOfErrors(source) { #expect(!Self.hasErrors(source), "\(example.file)") }
    }
  }

  @Test(arguments: [
    // nothing, no JSON, no object, cut off
    ("", false), ("x", false), ("[]", false), ("{", false), ("{} {}", false),
    // objects
    ("{}", true), (" \n{}", true), (#"{"x": 1}"#, true),
    (#"{"applinks": {}}"#, true), (#"{"applinks": {"details": []}}"#, true),
    (#"{"applinks": {"details": {}}}"#, true), (#"{"webcredentials": {"apps": []}}"#, true),
    // errors
    (#"{"applinks": {"details": "x"}}"#, false), (#"{"applinks": []}"#, false),
    (#"{"webcredentials": []}"#, false), (#"{"appclips": {"apps": {}}}"#, false),
    (#"{"activitycontinuation": null}"#, false),
    // the last of a repeated key counts
    (#"{"applinks": {"details": 1, "details": []}}"#, true),
    (#"{"applinks": {"details": [], "details": 1}}"#, false),
    (#"{"applinks": {}, "applinks": {"details": 1}}"#, false),
    // escapes in keys
    (#"{"applink\u0073": 1}"#, false), (#"{"applinks": {"d\u0065tails": 1}}"#, false),
  ])
  func `what is certain is told`(text: String, isCertain: Bool) {
    let source = Self.source(text)
    #expect(isCertainlyFreeOfErrors(source) == isCertain)
    #expect(Self.hasErrors(source) == !isCertain)
  }

  @Test func `the limit of Apple holds here too`() {
    let file = Array(#"{"x":""#.utf8)
    let end = Array(#""}"#.utf8)
    func filled(_ count: Int) -> SourceText {
      SourceText(
        path: "file",
        bytes: file + Array(repeating: 0x61, count: count - file.count - end.count) + end)
    }
    #expect(isCertainlyFreeOfErrors(filled(AppleLimits.fileBytes)))
    #expect(!isCertainlyFreeOfErrors(filled(AppleLimits.fileBytes + 1)))
  }

  @Test func `a signed file is left to who can read it`() {
    #expect(!isCertainlyFreeOfErrors(SourceText(path: "file", bytes: [0x30, 0x82, 0, 0])))
  }
}
