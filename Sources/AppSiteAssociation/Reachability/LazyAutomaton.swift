/// A pattern as a deterministic automaton, whose states are made when a text first leads to them,
/// and then kept for all questions about its file.
final class LazyAutomaton {
  /// `nothing`, `everything`, or the number of a set of the pattern's states.
  typealias State = Int

  /// No continuation is accepted.
  static let nothing: State = 0
  /// Every continuation is accepted.
  static let everything: State = 1

  let automaton: PatternAutomaton
  let acceptsEmpty: Bool
  private(set) var start: State = LazyAutomaton.nothing

  /// For each class of characters a number that is the same for classes with the same transitions.
  private let kindOfClass: [Int]
  /// For each of these numbers, one of its classes.
  private let classOfKind: [Int]
  /// Looping states that every text passes if the states before them accept it. Whatever is
  /// accepted from one of those is accepted from here too, because any characters may come first.
  private let passed: [Int]
  /// States that only jump: after following their jumps they can be dropped.
  private let jumpingOnly: StateSet

  private var sets: [StateSet] = []
  private var numbers: [StateSet: State] = [:]
  private var isAccepting: [Bool] = []
  /// For each state and each kind the next state; nil if it is not computed yet.
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

  /// Forgets all states but the first ones.
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

  /// The state that a character leads to.
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

  /// Whether the text may end here.
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

/// The costs of the automata of some rules.
final class AutomatonCosts {
  /// Words of memory.
  var words = 0
  /// Work that no budget was charged with.
  var work = 0
}

extension PatternAutomaton {
  fileprivate var passedStates: [Int] {
    var passed: [Int] = []
    // The farthest state that one before jumps to, and whether a text may end before.
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
