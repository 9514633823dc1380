internal import Diagnostics

struct GeneratedEmptyFile: ValidationRule {
  static let code = "A007"
  static let severity = Diagnostic.Severity.error
  static let name = "generated-empty-file"
  static let documentation = RuleDocumentation(
    what: "the file is the empty one that Firebase Hosting generates",
    consequence:
      "no app is permitted to open anything; Firebase serves it until a file of your own is "
      + "deployed",
    grade: .observed,
    wrong: #"{"applinks":{"apps":[],"details":[]}}"#,
    right: #"""
      {
        "applinks": {
          "details": [
            { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
          ]
        }
      }
      """#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard isGeneratedEmptyFile(file.association) else { return }
    findings.report(
      file.association.source.head, "this is the empty file that Firebase Hosting generates",
      help: "deploy an own file with the apps, and set `\"appAssociation\": \"NONE\"` under "
        + "`hosting` in firebase.json")
  }
}
