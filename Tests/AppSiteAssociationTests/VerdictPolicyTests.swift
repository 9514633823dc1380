import AppSiteAssociation
import Diagnostics
import Rules
import Testing

/// The content of `.aasa.json`.
@Suite struct VerdictPolicyTests {
  private static func read(_ text: String) -> (policy: VerdictPolicy, fault: Diagnostic?) {
    VerdictPolicy.reading(
      SourceText(path: ".aasa.json", bytes: Array(text.utf8)), known: associationKinds,
      rules: associationRuleKinds)
  }

  @Test func `it says which severity fails and which codes are ignored`() {
    let (policy, fault) = Self.read(
      #"{"failOn": "warning", "ignore": ["A081", "F062"], "comment": "the old shop"}"#)
    #expect(fault == nil)
    #expect(policy.failing == .warning && policy.ignored == ["A081", "F062"])
  }

  @Test func `a byte order mark does no harm`() {
    #expect(Self.read("\u{FEFF}{\"failOn\": \"warning\"}").policy.failing == .warning)
  }

  @Test func `the wrong example has a fault, and the right one has none`() throws {
    let kind = Kind.verdictPolicyFaulty
    let (wrong, right) = (try #require(kind.wrong), try #require(kind.right))
    #expect(Self.read(wrong).fault?.kind == kind)
    #expect(Self.read(right).fault == nil)
  }

  @Test(arguments: [
    "[]", "{", #"{"failOn": "warnings"}"#, #"{"failOn": 1}"#, #"{"ignore": "A081"}"#,
    #"{"ignore": ["A999"]}"#, #"{"ignore": [1]}"#, #"{"ignored": ["A081"]}"#,
    #"{"ignore": ["A001"]}"#, #"{"ignore": ["J010"]}"#,
  ]) func `of a faulty one nothing counts`(text: String) {
    let (policy, fault) = Self.read(text)
    #expect(fault?.code == "V003" && fault?.severity == .error)
    #expect(policy == VerdictPolicy())
  }
}
