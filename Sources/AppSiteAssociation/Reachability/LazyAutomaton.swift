/// A pattern as a deterministic automaton. Each state is created when a text reaches it for the
/// first time, and is stored for later questions about the same file.
final class LazyAutomaton {
  /// The index of a state: `nothing`, `everything`, or the index of a set of the pattern's states.
  typealias State = Int

  /// The state from which the pattern cannot match any continuation of the text.
  static let nothing: State = 0
  /// The state from which the pattern matches every continuation of the text.
  static let everything: State = 1

  let automaton: PatternAutomaton
  let acceptsEmpty: Bool
  private(set) var start: State = LazyAutomaton.nothing

  /// For each class of characters, the kind of the class. Classes with the same transitions are of
  /// the same kind.
  private let kindOfClass: [Int]
  /// For each kind, one class of this kind.
  private let classOfKind: [Int]
  /// The looping states through which every match from an earlier state must pass. A looping state
  /// accepts any characters, so it accepts every text that the earlier states accept.
  private let passed: [Int]
  /// The states that have jumps, but accept neither a character nor the end of the text. After
  /// their jumps have been followed, a set of states does not need these states.
  private let jumpingOnly: StateSet

  private var sets: [StateSet] = []
  private var numbers: [StateSet: State] = [:]
  private var isAccepting: [Bool] = []
  /// For each state and kind, the next state; nil if it is not computed yet.
  private var transitions: [State?] = []
  private let costs: AutomatonCosts

  init(_ automaton: PatternAutomaton, _ costs: AutomatonCosts) {
    self.automaton = automaton
    self.costs = costs
    acceptsEmpty = automaton.isAccepting(automaton.initialStates)
    var kinds: [ArraySlice<UInt64>: Int] = [:]
    var kindOfClass: [Int] = []
    var classOfKind: [Int] = []
    for number in 0..<automaton.classCount {
      let mask = automaton.masks[number * automaton.wordCount..<(number + 1) * automaton.wordCount]
      let kind = kinds[mask] ?? classOfKind.count
      if kinds.updateValue(kind, forKey: mask) == nil { classOfKind.append(number) }
      kindOfClass.append(kind)
    }
    self.kindOfClass = kindOfClass
    self.classOfKind = classOfKind
    passed = automaton.passedStates
    jumpingOnly = automaton.jumpingOnlyStates
    forget()
  }

  /// Forgets all states except the initial states.
  func forget() {
    sets = []
    numbers = [:]
    isAccepting = []
    transitions = []
    let none = StateSet(words: [UInt64](repeating: 0, count: automaton.wordCount))
    _ = append(none, isAccepting: false)
    _ = append(none, isAccepting: true)
    numbers[none] = Self.nothing
    for kind in classOfKind.indices {
      transitions[kind] = Self.nothing
      transitions[classOfKind.count + kind] = Self.everything
    }
    start = number(of: automaton.initialStates)
  }

  func kind(of symbol: UInt32) -> Int { kindOfClass[automaton.symbolClass(of: symbol)] }

  /// Returns the state to which a character leads from `state`.
  func step(_ state: State, _ symbol: UInt32) -> State {
    let kind = kind(of: symbol)
    let place = state * classOfKind.count + kind
    if let target = transitions[place] { return target }
    costs.work += 1
    var target = Self.nothing
    if automaton.leadsOn(sets[state], symbolClass: classOfKind[kind]) {
      target = number(of: automaton.step(sets[state], symbolClass: classOfKind[kind]))
      costs.work += 2 * automaton.wordCount
    }
    transitions[place] = target
    return target
  }

  /// Whether the pattern matches if the text ends in this state.
  func isAccepting(_ state: State) -> Bool { isAccepting[state] }

  private func number(of set: StateSet) -> State {
    if automaton.isUniversal(set) { return Self.everything }
    var set = set
    if let last = passed.last(where: { set.contains($0) }) { set.removeStates(before: last) }
    set.subtract(jumpingOnly)
    if let number = numbers[set] { return number }
    let number = append(set, isAccepting: automaton.isAccepting(set))
    numbers[set] = number
    costs.work += classOfKind.count / 2 + 4
    return number
  }

  private func append(_ set: StateSet, isAccepting accepts: Bool) -> State {
    sets.append(set)
    isAccepting.append(accepts)
    transitions += repeatElement(nil, count: classOfKind.count)
    costs.words += automaton.wordCount + 2 * classOfKind.count
    return sets.count - 1
  }
}

/// The total costs of the automata of several rules.
final class AutomatonCosts {
  /// The memory that the automata use, in words.
  var words = 0
  /// The work of the automata that was not yet charged to a budget.
  var work = 0
}

extension PatternAutomaton {
  fileprivate var passedStates: [Int] {
    var passed: [Int] = []
    // `farthest` is the highest jump target of the earlier states. `mayEnd` says whether a match
    // may end in an earlier state.
    var farthest = 0
    var mayEnd = false
    let (looping, accepting) = (StateSet(words: looping), StateSet(words: accepting))
    for state in 0..<stateCount {
      let accepts = accepting.contains(state)
      if looping.contains(state), farthest <= state, accepts || !mayEnd { passed.append(state) }
      if accepts { mayEnd = true }
      farthest = max(farthest, lastJump(from: state) ?? 0)
    }
    return passed
  }

  fileprivate var jumpingOnlyStates: StateSet {
    var result = StateSet(words: jumping)
    for row in 0..<classCount {
      result.subtract(StateSet(words: Array(masks[row * wordCount..<(row + 1) * wordCount])))
    }
    result.subtract(StateSet(words: looping))
    result.subtract(StateSet(words: accepting))
    return result
  }
}
