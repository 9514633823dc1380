internal import Diagnostics

struct NearSizeLimit: ValidationRule {
  static let code = "A005"
  static let severity = Diagnostic.Severity.note
  static let name = "near-size-limit"
  static let documentation = RuleDocumentation(
    what: "the file is larger than four fifths of what devices take",
    consequence: "past 131,072 bytes, counted uncompressed, the whole file is ignored",
    grade: .observed,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let count = file.source.bytes.count
    guard count > AppleLimits.fileBytes * 4 / 5 else { return }
    let compressed = file.options.gzipSize?(file.source.bytes)
    findings.report(
      nil, "the file has \(count) of at most \(AppleLimits.fileBytes) bytes",
      help: "remove comments and white space, or join rules with wildcards",
      note: compressed.map {
        "past the limit the whole file is ignored; that gzip makes \($0) bytes of it does not help"
      })
  }
}
