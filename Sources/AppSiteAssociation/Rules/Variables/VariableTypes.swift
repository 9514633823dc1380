internal import Diagnostics
internal import JSON

/// The types of variables and their values.
extension ValueTypeRule {
  static let variable = ValueTypeRule(
    code: "A126", severity: .warning, name: "variable-not-array",
    documentation: RuleDocumentation(
      what: "the value of a variable is not an array",
      consequence: "the variable has no values, and patterns with it never match",
      grade: .documented,
      wrong: #"""
        "substitutionVariables": { "food": "sushi" },
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
        ]
        """#,
      right: #"""
        "substitutionVariables": { "food": ["sushi", "pizza"] },
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
        ]
        """#,
      in: .applinks)
  ) { file, values in
    for variable in file.association.applinks?.variables.all ?? [] {
      values.add(
        variable.source, .array, "the variable `\(variable.name.value)`",
        help: "write `\"\(variable.name.value)\": [\"sushi\", \"pizza\"]`")
    }
  }

  static let variableValue = ValueTypeRule(
    code: "A128", severity: .warning, name: "variable-value-not-string",
    documentation: RuleDocumentation(
      what: "a value of a variable is not a string",
      consequence: "devices expect strings",
      grade: .documented,
      wrong: #"""
        "substitutionVariables": { "food": ["sushi", 7] },
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
        ]
        """#,
      right: #"""
        "substitutionVariables": { "food": ["sushi", "pizza"] },
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
        ]
        """#,
      in: .applinks)
  ) { file, values in
    for variable in file.association.applinks?.variables.all ?? [] {
      for element in variable.source.elements {
        values.add(element, .string, "this value", help: "write it in quotes")
      }
    }
  }

  static let variables = ValueTypeRule(
    code: "A133", severity: .warning, name: "variables-wrong-type",
    documentation: RuleDocumentation(
      what: "`substitutionVariables` is not an object",
      consequence: "no variable is defined then",
      grade: .documented,
      wrong: #"""
        "substitutionVariables": ["food"],
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
        ]
        """#,
      right: #"""
        "substitutionVariables": { "food": ["sushi", "pizza"] },
        "details": [
          { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
        ]
        """#,
      in: .applinks)
  ) { file, values in
    values.add(
      file.association.applinks?.source.lastMember("substitutionVariables")?.value, .object,
      "`substitutionVariables`",
      help: #"write `"substitutionVariables": {"food": ["sushi", "pizza"]}`"#)
  }
}
