internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let queryRules: [AssociationRule] = [
  AssociationRule(
    "A107", .warning, "hash-in-fragment", .documented, in: .components, each: \.patterns,
    "a fragment pattern begins with `#`",
    "the `#` is not part of the fragment, so the pattern never matches",
    wrong: ##"{ "#": "#offers" }"##, right: ##"{ "#": "offers" }"##
  ) { use, _, findings in
    guard use.part == .fragment && use.text.hasPrefix("#") else { return }
    findings.report(
      use.range(0..<1), "the fragment begins after the `#`",
      help: "write `\"#\": \"\(use.text.dropFirst())\"`")
  },
  AssociationRule(
    "A108", .warning, "question-mark-in-query", .documented, in: .components, each: \.patterns,
    "a query pattern begins with `?` and a name",
    "the question mark is not part of the query, and in a pattern `?` stands for any one character",
    wrong: #"{ "?": "?id=*" }"#, right: #"{ "?": { "id": "?*" } }"#
  ) { use, _, findings in
    guard use.part == .query && !use.isForItem, use.bytes.count > 1,
      use.bytes[0] == UInt8(ascii: "?"), use.bytes[1].isLetter
    else { return }
    findings.report(
      use.range(0..<1), "the query begins after the `?`",
      help: #"write `"?": {"id": "?*"}`"#)
  },
  AssociationRule(
    "A109", .warning, "query-item-name", .undocumented, in: .components, each: \.ruleObjects,
    "the name of a query item contains a wildcard or a separator",
    "devices compare names exactly: a wildcard in a name is literal, and a separator ends the name",
    wrong: #"{ "?": { "id=": "*" } }"#, right: #"{ "?": { "id": "?*" } }"#
  ) { object, _, findings in
    guard let query = object.lastMember("?"), query.value.kind == .object else { return }
    for member in query.value.members {
      let name = member.key
      guard name.contains(where: { "*?=&#".contains($0) }) else { continue }
      findings.report(
        member.keyRange, "no query item has the name `\(name)`",
        help: #"write only the name as the key: `"?": {"id": "*"}`"#)
    }
  },
  AssociationRule(
    "A110", .note, "query-order", .verified, in: .components, each: \.patterns,
    "a pattern for the whole query contains several items",
    "the pattern matches only if the items are in this order, with nothing between the items",
    wrong: #"{ "?": "id=*&color=*" }"#, right: #"{ "?": { "id": "?*", "color": "?*" } }"#
  ) { use, _, findings in
    guard use.part == .query && !use.isForItem else { return }
    let items = use.bytes.split(separator: UInt8(ascii: "&"))
    guard items.count(where: { $0.contains(UInt8(ascii: "=")) }) > 1 else { return }
    findings.report(
      use.located.range, "this pattern matches the query items only in this order",
      help: #"write an object if the order does not matter: `"?": {"id": "*", "color": "*"}`"#)
  },
  AssociationRule(
    "A112", .warning, "absent-item-blocks", .verified, in: .components, each: \.patterns,
    "an exclusion has the pattern `*` for a query item, a query or a fragment",
    "`*` also accepts empty text, and an absent part is empty, so the rule also blocks URLs "
      + "without the part",
    wrong: #"""
      { "/": "/buy/*", "?": { "web": "*" }, "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/*", "?": { "web": "?*" }, "exclude": true },
      { "/": "/buy/*" }
      """#
  ) { use, _, findings in
    guard use.acceptsAbsence && use.isExclusion else { return }
    findings.report(
      use.located.range,
      "this rule also blocks URLs without \(use.absentThing): `*` accepts empty text",
      help: "write `?*` to block only URLs with this part")
  },
  AssociationRule(
    "A113", .note, "absent-item-opens", .verified, in: .components, each: \.patterns,
    "a rule has the pattern `*` for a query item, a query or a fragment",
    "`*` also accepts empty text, and an absent part is empty, so URLs without the part open the "
      + "app too",
    wrong: #"{ "/": "/search", "?": { "q": "*" } }"#,
    right: #"{ "/": "/search", "?": { "q": "?*" } }"#
  ) { use, _, findings in
    guard use.acceptsAbsence && !use.isExclusion else { return }
    findings.report(
      use.located.range, "this rule also accepts URLs without \(use.absentThing)",
      help: "write `?*` to require this part, or remove the part from the rule")
  },
]
