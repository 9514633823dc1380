package import Diagnostics
internal import JSON
internal import Rules

let listRules: [StatementRule] = [
  StatementRule(
    "D101", "statement-not-object", .error, "an element of the statement list is not an object",
    "Android ignores the whole list", source: Evidence.android,
    each: \.strangers,
    wrong: #"["delegate_permission/common.handle_all_urls"]"#
  ) { stranger, _, findings in
    findings.report(
      stranger.head, "this statement is not an object",
      help: #"write {"relation": […], "target": {…}}"#)
  },
  StatementRule(
    "D102", "no-statement", .error, "the statement list is empty",
    "no app is associated with the domain",
    source: nil, wrong: "[]"
  ) { list, findings in
    if list.source.elements.isEmpty {
      findings.report(
        list.source.head, "the statement list is empty",
        help: "add a statement for each app, or remove the file")
    }
  },
  StatementRule(
    "D103", "statement-without-relation", .error, "a statement has no relation",
    "the statement has no effect", source: Evidence.specification, each: \.statements,
    wrong: Example.list(Example.app)
  ) { statement, _, findings in
    guard statement.include == nil else { return }
    let value = statement.source.member("relation")
    let isEmpty = value.map { $0.kind == .array && $0.elements.isEmpty }
    if isEmpty ?? !hasMisspelling(of: "relation", in: statement.source) {
      findings.report(
        (value ?? statement.source).head, "the statement has no relation",
        help: "add \(Example.relation)")
    }
  },
  StatementRule(
    "D104", "relation-not-array", .error, "`relation` is not a list of strings",
    "Android cannot read the statement", source: Evidence.android, each: \.statements,
    wrong: Example.list(
      #""relation": "delegate_permission/common.handle_all_urls""#, Example.app)
  ) { statement, list, findings in
    guard let value = statement.source.member("relation") else { return }
    let strangers = value.elements.filter { $0.kind != .string }
    for wrong in value.kind == .array ? strangers : [value] {
      findings.report(
        wrong.head, "`relation` must be a list of strings", help: "write \(Example.relation)")
    }
  },
  StatementRule(
    "D105", "misspelt-relation", .error, "a relation is misspelled",
    "Android compares the names of relations exactly", source: Evidence.google, each: \.relations,
    wrong: Example.list(
      #""relation": ["delegate_permission/common.handle_all_url"]"#, Example.app)
  ) { relation, _, findings in
    guard let right = intendedRelation(relation.value) else { return }
    findings.report(
      relation.range, "no relation is called `\(relation.value)`",
      help: "did you mean `\(right)`?")
  },
  StatementRule(
    "D106", "relation-form", .error, "a relation is not written as kind/detail",
    "Android cannot read the statement", source: Evidence.specification, each: \.relations,
    wrong: Example.list(#""relation": ["open links"]"#, Example.app)
  ) { relation, _, findings in
    guard !hasRelationForm(relation.value) && intendedRelation(relation.value) == nil else {
      return
    }
    findings.report(
      relation.range, "a relation has the form kind/detail, in lower case",
      help: "for links write `\(AppRelation.openLinks.rawValue)`")
  },
  StatementRule(
    "D107", "statement-without-target", .error, "a statement has no target",
    "the statement has no effect", source: Evidence.specification, each: \.statements,
    wrong: Example.list(Example.relation)
  ) { statement, _, findings in
    guard statement.include == nil && statement.target == nil else { return }
    let value = statement.source.member("target")
    if value == nil && hasMisspelling(of: "target", in: statement.source) { return }
    findings.report(
      (value ?? statement.source).head,
      value == nil ? "the statement has no target" : "the target is not an object",
      help: #"add "target": {"namespace": "android_app", …}"#)
  },
  StatementRule(
    "D108", "misspelt-key-in-statement", .error, "a key of a statement or target is misspelled",
    "keys are case-sensitive, and Android ignores unknown keys", source: Evidence.android,
    wrong: Example.list(
      #""relations": ["delegate_permission/common.handle_all_urls"]"#, Example.app)
  ) { list, findings in
    for object in list.statements.flatMap({ [$0.source] + ($0.target.map { [$0.source] } ?? []) }) {
      let keys =
        object.member("relation") != nil || object.member("target") != nil
        ? statementKeys : allKeys
      for member in object.members {
        guard let right = misspelling(member.key, of: keys) else { continue }
        findings.report(
          member.keyRange, "the key `\(member.key)` has no meaning",
          help: "did you mean `\(right)`?")
      }
    }
  },
  StatementRule(
    "D109", "include-address", .error, "the URL of an included list is not https",
    "Android does not fetch the list", source: Evidence.android, each: \.statements,
    wrong: Example.list(#""include": "http://example.com/links.json""#),
    right: Example.list(#""include": "https://example.com/links.json""#)
  ) { statement, _, findings in
    guard let value = statement.source.member("include") else { return }
    if WebAddress(site: value.string ?? "")?.scheme == "https" { return }
    findings.report(
      value.head, "`include` must be an address that begins with https://",
      help: #"write "include": "https://example.com/links.json""#)
  },
  StatementRule(
    "D110", "include-beside-statement", .warning, "a statement has both `relation` and `include`",
    "Android reads only the included list", source: Evidence.android, each: \.statements,
    wrong: Example.list(
      #""include": "https://example.com/links.json""#, Example.relation, Example.app),
    right: Example.list(#""include": "https://example.com/links.json""#)
  ) { statement, _, findings in
    guard statement.include != nil else { return }
    for member in statement.source.members where member.keyEquals("relation") {
      findings.report(
        member.keyRange, "`relation` has no effect in a statement with `include`",
        help: "write two statements: one with `relation`, one with `include`")
    }
  },
  StatementRule(
    "D111", "repeated-statement", .note, "two statements have the same meaning",
    "one of the two statements is enough",
    source: nil,
    wrong: Example.right.dropLast(2) + ",\n" + Example.right.dropFirst(2)
  ) { list, findings in
    var seen: Set<String> = []
    for statement in list.statements {
      guard let target = statement.target, let app = target.packageName,
        !target.fingerprints.isEmpty, statement.extensions.isEmpty
      else { continue }
      let parts =
        [app.value] + target.fingerprints.map { normalizedFingerprint($0.value) }.sorted()
        + statement.relations.map(\.value).sorted()
      if !seen.insert(parts.joined(separator: " ")).inserted {
        findings.report(
          statement.source.head, "an earlier statement has the same meaning",
          help: "remove one of the two statements"
        )
      }
    }
  },
  unknownValueRule,
]

private let statementKeys = ["relation", "target", "include", "relation_extensions"]
private let targetKeys = ["namespace", "package_name", "sha256_cert_fingerprints", "site"]
let allKeys = statementKeys + targetKeys

/// The known key that the author of the file probably meant; nil if `key` is correct or resembles
/// no known key.
func misspelling(_ key: String, of keys: [String]) -> String? {
  if keys.contains(key) { return nil }
  let plain = key.lowercased().filter { $0.isLetter || $0.isNumber }
  return keys.first { $0.filter { $0 != "_" } == plain } ?? nearest(to: key, among: keys)
    ?? (plain == "package" ? "package_name" : nil)
    ?? (plain.hasPrefix("sha256") ? "sha256_cert_fingerprints" : nil)
}

func hasMisspelling(of key: String, in object: Value) -> Bool {
  object.members.contains { misspelling($0.key, of: allKeys) == key }
}

/// The known relation that the author of the file probably meant; nil if `text` is correct or
/// resembles no known relation.
private func intendedRelation(_ text: String) -> String? {
  let known = AppRelation.knownNames
  if known.contains(text) { return nil }
  let detail = text.lowercased().split(whereSeparator: { ":/.".contains($0) }).last.map(String.init)
  let same = known.first { $0.split(separator: ".").last.map(String.init) == detail }
  return same ?? nearest(to: text, among: known)
}

/// Whether the text has the form `kind/detail`. Both parts consist of lower-case letters, digits,
/// underscores and dots.
func hasRelationForm(_ text: String) -> Bool {
  let parts = text.split(separator: "/", omittingEmptySubsequences: false)
  return parts.count == 2
    && parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
    }
}

/// Reports values that Android's reader does not support. At the first such value, the reader
/// rejects the whole list.
let unknownValueRule = StatementRule(
  "D112", "number-or-null", .error,
  "a statement contains a number, `null`, or a list with `true` or `false`",
  "in a statement, Android accepts objects, arrays and strings, and `true` and `false` outside arrays; "
    + "any other value makes Android ignore the whole file", source: Evidence.android,
  each: \.unknownValues,
  wrong: Example.list(#""version": 1"#, Example.relation, Example.app),
  right: Example.list(#""version": "1""#, Example.relation, Example.app)
) { value, _, findings in
  findings.report(value.head, words(value), help: help(value))
}

extension StatementList {
  fileprivate var unknownValues: [Value] {
    statements.flatMap { $0.source.unknownValues(below: nil, reportedAlone: true) }
  }

  /// The first value that makes Android's reader reject the list: a value of an unsupported type,
  /// or an element that is not an object.
  fileprivate var firstUnknown: Value? {
    (strangers + statements.flatMap { $0.source.unknownValues(below: nil, reportedAlone: false) })
      .min { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension AssetLinksFile {
  /// Why Android's reader rejects the whole file; nil if the reader accepts the file.
  package var unreadable: Diagnostic? {
    guard let list else { return fault }
    return list.firstUnknown.map { value in
      Diagnostic(
        unknownValueRule.kind, words(value), at: source.location(of: value.head),
        help: help(value))
    }
  }
}

private func words(_ value: Value) -> String {
  switch value.kind {
  case .null: "Android cannot read a list with `null`"
  case .number: "Android cannot read a list with a number"
  case .boolean: "Android cannot read `true` or `false` in a list"
  default: "Android cannot read a list with an element that is not an object"
  }
}

private func help(_ value: Value) -> String {
  switch value.kind {
  case .null: "remove the key, or write a string"
  case .number, .boolean: "write the value as a string, in double quotes"
  default: #"write {"relation": […], "target": {…}}"#
  }
}

extension Value {
  /// - Parameter reportedAlone: Whether to omit the values of known keys. Other rules already
  ///   report that such a value has the wrong type.
  fileprivate func unknownValues(
    below key: String?, inList: Bool = false, reportedAlone: Bool
  ) -> [Value] {
    switch kind {
    case .number, .null: reportedAlone && isOwn(key) ? [] : [self]
    case .boolean: !inList || reportedAlone && isOwn(key) ? [] : [self]
    case .array:
      elements.flatMap { $0.unknownValues(below: key, inList: true, reportedAlone: reportedAlone) }
    case .object:
      members.flatMap { $0.value.unknownValues(below: $0.key, reportedAlone: reportedAlone) }
    default: []
    }
  }

  private func isOwn(_ key: String?) -> Bool { key.map(allKeys.contains) ?? false }
}

/// Returns whether an error of this kind keeps Android from verifying an app. Such an error makes
/// Android's reader reject the whole list, or makes a fingerprint differ from the app's
/// fingerprint.
package func keepsAppsFromAndroid(_ kind: Kind) -> Bool {
  [unknownValueRule.kind, lowerCaseFingerprintRule.kind].contains(kind)
}
