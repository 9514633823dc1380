internal import Diagnostics
internal import JSON
internal import Rules

let variableTypeRules: [AssociationRule] = [
  AssociationRule(
    "A126", .warning, "variable-not-array",
    what: "the value of a variable is not an array",
    consequence: "the variable has no values, and patterns with it never match",
    grade: .documented,
    wrong: exampleVariables(#""food": "sushi""#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      findings.expect(
        variable.source, .array, "the variable `\(variable.name.value)`",
        help: "write `\"\(variable.name.value)\": [\"sushi\", \"pizza\"]`")
    }
  },
  AssociationRule(
    "A128", .warning, "variable-value-not-string",
    what: "a value of a variable is not a string",
    consequence: "devices expect strings",
    grade: .documented,
    wrong: exampleVariables(#""food": ["sushi", 7]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      for element in variable.source.elements {
        findings.expect(element, .string, "this value", help: "write it in quotes")
      }
    }
  },
  AssociationRule(
    "A133", .warning, "variables-wrong-type",
    what: "`substitutionVariables` is not an object",
    consequence: "no variable is defined then",
    grade: .documented,
    wrong: exampleAppLinks(#""substitutionVariables": ["food"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    findings.expect(
      file.association.applinks?.source.lastMember("substitutionVariables")?.value, .object,
      "`substitutionVariables`",
      help: #"write `"substitutionVariables": {"food": ["sushi", "pizza"]}`"#)
  },
]
