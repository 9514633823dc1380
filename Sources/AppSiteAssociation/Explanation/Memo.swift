/// Remembers what was made for a key: of thousands of apps many are decided by the same rule.
final class Memo<Key: Hashable, Value> {
  private var known: [Key: Value] = [:]

  func value(of key: Key, _ make: () -> Value) -> Value {
    if let value = known[key] { return value }
    let value = make()
    known[key] = value
    return value
  }
}
