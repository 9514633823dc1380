package import JSON
package import Rules

/// A rule: one element of `components` or `paths`. The first rule that matches a URL decides.
///
/// This type is a class because rules are used in many places, and copying a rule is slow.
package final class Rule: Sendable {
  /// The index of the rule in its array, from 0. All elements of the array have an index, even
  /// those that are not rules.
  package let index: Int
  /// The rule as JSON: an object for a component, a string for a legacy path.
  package let source: Value
  /// The fields written in the rule itself, without defaults.
  package let written: RuleFields
  /// The fields that apply: the rule's own fields and, for each missing field, the default.
  package let effective: RuleFields

  /// Whether a match blocks the link instead of opening the app.
  package var isExclusion: Bool { effective.exclude?.value ?? false }
  package var isCaseSensitive: Bool { effective.caseSensitive?.value ?? true }
  /// Whether patterns are compared with the URL as written. If false, patterns are compared with
  /// the decoded URL.
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
  /// A legacy path tests only the path of a URL. Therefore, the rule inherits only `caseSensitive`
  /// and `percentEncoded` from the defaults. Apple does not document whether devices apply even
  /// these defaults to a legacy path.
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

  /// Creates a rule with the index and the source of another rule, but with the conditions and
  /// options in `fields`.
  init(_ rule: Rule, asking fields: RuleFields) {
    index = rule.index
    source = rule.source
    written = fields
    effective = fields
  }

  /// The prefix that makes a legacy path an exclusion.
  package static let exclusionPrefix = "NOT "
}

/// The fields of a component or of a `defaults` object. A field is nil if its key is missing or its
/// value has the wrong type.
package struct RuleFields: Sendable {
  package var path: Located<String>?
  package var query: QueryCondition?
  package var fragment: Located<String>?
  package var exclude: Located<Bool>?
  package var caseSensitive: Located<Bool>?
  package var percentEncoded: Located<Bool>?

  package init() {}

  init(_ object: Value) {
    // If a key is repeated, use only the last member with this key.
    for member in object.members {
      if member.keyEquals("/") {
        path = member.locatedString
      } else if member.keyEquals("?") {
        query = QueryCondition(member)
      } else if member.keyEquals("#") {
        fragment = member.locatedString
      } else if member.keyEquals("exclude") {
        exclude = member.locatedBool
      } else if member.keyEquals("caseSensitive") {
        caseSensitive = member.locatedBool
      } else if member.keyEquals("percentEncoded") {
        percentEncoded = member.locatedBool
      }
    }
  }

  /// The patterns in the order in which they are compared with a URL. A pattern for a query item
  /// has the name of the item. For other patterns, `item` is nil, because the pattern is compared
  /// with a whole part of the URL.
  package var patterns: [(part: URLPart, item: Located<String>?, pattern: Located<String>)] {
    var result: [(part: URLPart, item: Located<String>?, pattern: Located<String>)] = []
    if let path { result.append((.path, nil, path)) }
    switch query {
    case .whole(let pattern): result.append((.query, nil, pattern))
    case .items(let items, _): result += items.map { (.query, $0.name, $0.pattern) }
    case nil: break
    }
    if let fragment { result.append((.fragment, nil, fragment)) }
    return result
  }

  /// Returns a copy of these fields in which each missing field is taken from `outer`.
  func inheriting(_ outer: RuleFields) -> RuleFields {
    var result = self
    result.path = path ?? outer.path
    result.query = query ?? outer.query
    result.fragment = fragment ?? outer.fragment
    result.exclude = exclude ?? outer.exclude
    result.caseSensitive = caseSensitive ?? outer.caseSensitive
    result.percentEncoded = percentEncoded ?? outer.percentEncoded
    return result
  }
}

/// The condition on the query of a URL, from the key `?`.
package enum QueryCondition: Sendable {
  /// A pattern for the whole query text.
  case whole(Located<String>)
  /// Patterns for the values of query items. An empty list matches every query.
  case items([QueryItemCondition], range: Range<Int>)

  /// Nil if the value is neither a string nor an object. Also nil if the value is an object with a
  /// member that is not a string, because devices then ignore the whole object.
  init?(_ member: Member) {
    if let text = member.locatedString {
      self = .whole(text)
      return
    }
    guard member.value.kind == .object else { return nil }
    var items: [QueryItemCondition] = []
    for member in member.value.distinctMembers {
      guard let pattern = member.locatedString else { return nil }
      items.append(
        QueryItemCondition(name: Located(member.key, range: member.keyRange), pattern: pattern))
    }
    self = .items(items, range: member.value.range)
  }
}

/// One member of a query object.
package struct QueryItemCondition: Sendable {
  package let name: Located<String>
  package let pattern: Located<String>
}

extension Value {
  /// The members of an object without repeated keys. For a repeated key, the list contains the last
  /// member with this key, but at the position of the first.
  var distinctMembers: [Member] {
    var result: [Member] = []
    var places: [ExactText: Int] = [:]
    for member in members {
      let key = ExactText(member.key)
      if let place = places[key] {
        result[place] = member
      } else {
        places[key] = result.count
        result.append(member)
      }
    }
    return result
  }
}
