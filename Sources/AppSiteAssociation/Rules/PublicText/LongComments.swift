internal import Diagnostics

struct LongComments: ValidationRule {
  static let code = "A154"
  static let severity = Diagnostic.Severity.note
  static let name = "long-comments"
  static let documentation = RuleDocumentation(
    what: "remarks are more than a quarter of a file of 16 KiB or more",
    consequence: "they count towards the limit of 131,072 bytes and are sent to every device",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let count = file.remarks.reduce(0) { $0 + $1.range.count }
    guard file.source.bytes.count >= 16_384, count * 4 > file.source.bytes.count else { return }
    findings.report(
      nil, "\(count) of the file's \(file.source.bytes.count) bytes are remarks",
      help: "shorten them, or remove them with aasa convert --strip-comments")
  }
}
