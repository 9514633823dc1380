package import JSON
internal import Rules

/// One element of `components` or `paths`: the first rule that matches a URL decides.
///
/// A class, because rules are used in many places and copying a rule is slow.
package final class Rule: Sendable {
  /// The rule's index in the array, from 0; elements that are not rules count too.
  package let index: Int
  /// The rule as JSON: an object for a component, a string for a legacy path.
  package let source: Value
  /// The fields that the rule itself has.
  package let written: RuleFields
  /// The fields in effect: the rule's own, completed by defaults.
  package let effective: RuleFields

  /// Whether a match blocks the link instead of opening the app.
  package var isExclusion: Bool { effective.exclude?.value ?? false }
  package var isCaseSensitive: Bool { effective.caseSensitive?.value ?? true }
  /// Whether patterns are compared with the URL as written; if not, with the decoded URL.
  package var isPercentEncoded: Bool { effective.percentEncoded?.value ?? true }

  /// Nil if the element is not an object.
  init?(component element: Value, index: Int, defaults: RuleFields) {
    guard element.kind == .object else { return nil }
    self.index = index
    source = element
    written = RuleFields(element)
    effective = written.inheriting(defaults)
  }

  /// Nil if the element is not a string.
  ///
  /// A legacy path tests only the path, so it takes only comparison options from the defaults.
  /// Apple does not document whether it takes even these.
  init?(path element: Value, index: Int, defaults: RuleFields) {
    guard let text = element.string else { return nil }
    self.index = index
    source = element
    var fields = RuleFields()
    if text.utf8.starts(with: Self.exclusionPrefix.utf8) {
      let pattern = text.unicodeScalars.dropFirst(Self.exclusionPrefix.unicodeScalars.count)
      fields.path = Located(String(pattern), range: element.range)
      fields.exclude = Located(true, range: element.range)
    } else {
      fields.path = Located(text, range: element.range)
    }
    written = fields
    fields.caseSensitive = defaults.caseSensitive
    fields.percentEncoded = defaults.percentEncoded
    effective = fields
  }

  /// A copy of a rule with other conditions.
  init(_ rule: Rule, asking fields: RuleFields) {
    index = rule.index
    source = rule.source
    written = fields
    effective = fields
  }

  /// The prefix that makes a legacy path an exclusion.
  package static let exclusionPrefix = "NOT "
}
