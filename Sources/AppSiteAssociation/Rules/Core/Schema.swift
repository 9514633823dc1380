package import JSON

/// The JSON Schema of association files, for editors, generated from the keys that the rules know.
///
/// With it, editors complete and explain keys, and mark wrong types, misspelt keys, identifiers
/// that no app can have, and files without a service. Other unknown keys are allowed, as on
/// devices; `aasa validate` finds more.
package enum Schema {
  package static var tree: Tree {
    .object([
      TreeMember("$schema", .text("http://json-schema.org/draft-07/schema#")),
      TreeMember("title", .text("apple-app-site-association")),
      TreeMember("description", .text("Which apps may open links of a domain, and more.")),
      TreeMember("type", .text("object")), TreeMember("properties", properties(of: .top)),
      wellSpelt(.top),
      // A file without a service permits nothing.
      one(
        of: KeyLevel.top.known.map { key in
          .object([TreeMember("required", .array([.text(key)]))])
        }),
      TreeMember(
        "definitions",
        .object(
          KeyLevel.allCases.filter { $0 != .top }.map { level in
            TreeMember(
              name(of: level),
              .object([
                TreeMember("type", .text("object")),
                TreeMember("properties", properties(of: level)), wellSpelt(level),
              ]))
          })),
    ])
  }

  private static func properties(of level: KeyLevel) -> Tree {
    .object(
      level.known.map { key in
        var members = form(of: key, level)
        if let words = words[key] { members.append(TreeMember("description", .text(words))) }
        return TreeMember(key, .object(members))
      })
  }

  /// Refuses keys that differ from a known key only in case.
  private static func wellSpelt(_ level: KeyLevel) -> TreeMember {
    let keys = level.known.filter { $0.utf8.count > 1 && !KeyedObject.isRemark($0) }
    let anyCase = keys.map { key in
      key.map { "[\($0.lowercased())\($0.uppercased())]" }.joined()
    }
    let pattern = "^(?!(\(keys.joined(separator: "|")))$)(\(anyCase.joined(separator: "|")))$"
    return TreeMember(
      "propertyNames",
      .object([TreeMember("not", .object([TreeMember("pattern", .text(pattern))]))]))
  }

  private static func name(of level: KeyLevel) -> String { "\(level)" }

  private static func reference(_ level: KeyLevel) -> Tree {
    .object([TreeMember("$ref", .text("#/definitions/\(name(of: level))"))])
  }

  private static func form(of key: String, _ level: KeyLevel) -> [TreeMember] {
    switch key {
    case "applinks": [one(of: [reference(.applinks)])]
    case "webcredentials", "appclips", "activitycontinuation": [one(of: [reference(.service)])]
    case "details":
      [
        one(of: [
          array(of: reference(.entry)),
          .object([
            TreeMember("type", .text("object")),
            TreeMember("additionalProperties", reference(.entry)),
          ]),
        ])
      ]
    case "defaults": [one(of: [reference(.defaults)])]
    case "components": [one(of: [array(of: reference(.component))])]
    case "apps", "appIDs": [one(of: [array(of: identifier)])]
    case "appID": [one(of: [identifier])]
    case "paths": [one(of: [array(of: simple("string"))])]
    case "substitutionVariables":
      [
        TreeMember("type", .text("object")),
        TreeMember("additionalProperties", array(of: simple("string"))),
      ]
    case "?":
      [
        one(of: [
          simple("string"),
          .object([
            TreeMember("type", .text("object")),
            TreeMember("additionalProperties", simple("string")),
          ]),
        ])
      ]
    // Devices also accept numbers as flags.
    case "exclude", "caseSensitive", "percentEncoded":
      [one(of: [simple("boolean"), simple("number")])]
    case "comment": []
    default: [TreeMember("type", .text("string"))]
    }
  }

  /// An app identifier: a prefix, a dot and a bundle identifier.
  private static var identifier: Tree {
    .object([
      TreeMember("type", .text("string")),
      TreeMember("pattern", .text("^[A-Z0-9]{10}\\.[A-Za-z0-9.-]+$")),
    ])
  }

  private static func simple(_ type: String) -> Tree {
    .object([TreeMember("type", .text(type))])
  }

  private static func array(of items: Tree) -> Tree {
    .object([TreeMember("type", .text("array")), TreeMember("items", items)])
  }

  private static func one(of trees: [Tree]) -> TreeMember { TreeMember("anyOf", .array(trees)) }

  private static let words = [
    "applinks": "Which links open which apps.",
    "webcredentials": "Apps that share passwords and passkeys of the domain.",
    "appclips": "App Clips that links of the domain start.",
    "activitycontinuation": "Apps that continue activities of the domain (Handoff).",
    "apps":
      "App identifiers: prefix, dot, bundle identifier. In applinks an empty array, or nothing.",
    "details": "Apps and their rules. Of an app the first entry counts.",
    "defaults": "What holds for rules that do not say it themselves.",
    "substitutionVariables": "Values that $(name) stands for in patterns.",
    "appIDs": "App identifiers: prefix, dot, bundle identifier.",
    "appID": "One app identifier, for systems before iOS 13.",
    "components": "Rules of iOS 13 and later. The first one that matches decides.",
    "paths": "Path patterns for systems before iOS 13; \"NOT /x\" excludes.",
    "/": "The path. * is any text, slashes included; ? is one character.",
    "?": "The query: a pattern, or patterns for single items. An absent item counts as empty: "
      + "write ?* to require it.",
    "#": "The fragment. An absent one counts as empty.",
    "exclude": "true: what matches stays in the browser.",
    "comment": "For people.",
    "caseSensitive": "Whether the case of letters counts; true if not said.",
    "percentEncoded":
      "Whether patterns are compared with the URL as it is written; true if not said.",
  ]
}
