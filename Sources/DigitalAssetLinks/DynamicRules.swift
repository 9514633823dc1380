internal import Diagnostics
internal import JSON
internal import Rules

/// Validation rules about Android's dynamic rules. The dynamic rules decide which URLs open an app
/// on Android 15 and later. Older versions of Android ignore dynamic rules.
///
/// Source: developer.android.com, "Configure website associations and dynamic rules".
let dynamicRules: [StatementRule] = [
  StatementRule(
    "D140", "extension-without-relation", .warning,
    "`relation_extensions` contains a relation that `relation` does not contain",
    "Android reads only extensions of the relations in `relation`", source: Evidence.unknown,
    each: \.statements,
    wrong: Example.dynamic(
      #""delegate_permission/common.get_login_creds": {"dynamic_app_link_components": [{"/": "/buy/*"}]}"#
    ),
    right: rightDynamic
  ) { statement, _, findings in
    let relations = statement.relations.map(\.value)
    for member in statement.extensions
    where member.key != handleAllURLs || !relations.contains(handleAllURLs) {
      findings.report(
        member.keyRange, "Android reads no dynamic rules from `\(member.key)` in this statement",
        help: "dynamic rules belong under `\(handleAllURLs)`, which `relation` must contain")
    }
  },
  StatementRule(
    "D141", "dynamic-rules-not-array", .warning, "the dynamic rules are not a list of objects",
    "Android cannot read the rules", source: Evidence.google,
    wrong: Example.dynamic(
      #""delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": {"/": "/buy/*"}}"#
    ),
    right: rightDynamic
  ) { list, findings in
    for value in list.statements.compactMap({ $0.source.member("relation_extensions") })
    where value.kind != .object {
      findings.report(
        value.head, "`relation_extensions` must be an object",
        help: #"write "relation_extensions": {"\#(handleAllURLs)": {"\#(components)": […]}}"#)
    }
    for value in list.statements.flatMap(\.extensions).map(\.value) {
      if value.kind != .object {
        findings.report(
          value.head, "the dynamic rules are not under `\(components)`",
          help: #"write {"dynamic_app_link_components": [{"/": "/buy/*"}]}"#)
      }
      guard let rules = value.member(components) else { continue }
      let strangers = rules.elements.filter { $0.kind != .object }
      for wrong in rules.kind == .array ? strangers : [rules] {
        findings.report(
          wrong.head, "the dynamic rules must be a list of objects",
          help: #"write "dynamic_app_link_components": [{"/": "/buy/*"}]"#)
      }
    }
  },
  StatementRule(
    "D142", "misspelt-key-in-dynamic-rules", .warning,
    "Android does not read a key of the dynamic rules", "Android ignores the key",
    source: Evidence.google,
    wrong: Example.dynamicRules(#"{"path": "/buy/*"}"#), right: rightDynamic
  ) { list, findings in
    for statement in list.statements {
      let misplaced =
        statement.source.members.filter { $0.keyEquals(components) }
        + (statement.target?.source.members.filter {
          $0.keyEquals(components) || $0.keyEquals("relation_extensions")
        } ?? [])
      for member in misplaced {
        findings.report(
          member.keyRange, "Android does not read `\(member.key)` in this place",
          help: #"write the key next to `target`: "relation_extensions": {"\#(handleAllURLs)": "#
            + #"{"\#(components)": […]}}"#)
      }
    }
    let keys = dynamicKeys.map(\.key)
    for value in list.statements.flatMap(\.extensions).map(\.value) {
      for member in value.members where !member.keyEquals(components) {
        findings.report(
          member.keyRange, "the key `\(member.key)` has no meaning in `relation_extensions`",
          help: "did you mean `\(components)`?")
      }
      for rule in value.member(components).map({ Array($0.elements) }) ?? [] {
        for member in rule.members where !keys.contains(member.key) {
          findings.report(
            member.keyRange, "the key `\(member.key)` has no meaning in a dynamic rule",
            help: "a rule has the keys \(keys.map { "`\($0)`" }.joined(separator: ", "))")
        }
      }
    }
  },
  StatementRule(
    "D143", "dynamic-value", .warning, "a value of a dynamic rule has the wrong type",
    "Android cannot read the rule", source: Evidence.google,
    wrong: Example.dynamicRules(#"{"/": "/buy/*", "exclude": "true"}"#), right: rightDynamic
  ) { list, findings in
    let rules = list.statements.flatMap(\.extensions).map(\.value)
      .compactMap { $0.member(components) }.flatMap(\.elements)
    for member in rules.flatMap(\.members) {
      // Another rule reports numbers and nulls, because such values make Android ignore the whole
      // file.
      guard let row = dynamicKeys.first(where: { $0.key == member.key }),
        ![row.kind, .number, .null].contains(member.value.kind)
      else { continue }
      findings.report(
        member.value.head, "`\(member.key)` has a value of the wrong type",
        help: "write \(row.words)")
    }
  },
]

private let handleAllURLs = AppRelation.openLinks.rawValue
private let components = "dynamic_app_link_components"
let rightDynamic = Example.dynamicRules(#"{"/": "/buy/*"}"#)
