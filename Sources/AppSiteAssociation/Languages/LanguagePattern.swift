/// A pattern, with what exploring its language needs: a deterministic automaton, of which the states
/// are made when a text first leads to them, and then kept for all questions about its file.
///
/// A class, so that explorations share it and hand it around at the cost of one reference.
final class LanguagePattern {
  let automaton: PatternAutomaton
  let acceptsEmpty: Bool
  /// For each ASCII character, and then for one that no pattern names, a number that is the same for
  /// those that the automaton treats alike.
  let kinds: [UInt16]

  private let kindOfClass: [UInt16]
  /// For each kind a class of it.
  private let classOfKind: [Int]
  /// For each state of the automaton the kinds of characters that lead on from it.
  private let leading: LeadingKinds
  private let reduction: StateReduction
  private let memory: LanguageMemory

  /// The sets of the automaton's states that texts lead to; the first is empty.
  private var sets = KeyTable()
  /// For each set and each kind of character the set that it leads to; -1 when that is not known.
  private var transitions: [Int32] = []
  private var traits: [Traits] = []
  /// For each set the words of it that are not all zero.
  private var usedWords: [Range<Int>] = []
  /// The set that is being made.
  private var next: [UInt64]

  /// A set of the automaton's states, by its number; 0 when there are none, so that no text is
  /// accepted any more.
  typealias State = UInt32

  static let start: State = 1

  private struct Traits: OptionSet {
    let rawValue: UInt8
    static let accepting = Traits(rawValue: 1)
    static let universal = Traits(rawValue: 2)
  }

  init(_ automaton: PatternAutomaton, _ memory: LanguageMemory) {
    self.automaton = automaton
    self.memory = memory
    acceptsEmpty = automaton.isAccepting(automaton.initialStates)
    reduction = StateReduction(automaton)
    var numbers: [ArraySlice<UInt64>: UInt16] = [:]
    var kindOfClass: [UInt16] = []
    var classOfKind: [Int] = []
    for symbolClass in 0..<automaton.classCount {
      let start = symbolClass * automaton.wordCount
      let mask = automaton.masks[start..<start + automaton.wordCount]
      let number = numbers[mask] ?? UInt16(truncatingIfNeeded: classOfKind.count)
      if numbers.updateValue(number, forKey: mask) == nil { classOfKind.append(symbolClass) }
      kindOfClass.append(number)
    }
    self.kindOfClass = kindOfClass
    self.classOfKind = classOfKind
    leading = LeadingKinds(automaton, classOfKind)
    kinds = automaton.asciiClasses.map { kindOfClass[Int($0)] } + [kindOfClass[0]]
    next = [UInt64](repeating: 0, count: automaton.wordCount)
    forget()
  }

  /// Forgets all states but the first ones.
  func forget() {
    sets = KeyTable()
    transitions = []
    traits = []
    usedWords = []
    for word in next.indices { next[word] = 0 }
    _ = number()
    for word in next.indices { next[word] = automaton.initial[word] }
    _ = number()
  }

  /// Where a character leads.
  @inline(__always)
  func step(_ state: State, _ symbol: UInt32) -> State {
    let kind =
      symbol < 128
      ? kinds[Int(symbol)]
      : symbol == TextReader.unnamed
        ? kinds[128] : kindOfClass[automaton.symbolClass(of: symbol)]
    let target = transitions[Int(state) * classOfKind.count + Int(kind)]
    return target >= 0 ? State(target) : make(state, Int(kind))
  }

  func isAccepting(_ state: State) -> Bool { traits[Int(state)].contains(.accepting) }

  /// Whether every continuation is accepted.
  func isUniversal(_ state: State) -> Bool { traits[Int(state)].contains(.universal) }

  private func make(_ state: State, _ kind: Int) -> State {
    let wordCount = automaton.wordCount
    let base = classOfKind[kind] * wordCount
    let start = Int(state) * wordCount
    let used = usedWords[Int(state)]
    memory.work += 1 + used.count
    for word in next.indices { next[word] = 0 }
    for word in used {
      let current = sets.words[start + word]
      let moving = current & automaton.masks[base + word]
      next[word] |= moving << 1 | current & automaton.looping[word]
      // The last state of all leads nowhere, so there is a word to carry into.
      if moving >> 63 != 0 { next[word + 1] |= 1 }
    }
    if !automaton.jumps.isEmpty { automaton.followJumps(in: &next) }
    reduction.reduce(&next)
    let target = number()
    transitions[Int(state) * classOfKind.count + kind] = Int32(truncatingIfNeeded: target)
    memory.work += wordCount
    return State(truncatingIfNeeded: target)
  }

  /// The number of the set in `next`.
  private func number() -> Int {
    let (index, isNew) = sets.insert(next)
    guard isNew else { return index }
    let set = StateSet(words: next)
    var new: Traits = []
    if automaton.isAccepting(set) { new.insert(.accepting) }
    if automaton.isUniversal(set) { new.insert(.universal) }
    traits.append(new)
    let first = next.firstIndex { $0 != 0 } ?? 0
    usedWords.append(first..<1 + (next.lastIndex { $0 != 0 } ?? first - 1))
    let row = transitions.count
    transitions.append(contentsOf: repeatElement(0, count: classOfKind.count))
    var work = next.count + classOfKind.count / 2 + 4
    memory.words += work
    // Most characters lead nowhere.
    for word in usedWords[index] {
      var rest = next[word]
      while rest != 0 {
        let kinds = leading.kinds(of: word * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
        work += 1 + kinds.count / 4
        for position in kinds { transitions[row + Int(leading.all[position])] = -1 }
      }
    }
    memory.work += work
    return index
  }
}

/// For each state of an automaton the kinds of characters that it accepts, one after the other.
private struct LeadingKinds {
  private(set) var all: [UInt16] = []
  private var starts: [Int32] = []

  init(_ automaton: PatternAutomaton, _ classOfKind: [Int]) {
    var counts = [Int32](repeating: 0, count: automaton.stateCount + 1)
    Self.forEach(automaton, classOfKind) { state, _ in counts[state + 1] += 1 }
    for state in 0..<automaton.stateCount { counts[state + 1] += counts[state] }
    starts = counts
    all = [UInt16](repeating: 0, count: Int(counts[automaton.stateCount]))
    Self.forEach(automaton, classOfKind) { state, kind in
      all[Int(counts[state])] = UInt16(truncatingIfNeeded: kind)
      counts[state] += 1
    }
  }

  func kinds(of state: Int) -> Range<Int> { Int(starts[state])..<Int(starts[state + 1]) }

  private static func forEach(
    _ automaton: PatternAutomaton, _ classOfKind: [Int], _ body: (Int, Int) -> Void
  ) {
    for (kind, symbolClass) in classOfKind.enumerated() {
      for word in 0..<automaton.wordCount {
        var rest =
          automaton.masks[symbolClass * automaton.wordCount + word] | automaton.looping[word]
        while rest != 0 {
          let state = word * 64 + rest.trailingZeroBitCount
          if state < automaton.stateCount { body(state, kind) }
          rest &= rest - 1
        }
      }
    }
  }
}

/// What the patterns of a file share: how much they keep, and how much work that was.
final class LanguageMemory {
  var words = 0
  /// Work that no budget has been charged with.
  var work = 0

  func takeWork() -> Int {
    if work == 0 { return 0 }
    defer { work = 0 }
    return work
  }
}

extension PatternAutomaton {
  fileprivate func followJumps(in set: inout [UInt64]) {
    for word in 0..<wordCount {
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
