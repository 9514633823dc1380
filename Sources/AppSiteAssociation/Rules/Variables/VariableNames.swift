internal import Diagnostics
internal import Rules

let variableNameRules: [AssociationRule] = [
  AssociationRule(
    "A120", .warning, "undefined-variable",
    what: "a pattern uses a variable that is not defined",
    consequence: "a pattern with an undefined variable never matches",
    grade: .verified,
    wrong: #"{ "/": "/$(Lang)/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components
  ) { file, findings in
    guard let applinks = file.association.applinks else { return }
    let predefined = PredefinedVariable.allCases.map(\.rawValue)
    for use in file.patterns {
      for part in use.syntax.variables {
        guard case .variable(let name) = part.token, !predefined.contains(name),
          applinks.variables[name] == nil
        else { continue }
        findings.report(
          use.range(of: part, in: file.source), "the variable `\(name)` is not defined",
          help: similar(name, applinks.variables, predefined).map { "did you mean `$(\($0))`?" }
            ?? "define it: `\"substitutionVariables\": {\"\(name)\": [\"sushi\", \"pizza\"]}`")
      }
    }
  },
  AssociationRule(
    "A121", .warning, "unclosed-variable",
    what: "a variable in a pattern is not closed with `)`",
    consequence: "what is meant as a variable is then text that no URL has",
    grade: .undocumented,
    wrong: #"{ "/": "/$(lang/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      for start in use.syntax.unclosedVariables {
        findings.report(
          use.range(scalars: start..<(start + 2), in: file.source),
          "the variable that begins here is not closed", help: "write `$(name)`")
      }
    }
  },
  AssociationRule(
    "A124", .warning, "shadowing-variable",
    what: "a variable has the name of a predefined one",
    consequence: "it may or may not hide the predefined one",
    grade: .undocumented,
    wrong: exampleVariables(
      #""lang": ["en", "de"], "food": ["sushi"]"#, pattern: "/buy/$(lang)/$(food)/*"),
    right: exampleVariables(
      #""language": ["en", "de"], "food": ["sushi"]"#, pattern: "/buy/$(language)/$(food)/*"),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      let name = variable.name.value
      guard PredefinedVariable(rawValue: name) != nil else { continue }
      findings.report(
        variable.name.range, "`\(name)` is the name of a predefined variable",
        help:
          "give it a name of its own, for example `my\(name.prefix(1).uppercased())\(name.dropFirst())`"
      )
    }
  },
  AssociationRule(
    "A125", .warning, "variable-name",
    what: "the name of a variable is empty or contains `$`, `(` or `)`",
    consequence: "such a name cannot be used in a pattern",
    grade: .documented,
    wrong: exampleVariables(#""$(food)": ["sushi", "pizza"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      let name = variable.name.value
      guard name.isEmpty || name.contains(where: { "$()".contains($0) }) else { continue }
      let plain = name.filter { !"$()".contains($0) }
      findings.report(
        variable.name.range, "no pattern can use a variable of this name",
        help: "write the name alone: `\"\(plain.isEmpty ? "food" : plain)\"`")
    }
  },
  AssociationRule(
    "A135", .warning, "variable-syntax",
    what: "a pattern uses a variable in the syntax of another language",
    consequence: "only `$(name)` is a variable; this is text that no URL has",
    grade: .undocumented,
    wrong: #"{ "/": "/${lang}/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      guard let start = find("${", in: use.bytes),
        let end = use.bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      let name = String(decoding: use.bytes[start.upperBound..<end], as: UTF8.self)
      findings.report(
        use.range(start.lowerBound..<(end + 1), in: file.source), "braces enclose no variable",
        help: "write `$(\(name))`")
    }
  },
  AssociationRule(
    "A123", .note, "unused-variable",
    what: "a variable is defined but not used",
    consequence: "it has no effect",
    grade: .reasoned,
    wrong: exampleVariables(#""food": ["sushi", "pizza"], "drink": ["tea"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    guard let variables = file.association.applinks?.variables.all, !variables.isEmpty else {
      return
    }
    var used: Set<String> = []
    for use in file.patterns {
      for part in use.syntax.variables {
        if case .variable(let name) = part.token { used.insert(name) }
      }
    }
    for variable in variables where !used.contains(variable.name.value) {
      if variable.name.value.contains(where: { "$()".contains($0) }) { continue }
      findings.report(
        variable.name.range, "no pattern uses the variable `\(variable.name.value)`",
        help: "remove it, or write `$(\(variable.name.value))` where it is meant")
    }
  },
]

/// Returns a similar name. Skips long names and looks at only a hundred, to stay fast.
private func similar(
  _ name: String, _ variables: SubstitutionVariables, _ predefined: [String]
) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let names = variables.all.prefix(100).map(\.name.value).filter { $0.utf8.count <= 64 }
  return nearest(to: name, among: names + predefined)
}
