internal import Diagnostics

/// Entries that are served and of which warnings are still to be found, and those found so far.
struct LaterWork {
  private var names: [DomainName] = []
  private var found: [Diagnostic] = []
  private var counts: [String: Int] = [:]
  /// Copies of one file are judged once.
  var memory = ReadingMemory()

  var isDone: Bool { names.isEmpty }

  mutating func begin(_ names: some Sequence<DomainName>) { self.names = Array(names) }

  mutating func next() -> DomainName? {
    let name = names.popLast()
    if names.isEmpty {
      names = []
      memory = ReadingMemory()
    }
    return name
  }

  /// Keeps some of each kind to be told.
  mutating func take(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      counts[diagnostic.code, default: 0] += 1
      if counts[diagnostic.code, default: 0] <= LoadingLimits.toldPerCode {
        found.append(diagnostic)
      }
    }
  }

  /// What is to be told, and how much more there was of each kind.
  mutating func takeFound() -> (diagnostics: [Diagnostic], omitted: [String: Int]) {
    defer {
      found = []
      counts = [:]
    }
    return (found, counts.mapValues { $0 - LoadingLimits.toldPerCode }.filter { $0.value > 0 })
  }
}
