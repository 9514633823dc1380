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
    .object(level.known.map { TreeMember($0, keys[$0] ?? [:]) })
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

  /// What each key may hold, and the words that editors show.
  private static var keys: [String: Tree] {
    [
      "applinks": key("Which links open which apps.", object(.applinks)),
      "webcredentials": key(
        "Apps that share passwords and passkeys of the domain.", object(.service)),
      "appclips": key("App Clips that links of the domain start.", object(.service)),
      "activitycontinuation": key(
        "Apps that continue activities of the domain (Handoff).", object(.service)),
      "apps": key(
        "App identifiers: prefix, dot, bundle identifier. In applinks an empty array, or nothing.",
        array(of: identifier)),
      "details": key(
        "Apps and their rules. Of an app the first entry counts.", array(of: object(.entry)),
        map(to: object(.entry))),
      "defaults": key("What holds for rules that do not say it themselves.", object(.defaults)),
      "substitutionVariables": [
        "type": "object", "additionalProperties": array(of: text),
        "description": "Values that $(name) stands for in patterns.",
      ],
      "appIDs": key("App identifiers: prefix, dot, bundle identifier.", array(of: identifier)),
      "appID": key("One app identifier, for systems before iOS 13.", identifier),
      "components": key(
        "Rules of iOS 13 and later. The first one that matches decides.",
        array(of: object(.component))),
      "paths": key(
        "Path patterns for systems before iOS 13; \"NOT /x\" excludes.", array(of: text)),
      "/": [
        "type": "string",
        "description": "The path. * is any text, slashes included; ? is one character.",
      ],
      "?": key(
        "The query: a pattern, or patterns for single items. An absent item counts as empty: "
          + "write ?* to require it.", text, map(to: text)),
      "#": ["type": "string", "description": "The fragment. An absent one counts as empty."],
      "exclude": key("true: what matches stays in the browser.", flag, number),
      "comment": ["description": "For people."],
      "caseSensitive": key("Whether the case of letters counts; true if not said.", flag, number),
      "percentEncoded": key(
        "Whether patterns are compared with the URL as it is written; true if not said.", flag,
        number),
    ]
  }

  private static func key(_ words: String, _ forms: Tree...) -> Tree {
    ["anyOf": .array(forms), "description": .text(words)]
  }

  private static func object(_ level: KeyLevel) -> Tree {
    ["$ref": .text("#/definitions/\(level)")]
  }

  private static func array(of items: Tree) -> Tree { ["type": "array", "items": items] }

  private static func map(to value: Tree) -> Tree {
    ["type": "object", "additionalProperties": value]
  }

  private static var text: Tree { ["type": "string"] }
  private static var flag: Tree { ["type": "boolean"] }
  /// Devices also accept numbers as flags.
  private static var number: Tree { ["type": "number"] }

  /// An app identifier: a prefix, a dot and a bundle identifier.
  private static var identifier: Tree {
    [
      "type": "string", "pattern": "^[A-Z0-9]{10}\\.[A-Za-z0-9.-]+$",
    ]
  }
}
