internal import Diagnostics
internal import JSON
internal import Rules

let formRules: [AssociationRule] = [
  AssociationRule(
    "A005", .note, "near-size-limit",
    what: "the file is larger than four fifths of what devices take",
    consequence: "past 131,072 bytes, counted uncompressed, the whole file is ignored",
    grade: .observed,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    let count = file.source.bytes.count
    guard count > AppleLimits.fileBytes * 4 / 5 else { return }
    let compressed = file.options.gzipSize?(file.source.bytes)
    findings.report(
      nil, "the file has \(count) of at most \(AppleLimits.fileBytes) bytes",
      help: "remove comments and white space, or join rules with wildcards",
      note: compressed.map {
        "past the limit the whole file is ignored; that gzip makes \($0) bytes of it does not help"
      })
  },
  AssociationRule(
    "A006", .warning, "duplicate-key",
    what: "an object has the same key twice",
    consequence: "which of the two a device takes is not defined; most readers take the last one",
    grade: .undocumented,
    wrong: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.pay"] }
      }
      """#,
    right: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay"] }
      }
      """#,
    in: .file
  ) { file, findings in
    check(file.association.source, file, &findings)
  },
  AssociationRule(
    "A007", .error, "generated-empty-file",
    what: "the file is the empty one that Firebase Hosting generates",
    consequence:
      "no app is permitted to open anything; Firebase serves it until a file of your own is "
      + "deployed",
    grade: .observed,
    effect: .allDevices,
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
    in: .file
  ) { file, findings in
    guard isGeneratedEmptyFile(file.association) else { return }
    findings.report(
      file.association.source.head, "this is the empty file that Firebase Hosting generates",
      help: "deploy an own file with the apps, and set `\"appAssociation\": \"NONE\"` under "
        + "`hosting` in firebase.json")
  },
]

private func check(_ value: Value, _ file: FileUnderCheck, _ findings: inout Findings) {
  for element in value.elements where element.isContainer { check(element, file, &findings) }
  var first: [ExactText: Range<Int>] = [:]
  for member in value.members {
    if member.value.isContainer { check(member.value, file, &findings) }
    if let range = first.updateValue(member.keyRange, forKey: ExactText(member.key)) {
      findings.report(
        member.keyRange, "the key `\(member.key)` is in this object for the second time",
        help: "keep one of the two; the first is on line \(file.line(of: range))")
    }
  }
}
