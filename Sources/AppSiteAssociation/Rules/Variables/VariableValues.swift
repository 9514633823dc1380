internal import Diagnostics
internal import JSON
internal import Rules

let variableValueRules: [AssociationRule] = [
  AssociationRule(
    "A122", .warning, "variable-in-variable",
    what: "a value of a variable refers to a variable",
    consequence: "values may hold `*` and `?` but no variable: it is taken as text",
    grade: .documented,
    wrong: exampleVariables(#""food": ["sushi", "$(lang)"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      for value in variable.values where holds("$(", value.value) {
        findings.report(
          value.range, "a variable's value cannot refer to another variable",
          help: "write out the values")
      }
    }
  },
  AssociationRule(
    "A127", .warning, "variable-without-values",
    what: "a variable has no values",
    consequence: "patterns with it never match",
    grade: .reasoned,
    wrong: exampleVariables(#""food": []"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      guard variable.source.kind == .array, variable.source.elements.isEmpty else { continue }
      findings.report(
        variable.source.range, "the variable `\(variable.name.value)` has no values",
        help: "write what it stands for, or remove it")
    }
  },
  AssociationRule(
    "A129", .note, "repeated-value",
    what: "a variable has the same value twice",
    consequence: "the second has no effect",
    grade: .reasoned,
    wrong: exampleVariables(#""food": ["sushi", "sushi"]"#),
    right: exampleVariables(#""food": ["sushi", "pizza"]"#),
    in: .applinks
  ) { file, findings in
    for variable in file.association.applinks?.variables.all ?? [] {
      var seen: Set<ExactText> = []
      for value in variable.values where !seen.insert(ExactText(value.value)).inserted {
        findings.report(
          value.range, "`\(value.value)` is a value of this variable already", help: "remove it")
      }
    }
  },
  AssociationRule(
    "A136", .warning, "patterns-too-large",
    what: "the values of variables make the patterns so large that URLs cannot be matched here",
    consequence: "the commands match and test, and expectations, cannot say what the file does; "
      + "Apple names no limit but the file's size",
    grade: .undocumented,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    // Without variables, the patterns cannot be larger than the file.
    guard let applinks = file.association.applinks,
      file.patterns.contains(where: { $0.bytes.contains(UInt8(ascii: "$")) })
    else { return }
    do throws(PatternsTooLarge) {
      try applinks.checkSize(states: MatchingLimits.states, words: MatchingLimits.tableWords)
    } catch {
      findings.report(
        nil,
        "the patterns, with the values of their variables put in, are too large to be matched here",
        help: "give variables fewer values, or use them in fewer rules")
    }
  },
]
