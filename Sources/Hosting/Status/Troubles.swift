package import Diagnostics

/// What the last try to read one entry, or one certificate, found wrong with it.
package struct Trouble: Sendable {
  /// Errors first; at most `LoadingLimits.keptPerTrouble`.
  package let diagnostics: [Diagnostic]
  /// How many more there were.
  package let omitted: Int
  /// The last good version is served instead of what is there now.
  package let isLastGood: Bool
  /// With an error among what was found.
  package let hasErrors: Bool
}

/// What there is to tell of those with which something is wrong, for as long as it is so.
///
/// Errors are remembered of all of them, texts of the first thousand only: when ten thousand files
/// are wrong in the same way, a thousand of them tell as much.
struct Troubles<Key: Hashable & Sendable>: Sendable {
  private(set) var all: [Key: Trouble] = [:]
  /// How many of them have texts.
  private var described = 0

  var isEmpty: Bool { all.isEmpty }

  subscript(key: Key) -> Trouble? { all[key] }

  /// Takes the place of what was known of `key`.
  mutating func set(_ key: Key, _ diagnostics: [Diagnostic], isLastGood: Bool) {
    remove(key)
    if diagnostics.isEmpty && !isLastGood { return }
    let errors = diagnostics.filter { $0.severity == .error }
    let isFull = described >= LoadingLimits.describedTroubles
    if isFull && errors.isEmpty && !isLastGood { return }
    let sorted = errors + diagnostics.filter { $0.severity != .error }
    let kept = isFull ? [] : Array(sorted.prefix(LoadingLimits.keptPerTrouble))
    if !kept.isEmpty { described += 1 }
    all[key] = Trouble(
      diagnostics: kept, omitted: sorted.count - kept.count, isLastGood: isLastGood,
      hasErrors: !errors.isEmpty)
  }

  /// Adds to what is known of `key`.
  mutating func add(_ key: Key, _ diagnostics: [Diagnostic]) {
    let before = all[key]
    set(key, (before?.diagnostics ?? []) + diagnostics, isLastGood: before?.isLastGood ?? false)
  }

  mutating func remove(_ key: Key) {
    // Nearly always: no key need be hashed then.
    if all.isEmpty { return }
    guard let trouble = all.removeValue(forKey: key) else { return }
    if !trouble.diagnostics.isEmpty { described -= 1 }
  }
}
