package import JSON
internal import Rules

/// The JSON Schema of association files, for editors, generated from the keys that the rules know.
///
/// With it, editors complete and explain keys, and mark wrong types, misspelt keys, identifiers
/// that no app can have, and files without a service. Other unknown keys are allowed, as on
/// devices; `aasa validate` finds more.
package enum Schema {
  package static var tree: Tree {
    let levels = KeyLevel.allCases.filter { $0 != .top }
    return [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": "apple-app-site-association",
      "description": "Which apps may open links of a domain, and more.", "type": "object",
      "properties": properties(of: .top), "propertyNames": wellSpelt(.top),
      // A file without a service permits nothing.
      "anyOf": .array(KeyLevel.top.known.map { ["required": [.text($0)]] }),
      "definitions": .object(levels.map { TreeMember("\($0)", definition(of: $0)) }),
    ]
  }

  private static func definition(of level: KeyLevel) -> Tree {
    ["type": "object", "properties": properties(of: level), "propertyNames": wellSpelt(level)]
  }

  private static func properties(of level: KeyLevel) -> Tree {
    .object(level.keys.map { TreeMember($0.name, tree(of: $0)) })
  }

  /// Refuses keys that differ from a known key only in case.
  private static func wellSpelt(_ level: KeyLevel) -> Tree {
    let keys = level.known.filter { $0.utf8.count > 1 && !isRemark($0) }
    let anyCase = keys.map { key in
      key.map { "[\($0.lowercased())\($0.uppercased())]" }.joined()
    }
    let pattern = "^(?!(\(keys.joined(separator: "|")))$)(\(anyCase.joined(separator: "|")))$"
    return ["not": ["pattern": .text(pattern)]]
  }

  /// What a key may hold, and the words that editors show.
  private static func tree(of key: AppleKey) -> Tree {
    let words = TreeMember("description", .text(key.words))
    let forms = forms(key.types)
    if key.types.first?.form.isBare == true, case .object(let members)? = forms.first {
      return .object(members + [words])
    }
    return .object([TreeMember("anyOf", .array(forms)), words])
  }

  /// The forms of a value, and of what it contains.
  private static func forms(_ types: ArraySlice<ValueType>) -> [Tree] {
    types.first?.form.schemas(forms(types.dropFirst()).first ?? [:]) ?? []
  }
}
