internal import Diagnostics

/// The current problems of entries or certificates, by a key for each.
///
/// For every key, the table stores whether the problems contain errors. The diagnostics are stored
/// for only a thousand keys: if 10,000 files have the same fault, the diagnostics of 1,000 files
/// are enough.
struct ProblemTable<Key: Hashable & Sendable>: Sendable {
  private(set) var all: [Key: Problem] = [:]
  /// The number of keys whose diagnostics are stored.
  private var described = 0
  /// For each key, a hash of the problems that were last reported. The hash prevents a second
  /// report of the same problems.
  private var marks: [Key: Int] = [:]

  subscript(key: Key) -> Problem? { all[key] }

  /// Replaces the problems of `key` with new problems. Returns whether to report the new problems.
  ///
  /// - Parameter content: A hash of the faulty contents. If the hash changes, the problems are
  ///   reported again.
  mutating func note(
    _ key: Key, _ diagnostics: [Diagnostic], isLastGood: Bool, content: Int = 0
  ) -> Bool {
    set(key, diagnostics, isLastGood: isLastGood)
    let mark = diagnostics.isEmpty ? nil : reportMark(diagnostics) ^ content
    defer { marks[key] = mark }
    return mark != marks[key]
  }

  /// Replaces the problems of `key`, and reports nothing.
  mutating func set(_ key: Key, _ diagnostics: [Diagnostic], isLastGood: Bool) {
    removeProblem(key)
    if diagnostics.isEmpty && !isLastGood { return }
    let errors = diagnostics.filter { $0.severity == .error }
    let isFull = described >= LoadingLimits.describedProblems
    if isFull && errors.isEmpty && !isLastGood { return }
    let sorted = errors + diagnostics.filter { $0.severity != .error }
    let kept = isFull ? [] : Array(sorted.prefix(LoadingLimits.keptPerProblem))
    if !kept.isEmpty { described += 1 }
    all[key] = Problem(
      diagnostics: kept, omitted: sorted.count - kept.count, isLastGood: isLastGood,
      hasErrors: !errors.isEmpty)
  }

  /// Adds diagnostics to the problems of `key`, and reports nothing.
  mutating func add(_ key: Key, _ diagnostics: [Diagnostic]) {
    let before = all[key]
    set(key, (before?.diagnostics ?? []) + diagnostics, isLastGood: before?.isLastGood ?? false)
  }

  mutating func remove(_ key: Key) {
    removeProblem(key)
    marks[key] = nil
  }

  private mutating func removeProblem(_ key: Key) {
    // The table is nearly always empty. In an empty table, there is no need to compute the hash of
    // the key.
    if all.isEmpty { return }
    guard let problem = all.removeValue(forKey: key) else { return }
    if !problem.diagnostics.isEmpty { described -= 1 }
  }
}
