internal import Rules

/// A pattern with its variables put in: a graph whose paths from the first vertex to an end spell
/// the texts that the pattern stands for, as sequences of character sets and stars.
///
/// Edges lead only to vertices with a greater number, so that one pass in order visits everything
/// after what leads to it.
struct TokenGraph {
  enum Vertex {
    /// One character of the set, then on to the next vertex.
    case symbols(SymbolSet, next: Int)
    /// A `/` that is literal in the pattern or in a variable's value.
    case slash(next: Int)
    /// `*`, then on to the next vertex.
    case anyRun(next: Int)
    /// Any of these, at once; none for a variable that is not defined.
    case branch([Int])
    case end
  }

  private(set) var vertices: [Vertex] = []
  private let foldingCase: Bool
  private let limit: Int

  /// Throws when the graph would have more than `limit` vertices.
  init(
    _ syntax: PatternSyntax, variables: SubstitutionVariables, caseSensitive: Bool, limit: Int
  ) throws(PatternsTooLarge) {
    foldingCase = !caseSensitive
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
      try append(.symbols(SymbolSet(scalar, foldingCase: foldingCase), next: next))
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
      let set = SymbolSet(ascii: characters, foldingCase: foldingCase)
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
      for scalar in group.start.unicodeScalars { try graph.append(.literal(scalar)) }
      let set = SymbolSet(ascii: group.lastLetters, foldingCase: graph.foldingCase)
      try graph.append(.symbols(set, next: graph.vertices.count + 1))
    }
  }

  /// Appends a branch, what `appendOne` appends for each alternative, and a vertex where all meet.
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
    // The next vertex is the meeting point.
    for end in ends { vertices[end] = .branch([vertices.count]) }
  }
}
