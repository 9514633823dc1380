internal import Rules

/// Says which letters of a pattern match in either case.
struct CaseFolding: OptionSet {
  let rawValue: UInt8

  static let ascii = CaseFolding(rawValue: 1)
  static let otherLetters = CaseFolding(rawValue: 2)
  /// The letters in the codes of `$(region)` and `$(lang)`.
  static let codes = CaseFolding(rawValue: 4)

  static let all: CaseFolding = [.ascii, .otherLetters, .codes]
}

/// A pattern as a graph, in which the variables are replaced by their values. Each route from the
/// first vertex to the end vertex is a sequence of character sets and stars. The pattern matches
/// the texts of all these sequences.
///
/// Edges lead only to higher-numbered vertices. So one pass over the vertices in their order visits
/// each vertex after its predecessors.
struct TokenGraph {
  enum Vertex {
    /// A character of the set, then the next vertex.
    case symbols(SymbolSet, next: Int)
    /// A `/` that is literal in the pattern or in a variable's value.
    case slash(next: Int)
    /// A `*`, then the next vertex.
    case anyRun(next: Int)
    /// A choice between vertices. The choice itself reads no character. For an undefined variable,
    /// the list of vertices is empty, so the pattern matches nothing.
    case branch([Int])
    case end
  }

  private(set) var vertices: [Vertex] = []
  private let folding: CaseFolding
  private let limit: Int

  /// Throws if the graph would exceed `limit` vertices.
  init(
    _ syntax: PatternSyntax, variables: SubstitutionVariables, folding: CaseFolding, limit: Int
  ) throws(PatternsTooLarge) {
    self.folding = folding
    self.limit = limit
    for part in syntax.parts {
      switch part.token {
      case .variable(let name): try appendVariable(name, variables)
      case let token: try append(token)
      }
    }
    try append(.end)
  }

  private mutating func append(_ vertex: Vertex) throws(PatternsTooLarge) {
    guard vertices.count < limit else { throw PatternsTooLarge() }
    vertices.append(vertex)
  }

  private mutating func append(_ token: PatternSyntax.Token) throws(PatternsTooLarge) {
    let next = vertices.count + 1
    switch token {
    case .literal("/"): try append(.slash(next: next))
    case .literal(let scalar):
      let folds = folding.contains(scalar.isASCII ? .ascii : .otherLetters)
      try append(.symbols(SymbolSet(scalar, foldingCase: folds), next: next))
    case .anyCharacter: try append(.symbols(.any, next: next))
    case .anyRun: try append(.anyRun(next: next))
    case .variable: try append(.branch([]))
    }
  }

  private mutating func appendVariable(
    _ name: String, _ variables: SubstitutionVariables
  ) throws(PatternsTooLarge) {
    if let variable = variables[name] {
      let values = variable.values.map { PatternSyntax($0.value, isVariableValue: true) }
      try appendAlternatives(values.count) { (graph, index) throws(PatternsTooLarge) in
        for part in values[index].parts { try graph.append(part.token) }
      }
      return
    }
    // The names of predefined variables are case-sensitive too.
    guard let predefined = PredefinedVariable(rawValue: name) else {
      return try append(.branch([]))
    }
    if let characters = predefined.characters {
      let set = SymbolSet(ascii: characters, foldingCase: folding.contains(.ascii))
      try append(.symbols(set, next: vertices.count + 1))
    } else {
      try appendCodes(predefined.codeGroups ?? [])
    }
  }

  private mutating func appendCodes(
    _ groups: [ISOCodes.Group]
  ) throws(PatternsTooLarge) {
    try appendAlternatives(groups.count) { (graph, index) throws(PatternsTooLarge) in
      let group = groups[index]
      let folds = !graph.folding.isDisjoint(with: [.ascii, .codes])
      for letters in group.start.utf8.map({ [$0] }) + [group.lastLetters] {
        let set = SymbolSet(ascii: letters, foldingCase: folds)
        try graph.append(.symbols(set, next: graph.vertices.count + 1))
      }
    }
  }

  /// Appends a branch, the alternatives built by `appendOne`, and the vertex where they meet.
  private mutating func appendAlternatives(
    _ count: Int, _ appendOne: (inout TokenGraph, Int) throws(PatternsTooLarge) -> Void
  ) throws(PatternsTooLarge) {
    let branch = vertices.count
    try append(.branch([]))
    var starts: [Int] = []
    var ends: [Int] = []
    for index in 0..<count {
      starts.append(vertices.count)
      try appendOne(&self, index)
      ends.append(vertices.count)
      try append(.branch([]))
    }
    vertices[branch] = .branch(starts)
    guard count > 0 else { return }
    // Let all ends lead to the next vertex, where the alternatives meet.
    for end in ends { vertices[end] = .branch([vertices.count]) }
  }
}
