internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let variableNameRules: [AssociationRule] = [
  AssociationRule(
    "A120", .warning, "undefined-variable", .verified, in: .components, each: \.patterns,
    "a pattern uses a variable that is not defined",
    "a pattern with an undefined variable never matches",
    wrong: #"{ "/": "/$(Lang)/*" }"#, right: #"{ "/": "/$(lang)/*" }"#
  ) { use, file, findings in
    guard let variables = file.association.applinks?.variables else { return }
    for part in use.syntax.variables {
      guard case .variable(let name) = part.token, PredefinedVariable(rawValue: name) == nil,
        variables[name] == nil
      else { continue }
      findings.report(
        use.range(of: part), "the variable `\(name)` is not defined",
        help: similar(name, variables).map { "did you mean `$(\($0))`?" }
          ?? "define it: `\"substitutionVariables\": {\"\(name)\": [\"sushi\", \"pizza\"]}`")
    }
  },
  AssociationRule(
    "A121", .warning, "unclosed-variable", .undocumented, in: .components, each: \.patterns,
    "a variable in a pattern is not closed with `)`",
    "aasa reads the unclosed variable as text, which matches only URLs that contain `$(`",
    wrong: #"{ "/": "/$(lang/*" }"#, right: #"{ "/": "/$(lang)/*" }"#
  ) { use, _, findings in
    for start in use.syntax.unclosedVariables {
      findings.report(
        use.range(scalars: start..<(start + 2)),
        "the variable that begins here is not closed", help: "write `$(name)`")
    }
  },
  AssociationRule(
    "A124", .warning, "shadowing-variable", .undocumented, in: .applinks, each: \.variables,
    "a variable has the name of a predefined variable",
    "it is unknown whether the file's variable hides the predefined variable",
    wrong: exampleVariables(
      #""lang": ["en", "de"], "food": ["sushi"]"#, pattern: "/buy/$(lang)/$(food)/*"),
    right: exampleVariables(
      #""language": ["en", "de"], "food": ["sushi"]"#, pattern: "/buy/$(language)/$(food)/*")
  ) { variable, _, findings in
    let name = variable.name.value
    guard PredefinedVariable(rawValue: name) != nil else { return }
    findings.report(
      variable.name.range, "`\(name)` is the name of a predefined variable",
      help:
        "give the variable another name, for example "
        + "`my\(name.prefix(1).uppercased())\(name.dropFirst())`"
    )
  },
  AssociationRule(
    "A125", .warning, "variable-name", .documented, in: .applinks, each: \.variables,
    "the name of a variable is empty or contains `$`, `(` or `)`",
    "a pattern cannot use a variable with such a name",
    wrong: exampleVariables(#""$(food)": ["sushi", "pizza"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    let name = variable.name.value
    guard name.isEmpty || name.contains(where: { "$()".contains($0) }) else { return }
    let plain = name.filter { !"$()".contains($0) }
    findings.report(
      variable.name.range, "no pattern can use a variable with this name",
      help: "write only the name: `\"\(plain.isEmpty ? "food" : plain)\"`")
  },
  AssociationRule(
    "A135", .warning, "variable-syntax", .undocumented, in: .components, each: \.patterns,
    "a pattern uses a variable in the syntax of another language",
    "Apple documents only `$(name)`; aasa reads other syntax as text, and URLs contain braces only "
      + "percent-encoded",
    wrong: #"{ "/": "/${lang}/*" }"#, right: #"{ "/": "/$(lang)/*" }"#
  ) { use, _, findings in
    guard let start = use.bytes.firstRange(of: "${"),
      let end = use.bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "}"))
    else { return }
    let name = String(decoding: use.bytes[start.upperBound..<end], as: UTF8.self)
    findings.report(
      use.range(start.lowerBound..<(end + 1)), "braces do not enclose variables",
      help: "write `$(\(name))`")
  },
  AssociationRule(
    "A123", .note, "unused-variable", .reasoned, in: .applinks,
    "a variable is defined but not used",
    "the variable has no effect",
    wrong: exampleVariables(#""food": ["sushi", "pizza"], "drink": ["tea"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { file, findings in
    if file.variables.isEmpty { return }
    var used: Set<String> = []
    for use in file.patterns {
      for part in use.syntax.variables {
        if case .variable(let name) = part.token { used.insert(name) }
      }
    }
    for variable in file.variables where !used.contains(variable.name.value) {
      if variable.name.value.contains(where: { "$()".contains($0) }) { continue }
      findings.report(
        variable.name.range, "no pattern uses the variable `\(variable.name.value)`",
        help: "remove the variable, or write `$(\(variable.name.value))` where you need it")
    }
  },
]

/// Returns the name of a variable that is similar to `name`; nil if no variable has a similar name.
/// To stay fast, skips long names and compares at most a hundred variables of the file.
private func similar(_ name: String, _ variables: SubstitutionVariables) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let names = variables.all.prefix(100).map(\.name.value).filter { $0.utf8.count <= 64 }
  return nearest(to: name, among: names + PredefinedVariable.allCases.map(\.rawValue))
}

let variableValueRules: [AssociationRule] = [
  AssociationRule(
    "A122", .warning, "variable-in-variable", .documented, in: .applinks, each: \.variables,
    "a value of a variable refers to a variable",
    "values can contain `*` and `?`, but a variable in a value is read as text",
    wrong: exampleVariables(#""food": ["sushi", "$(lang)"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    for value in variable.values where value.value.contains("$(") {
      findings.report(
        value.range, "a variable's value cannot refer to another variable",
        help: "write the other variable's values here instead of its name")
    }
  },
  AssociationRule(
    "A127", .warning, "variable-without-values", .reasoned, in: .applinks, each: \.variables,
    "a variable has no values",
    "patterns with this variable never match",
    wrong: exampleVariables(#""food": []"#), right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    guard variable.source.kind == .array, variable.source.elements.isEmpty else { return }
    findings.report(
      variable.source.range, "the variable `\(variable.name.value)` has no values",
      help: "write the variable's values, or remove the variable")
  },
  AssociationRule(
    "A129", .note, "repeated-value", .reasoned, in: .applinks, each: \.variables,
    "a variable has the same value twice",
    "the second occurrence has no effect",
    wrong: exampleVariables(#""food": ["sushi", "sushi"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#)
  ) { variable, _, findings in
    var seen: Set<ExactText> = []
    for value in variable.values where !seen.insert(ExactText(value.value)).inserted {
      findings.report(
        value.range, "`\(value.value)` is a value of this variable already", help: "remove it")
    }
  },
  AssociationRule(
    "A136", .warning, "patterns-too-large", .undocumented, in: .file,
    "the values of variables make the patterns so large that aasa cannot match URLs",
    "aasa cannot decide links or check expectations with the file; Apple's only limit is the "
      + "file's size"
  ) { file, findings in
    // If no pattern uses a variable, the patterns together cannot be larger than the file.
    guard let applinks = file.association.applinks,
      file.patterns.contains(where: { $0.bytes.contains(UInt8(ascii: "$")) })
    else { return }
    do throws(PatternsTooLarge) {
      try applinks.checkSize(MatchingLimits.compiling)
    } catch {
      findings.report(
        nil,
        "with the values of their variables, the patterns are too large for aasa to match",
        help: "give variables fewer values, or use them in fewer rules")
    }
  },
]

let predefinedVariableRules: [AssociationRule] = [
  AssociationRule(
    "A130", .note, "one-digit", .verified, in: .components, each: \.patterns,
    "`$(digit)` is a whole segment of a path",
    "the predefined classes stand for exactly one character",
    wrong: #"{ "/": "/buy/$(digit)" }"#, right: #"{ "/": "/buy/$(digit)*" }"#
  ) { use, _, findings in
    guard use.part == .path && use.syntax.variable("digit") != nil else { return }
    let parts = use.syntax.parts
    for (index, part) in parts.enumerated() where part.token == .variable("digit") {
      let before = index > 0 ? parts[index - 1].token : .literal("/")
      let after = index + 1 < parts.count ? parts[index + 1].token : .literal("/")
      guard before == .literal("/"), after == .literal("/") else { continue }
      findings.report(
        use.range(of: part), "`$(digit)` stands for exactly one digit",
        help: "write `$(digit)$(digit)` for two digits, `$(digit)*` for one digit and more text"
      )
    }
  },
  AssociationRule(
    "A131", .note, "region-code", .undocumented, in: .components, each: \.patterns,
    "`$(region)` is in a case-sensitive pattern whose other letters are in lower case",
    "Apple lists region codes in upper case, and recorded runs of swcutil have only such codes (grade "
      + "V): it is unknown whether `$(region)` matches `us` too",
    wrong: #"{ "/": "/$(region)/shop" }"#,
    right: #"{ "/": "/$(region)/shop", "caseSensitive": false }"#
  ) { use, _, findings in
    guard use.isCaseSensitive, let part = use.syntax.variable("region"),
      use.syntax.variable("lang") == nil, !use.syntax.parts.contains(where: isUpperCase)
    else { return }
    findings.report(
      use.range(of: part), "`$(region)` stands for codes in upper case",
      help: #"add `"caseSensitive": false` if URLs have codes in lower case"#)
  },
  AssociationRule(
    "A132", .note, "uk-region", .verified, in: .components,
    "a file with `$(region)` mentions UK in a remark or a variable",
    "`$(region)` stands for ISO codes: the United Kingdom's code is `GB`, so `UK` does not match",
    wrong: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, UK and CA" }"#,
    right: #"{ "/": "/$(region)_$(lang)/*", "comment": "US, GB and CA" }"#
  ) { file, findings in
    lazy var isUKNamed = namesUK(file)
    for use in file.patterns {
      guard let part = use.syntax.variable("region"), isUKNamed else { continue }
      findings.report(
        use.range(of: part), "`$(region)` does not match `UK`",
        help: "write `GB` in links, or add a rule that contains the text `UK`")
    }
  },
]

private func isUpperCase(_ part: PatternSyntax.Part) -> Bool {
  guard case .literal(let scalar) = part.token else { return false }
  return scalar.properties.isUppercase
}

private func namesUK(_ file: FileUnderCheck) -> Bool {
  file.remarks.contains { namesUK($0.value) }
    || file.variables.contains { $0.values.contains { namesUK($0.value) } }
}

private let signs = PhraseSearch(["UK"])

private func namesUK(_ text: String) -> Bool {
  guard signs.mayOccur(in: text) else { return false }
  return text.split(whereSeparator: { !$0.isLetter }).contains { $0 == "UK" || $0 == "uk" }
}
