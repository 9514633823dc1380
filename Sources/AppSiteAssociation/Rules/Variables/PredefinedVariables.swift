internal import Diagnostics
internal import Rules

let predefinedVariableRules: [AssociationRule] = [
  AssociationRule(
    "A130", .note, "one-digit",
    what: "`$(digit)` is a whole segment of a path",
    consequence: "the predefined classes stand for exactly one character",
    grade: .verified,
    wrong: #"{ "/": "/buy/$(digit)" }"#,
    right: #"{ "/": "/buy/$(digit)*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .path && use.syntax.variable("digit") != nil {
      let parts = use.syntax.parts
      for (index, part) in parts.enumerated() where part.token == .variable("digit") {
        let before = index > 0 ? parts[index - 1].token : .literal("/")
        let after = index + 1 < parts.count ? parts[index + 1].token : .literal("/")
        guard before == .literal("/"), after == .literal("/") else { continue }
        findings.report(
          use.range(of: part, in: file.source), "`$(digit)` stands for exactly one digit",
          help: "write `$(digit)$(digit)` for two digits, `$(digit)*` for one and anything after it"
        )
      }
    }
  },
  AssociationRule(
    "A131", .note, "region-code",
    what: "`$(region)` stands in a case-sensitive pattern whose other letters are in lower case",
    consequence:
      "region codes are in upper case and the United Kingdom is `GB`: `$(region)` matches neither "
      + "`us` nor `UK`",
    grade: .verified,
    wrong: #"{ "/": "/$(region)/shop" }"#,
    right: #"{ "/": "/$(region)/shop", "caseSensitive": false }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.isCaseSensitive {
      guard let part = use.syntax.variable("region"), use.syntax.variable("lang") == nil,
        !use.syntax.parts.contains(where: isUpperCase)
      else { continue }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` stands for codes in upper case",
        help: #"add `"caseSensitive": false` when URLs have them in lower case"#)
    }
  },
  AssociationRule(
    "A132", .note, "uk-region",
    what: "a file with `$(region)` mentions UK in a remark or a variable",
    consequence:
      "`$(region)` stands for ISO codes: that of the United Kingdom is `GB`, and `UK` does not "
      + "match",
    grade: .verified,
    wrong: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, UK and CA" }"#,
    right: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, GB and CA" }"#,
    in: .components
  ) { file, findings in
    var isUKNamed: Bool?
    for use in file.patterns {
      guard let part = use.syntax.variable("region") else { continue }
      let isNamed = isUKNamed ?? namesUK(file)
      isUKNamed = isNamed
      guard isNamed else { return }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` does not match `UK`",
        help: "link with `GB`, or add a rule in which `UK` stands for itself")
    }
  },
]

private func isUpperCase(_ part: PatternSyntax.Part) -> Bool {
  guard case .literal(let scalar) = part.token else { return false }
  return scalar.properties.isUppercase
}

private func namesUK(_ file: FileUnderCheck) -> Bool {
  let variables = file.association.applinks?.variables.all ?? []
  return file.remarks.contains { namesUK($0.value) }
    || variables.contains { $0.values.contains { namesUK($0.value) } }
}

private let signs = PhraseSearch(["UK"])

private func namesUK(_ text: String) -> Bool {
  guard signs.mayOccur(in: text) else { return false }
  return text.split(whereSeparator: { !$0.isLetter }).contains { $0 == "UK" || $0 == "uk" }
}
