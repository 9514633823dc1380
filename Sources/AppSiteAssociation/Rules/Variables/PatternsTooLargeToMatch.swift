internal import Diagnostics

struct PatternsTooLargeToMatch: ValidationRule {
  static let code = "A136"
  static let severity = Diagnostic.Severity.warning
  static let name = "patterns-too-large"
  static let documentation = RuleDocumentation(
    what: "the values of variables make the patterns so large that URLs cannot be matched here",
    consequence: "the commands match and test, and expectations, cannot say what the file does; "
      + "Apple names no limit but the file's size",
    grade: .undocumented,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    // Without variables the patterns are as large as the file.
    guard let applinks = file.association.applinks,
      file.patterns.contains(where: { $0.bytes.contains(UInt8(ascii: "$")) })
    else { return }
    do throws(PatternsTooLarge) {
      try applinks.checkSize(states: MatchingLimits.states, words: MatchingLimits.tableWords)
    } catch {
      findings.report(
        nil,
        "the patterns, with the values of their variables put in, are too large to be matched here",
        help: "give variables fewer values, or use them in fewer rules")
    }
  }
}
