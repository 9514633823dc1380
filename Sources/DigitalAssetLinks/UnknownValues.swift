package import Diagnostics
internal import JSON
internal import Rules

/// Values that Android's reader does not know. At the first of them it gives the whole list up.
let unknownValueRule = StatementRule(
  "D112", "number-or-null", .error,
  "a statement has a number, `null`, or `true` or `false` in a list",
  "Android's reader knows objects, lists and strings, and `true` and `false` outside lists: at another "
    + "value it takes no statement from the whole list", source: Evidence.android,
  wrong: Example.list(#""version": 1"#, Example.relation, Example.app),
  right: Example.list(#""version": "1""#, Example.relation, Example.app)
) { list, findings in
  for value in list.statements.flatMap({ $0.source.unknownValues(below: nil, reportedAlone: true) })
  {
    findings.report(value.pointed, words(value), help: help(value))
  }
}

extension StatementList {
  /// The first value that makes Android's reader give the list up: one that it does not know, or an
  /// element that is not an object.
  fileprivate var firstUnknown: Value? {
    (strangers + statements.flatMap { $0.source.unknownValues(below: nil, reportedAlone: false) })
      .min { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension AssetLinksFile {
  /// Why Android takes no statement from the file; nil if its reader comes to the end of it.
  package var unreadable: Diagnostic? {
    guard let list else { return fault }
    return list.firstUnknown.map { value in
      Diagnostic(
        unknownValueRule.kind, words(value), at: source.location(of: value.pointed),
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
  case .null: "remove the key, or write a text"
  case .number, .boolean: "write it as a text, in double quotes"
  default: #"write {"relation": […], "target": {…}}"#
  }
}

extension Value {
  /// - Parameter reportedAlone: Leaves out those under keys whose own rules report every other type.
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

/// Whether Android verifies no app because of such an error: its reader gives the list up, or the
/// fingerprint is compared as text.
package func keepsAppsFromAndroid(_ kind: Kind) -> Bool {
  [unknownValueRule.kind, lowerCaseFingerprintRule.kind].contains(kind)
}
