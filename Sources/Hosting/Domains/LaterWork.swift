internal import Diagnostics

/// Entries that are served and of which warnings are still to be found, and those found so far.
struct LaterWork {
  private var names: [DomainName] = []
  private var found = FewOfEachKind()
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

  mutating func take(_ diagnostics: [Diagnostic]) { found.take(diagnostics) }

  /// What is to be told, and how much more there was of each kind.
  mutating func takeFound() -> (kept: [Diagnostic], omitted: [String: Int]) { found.takeAll() }
}

/// What is to be told of very many entries: some of each kind, and how much more there was.
struct FewOfEachKind {
  private var kept: [Diagnostic] = []
  private var counts: [String: Int] = [:]

  mutating func take(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      counts[diagnostic.code, default: 0] += 1
      if counts[diagnostic.code, default: 0] <= LoadingLimits.toldPerCode {
        kept.append(diagnostic)
      }
    }
  }

  /// What was taken since the last time.
  mutating func takeAll() -> (kept: [Diagnostic], omitted: [String: Int]) {
    defer { self = FewOfEachKind() }
    return (kept, counts.mapValues { $0 - LoadingLimits.toldPerCode }.filter { $0.value > 0 })
  }
}
