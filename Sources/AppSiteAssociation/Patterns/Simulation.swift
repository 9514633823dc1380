/// Memory for running automata: reused, so that matching allocates nothing once it has grown.
package struct Simulation {
  fileprivate var current: [UInt64] = []
  fileprivate var next: [UInt64] = []

  package init() {}

  fileprivate mutating func begin(_ initial: [UInt64]) {
    current.removeAll(keepingCapacity: true)
    current.append(contentsOf: initial)
    next.removeAll(keepingCapacity: true)
    for _ in 0..<initial.count { next.append(0) }
  }
}

extension PatternAutomaton {
  /// Whether the pattern matches the whole text, given as Unicode scalars.
  package func matches(_ text: Span<UInt32>, _ simulation: inout Simulation) -> Bool {
    if wordCount == 1 && jumps.isEmpty { return matchesInOneWord(text) }
    simulation.begin(initial)
    for index in text.indices {
      if meets(simulation.current, universal) { return true }
      let symbolClass = symbolClass(of: text[index])
      if !advance(simulation.current, symbolClass, into: &simulation.next) { return false }
      swap(&simulation.current, &simulation.next)
    }
    return meets(simulation.current, accepting)
  }

  private func matchesInOneWord(_ text: Span<UInt32>) -> Bool {
    let only = only
    let masks = masks.span
    var set = only.initial
    for index in text.indices {
      if set & only.universal != 0 { return true }
      set = (set & masks[symbolClass(of: text[index])]) << 1 | set & only.looping
      if set == 0 { return false }
    }
    return set & only.accepting != 0
  }

  private func meets(_ set: [UInt64], _ other: [UInt64]) -> Bool {
    for word in 0..<wordCount where set[word] & other[word] != 0 { return true }
    return false
  }

  /// One step of all states. `next` may hold anything and is overwritten.
  ///
  /// Returns whether any state is left.
  func advance(
    _ current: [UInt64], _ symbolClass: Int, into next: inout [UInt64]
  ) -> Bool {
    var carry: UInt64 = 0
    var any: UInt64 = 0
    let base = symbolClass * wordCount
    for word in 0..<wordCount {
      let moving = current[word] & masks[base + word]
      next[word] = moving << 1 | carry | current[word] & looping[word]
      carry = moving >> 63
      any |= next[word]
    }
    if any == 0 { return false }
    if !jumps.isEmpty { Self.follow(jumping, jumpStarts, jumps, in: &next) }
    return true
  }

  /// Adds to a set the states that its states jump to. All jumps go to greater numbers, so one
  /// pass is enough.
  static func follow(
    _ jumping: [UInt64], _ jumpStarts: [Int32], _ jumps: [Jump], in set: inout [UInt64]
  ) {
    guard !jumps.isEmpty else { return }
    for word in jumping.indices {
      var done: UInt64 = 0
      while true {
        let pending = set[word] & jumping[word] & ~done
        if pending == 0 { break }
        let bit = pending.trailingZeroBitCount
        done |= 1 << UInt64(bit)
        let state = word * 64 + bit
        for jump in Int(jumpStarts[state])..<Int(jumpStarts[state + 1]) {
          set[Int(jumps[jump].word)] |= jumps[jump].mask
        }
      }
    }
  }
}
