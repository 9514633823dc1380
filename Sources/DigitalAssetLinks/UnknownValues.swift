package import Diagnostics
internal import JSON
internal import Rules

/// Values that Android's reader does not support. At the first one it rejects the whole list.
let unknownValueRule = StatementRule(
  "D112", "number-or-null", .error,
  "a statement has a number, `null`, or `true` or `false` in a list",
  "Android accepts objects, lists and strings, and `true` and `false` outside lists; any other value makes "
    + "it ignore the whole list", source: Evidence.android,
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

  /// The first value at which Android's reader rejects the list: an unsupported value, or an
  /// element that is not an object.
  fileprivate var firstUnknown: Value? {
    (strangers + statements.flatMap { $0.source.unknownValues(below: nil, reportedAlone: false) })
      .min { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension AssetLinksFile {
  /// Why Android's reader rejects the whole file; nil if it reads it to the end.
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
  case .null: "remove the key, or write a text"
  case .number, .boolean: "write it as a text, in double quotes"
  default: #"write {"relation": […], "target": {…}}"#
  }
}

extension Value {
  /// - Parameter reportedAlone: Whether to leave out values under keys whose own rules report wrong
  ///   types.
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

/// Whether an error of this kind keeps Android from verifying an app: the reader rejects the list,
/// or the fingerprint does not match.
package func keepsAppsFromAndroid(_ kind: Kind) -> Bool {
  [unknownValueRule.kind, lowerCaseFingerprintRule.kind].contains(kind)
}
