internal import JSON
package import Rules

/// The fields of a component or of a `defaults` object. A field is nil if its key is missing or
/// devices do not understand its value.
package struct RuleFields: Sendable {
  package var path: Located<String>?
  package var query: QueryCondition?
  package var fragment: Located<String>?
  package var exclude: Located<Bool>?
  package var caseSensitive: Located<Bool>?
  package var percentEncoded: Located<Bool>?

  package init() {}

  init(_ object: Value) {
    // If a key is repeated, the last one counts.
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

  /// Returns these fields, with missing ones filled in from `outer`.
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

/// The condition in `?` on a URL's query.
package enum QueryCondition: Sendable {
  /// A pattern for the whole query text.
  case whole(Located<String>)
  /// Patterns for the values of query items; an empty list is no condition.
  case items([QueryItemCondition], range: Range<Int>)

  /// Nil if the value is neither a string nor an object, or if any value in the object is not a
  /// string: devices then ignore the whole object.
  init?(_ member: Member) {
    if let text = member.locatedString {
      self = .whole(text)
      return
    }
    guard member.value.kind == .object else { return nil }
    var items: [QueryItemCondition] = []
    var indexes: [ExactText: Int] = [:]
    for member in member.value.members {
      let item = QueryItemCondition(
        name: Located(member.key, range: member.keyRange), pattern: member.locatedString)
      let key = ExactText(item.name.value)
      if let index = indexes[key] {
        items[index] = item
      } else {
        indexes[key] = items.count
        items.append(item)
      }
    }
    guard items.allSatisfy({ $0.isString }) else { return nil }
    self = .items(items, range: member.value.range)
  }
}

/// One member of a query object.
package struct QueryItemCondition: Sendable {
  package let name: Located<String>
  package let pattern: Located<String>
  fileprivate let isString: Bool

  fileprivate init(name: Located<String>, pattern: Located<String>?) {
    self.name = name
    self.pattern = pattern ?? Located("", range: name.range)
    isString = pattern != nil
  }
}
