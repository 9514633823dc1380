/// Lays out the states of a pattern as chains. Within a chain, each state leads to the next state.
/// Jumps connect the chains.
///
/// In a path, a run of literal slashes counts as one slash, even if some of the slashes come from
/// the value of a variable. Therefore, a place in the pattern consists of a vertex of the graph and
/// a flag. The flag says whether a literal slash was just read; if so, the next literal slash is
/// skipped.
struct AutomatonBuilder {
  struct State {
    /// The characters that lead to the next state; nil at the end of a chain.
    var symbols: SymbolSet?
    var isLooping = false
    var isAccepting = false
    var jumps: [Int] = []
  }

  private(set) var states: [State] = []

  private let graph: TokenGraph
  private let isPath: Bool
  private let tails: [Bool]
  /// A place is an index into the next two arrays: twice the index of a vertex in the graph, plus 1
  /// if a slash was just read. `arrivals` contains the number of predecessors of each place.
  /// `stateOfPlace` contains the index of each place's state; -1 if the place has no state.
  private var arrivals: [Int32]
  private var stateOfPlace: [Int32]
  private var placesOfJumps: [(state: Int, place: Int)] = []

  init(_ graph: TokenGraph, subject: PatternAutomaton.Subject) {
    self.graph = graph
    isPath = subject == .path
    tails = isPath ? optionalTails(of: graph) : []
    arrivals = [Int32](repeating: 0, count: graph.vertices.count * 2)
    stateOfPlace = [Int32](repeating: -1, count: graph.vertices.count * 2)
  }

  mutating func build() {
    let start = isPath ? 1 : 0
    let slashes = isPath ? slashesAfterFirstStars : []
    countArrivals(from: [start] + slashes)
    if isPath {
      // Every path begins with a slash, even if the pattern does not.
      states.append(State(symbols: Self.slash))
      if !slashes.isEmpty {
        states.append(State())
        for place in [start] + slashes { placesOfJumps.append((states.count - 1, place)) }
      }
    }
    for place in arrivals.indices where arrivals[place] > 0 && stateOfPlace[place] < 0 {
      appendChain(place)
    }
    for (state, place) in placesOfJumps { states[state].jumps.append(Int(stateOfPlace[place])) }
  }

  private static let slash = SymbolSet("/", foldingCase: false)

  /// The successors of a place: at most one, except after a branch.
  private func targets(_ place: Int) -> [Int] {
    switch graph.vertices[place / 2] {
    case .end: []
    case .branch(let vertices): vertices.map { $0 * 2 + place % 2 }
    case .slash(let next): [next * 2 + (isPath ? 1 : 0)]
    case .symbols(_, let next), .anyRun(let next): [next * 2]
    }
  }

  /// The places of the slashes that follow the leading stars of a pattern. Every path begins with a
  /// slash. In `*/admin`, the star may match no character at all. In this case, the slash of the
  /// pattern matches the first slash of the path.
  private var slashesAfterFirstStars: [Int] {
    var isReached = [Bool](repeating: false, count: graph.vertices.count)
    var isAfterStar = isReached
    var places: [Int] = []
    isReached[0] = true
    for index in graph.vertices.indices where isReached[index] {
      var next: [Int] = []
      switch graph.vertices[index] {
      case .branch(let vertices): next = vertices
      case .anyRun(let vertex): next = [vertex]
      case .slash where isAfterStar[index]: places.append(index * 2 + 1)
      case .slash, .symbols, .end: break
      }
      for vertex in next {
        isReached[vertex] = true
        if case .anyRun = graph.vertices[index] { isAfterStar[vertex] = true }
        if isAfterStar[index] { isAfterStar[vertex] = true }
      }
    }
    return places
  }

  /// Counts, for each reachable place, the places that lead directly to it.
  private mutating func countArrivals(from starts: [Int]) {
    for start in starts { arrivals[start] += 1 }
    for place in arrivals.indices where arrivals[place] > 0 {
      for target in targets(place) { arrivals[target] += 1 }
    }
  }

  /// Appends the states of the chain that begins at a place. The chain ends before the next place
  /// that has several predecessors. Chains are appended in the order of their places, so jumps lead
  /// only to later states.
  private mutating func appendChain(_ start: Int) {
    states.append(State())
    var place = start
    while true {
      let state = states.count - 1
      stateOfPlace[place] = Int32(truncatingIfNeeded: state)
      let targets = targets(place)
      var end = state
      switch graph.vertices[place / 2] {
      case .end:
        states[state].isAccepting = true
        return
      case .branch:
        guard targets.count == 1 else {
          for target in targets { placesOfJumps.append((state, target)) }
          return
        }
      case .slash(let next):
        if isPath && place % 2 == 1 { break }
        if isPath && tails[next] { states[state].isAccepting = true }
        end = appendStep(Self.slash)
      case .symbols(let symbols, _):
        end = appendStep(symbols)
      case .anyRun:
        states[state].isLooping = true
      }
      if arrivals[targets[0]] > 1 {
        placesOfJumps.append((end, targets[0]))
        return
      }
      place = targets[0]
    }
  }

  /// Makes `symbols` lead from the last state to a new state. Appends the new state, and returns
  /// its index.
  private mutating func appendStep(_ symbols: SymbolSet) -> Int {
    states[states.count - 1].symbols = symbols
    states.append(State())
    return states.count - 1
  }
}

extension [AutomatonBuilder.State] {
  /// Returns the list of all jumps and, for each state, the index of the state's first jump in this
  /// list. Jumps of one state to targets in the same 64-bit word are combined into one jump. If no
  /// state has jumps, both lists are empty.
  var jumpLists: (starts: [Int32], jumps: [PatternAutomaton.Jump]) {
    if allSatisfy({ $0.jumps.isEmpty }) { return ([], []) }
    var starts: [Int32] = []
    var jumps: [PatternAutomaton.Jump] = []
    for state in self {
      let first = jumps.count
      starts.append(Int32(truncatingIfNeeded: first))
      for target in state.jumps.sorted() {
        let word = Int32(truncatingIfNeeded: target / 64)
        let bit = UInt64(1) << UInt64(target % 64)
        if jumps.count > first, let last = jumps.last, last.word == word {
          jumps[jumps.count - 1] = .init(word: word, mask: last.mask | bit)
        } else {
          jumps.append(.init(word: word, mask: bit))
        }
      }
    }
    starts.append(Int32(truncatingIfNeeded: jumps.count))
    return (starts, jumps)
  }

  /// The first state and the targets of its jumps, as a set of bits. One pass over the states is
  /// enough, because jumps lead only to states with higher numbers.
  var initialWords: [UInt64] {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    words[0] = 1
    var last = 0
    var state = 0
    while state <= last {
      if words[state / 64] & (UInt64(1) << UInt64(state % 64)) != 0 {
        for target in self[state].jumps {
          words[target / 64] |= UInt64(1) << UInt64(target % 64)
          last = Swift.max(last, target)
        }
      }
      state += 1
    }
    return words
  }
}

/// An optional end is a part at the end of a path pattern that a path may lack. Returns, for each
/// vertex after a `/`, whether this `/` is the beginning of an optional end.
///
/// Optional ends are `/` (a trailing slash does not matter), `/*` (`/buy/*` also matches `/buy`),
/// and `/*/`, which is `/*` with a trailing slash. A run of slashes counts as one slash, and a run
/// of stars as one star.
func optionalTails(of graph: TokenGraph) -> [Bool] {
  var slashes = [Bool](repeating: false, count: graph.vertices.count)
  var starsThenSlashes = slashes
  var tails = slashes
  for index in graph.vertices.indices.reversed() {
    switch graph.vertices[index] {
    case .end:
      slashes[index] = true
      starsThenSlashes[index] = true
      tails[index] = true
    case .branch(let targets):
      slashes[index] = targets.contains { slashes[$0] }
      starsThenSlashes[index] = targets.contains { starsThenSlashes[$0] }
      tails[index] = targets.contains { tails[$0] }
    case .slash(let next):
      slashes[index] = slashes[next]
      starsThenSlashes[index] = slashes[next]
      tails[index] = tails[next]
    case .anyRun(let next):
      starsThenSlashes[index] = starsThenSlashes[next]
      tails[index] = starsThenSlashes[next]
    case .symbols: break
    }
  }
  return tails
}
