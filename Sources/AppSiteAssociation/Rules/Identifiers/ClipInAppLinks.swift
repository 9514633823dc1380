internal import Diagnostics

struct ClipInAppLinks: ValidationRule {
  let documentation = RuleDocumentation(
    "A048", .note, "clip-in-app-links",
    what: "`applinks` names an App Clip",
    consequence: "links open an App Clip through `appclips`; `applinks` is for apps",
    grade: .documented,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop.Clip""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.service == "applinks" {
      guard use.text.lowercased().hasSuffix(".clip") else { continue }
      findings.report(
        use.located.range, "`\(use.text)` is the identifier of an App Clip",
        help: #"write `"appclips": {"apps": ["\#(use.text)"]}` at the top of the file"#)
    }
  }
}
