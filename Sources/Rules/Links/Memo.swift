/// Caches values by key: for thousands of apps, many decisions come from the same rule.
package final class Memo<Key: Hashable, Value> {
  private var known: [Key: Value] = [:]

  package init() {}

  package func value(of key: Key, _ make: () -> Value) -> Value {
    if let value = known[key] { return value }
    let value = make()
    known[key] = value
    return value
  }
}
