import AppSiteAssociation
import Diagnostics
import JSON
import TestRunning
import Testing

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// The fast matcher against the definition.
@Suite struct PatternAgreementTests {
  private static let pieces = [
    "a", "b", "A", "/", "/", "//", "*", "*", "**", "?", "é", "0", "$(x)", "$(y)", "$(z)", "$(no)",
    "$(digit)", "$(upper)", "$(xdigit)", "$(", "$", "/*", "?*", "*/",
  ]
  private static let values = [
    "", "a", "/", "*", "?", "b/", "/a", "ab", "a*b", "/*", "A", "É", "$(x)",
  ]
  private static let letters = ["a", "a", "b", "A", "/", "/", "é", "É", "0", "$", "("]

  /// - Parameter isLarge: Whether there are enough values that the states take several words.
  @Test(arguments: [false, true], [false, true])
  func `the automaton agrees with the definition`(isPath: Bool, isLarge: Bool) throws {
    var generator = SeededGenerator(state: isPath ? 7 : 11)
    let fillers = isLarge ? [String(repeating: "b", count: 70)] : []
    func text(_ pieces: [String], _ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
    }
    var count = 0
    var matched = 0
    while count < rounds(10_000, stress: 30_000) {
      let variables = ["x", "y", "z"].map { name in
        let count = Int.random(in: 0...3, using: &generator)
        return (name, (0..<count).map { _ in text(Self.values, 1...1) } + fillers)
      }
      let pattern = text(Self.pieces, 0...6)
      let foldsCase = Bool.random(using: &generator)
      let reference = ReferenceMatcher(variables: variables, foldsCase: foldsCase)
      let automaton = try PatternAutomaton(
        pattern, subject: isPath ? .path : .text, variables: substitutionVariables(variables),
        caseSensitive: !foldsCase)
      for _ in 0..<8 {
        var candidate = text(Self.letters, 0...7)
        if isPath { candidate = normalPath(candidate) }
        let scalars = candidate.unicodeScalars.map(\.value)
        let isMatch = automaton.matches(scalars.span)
        let expected =
          isPath
          ? reference.matches(pattern, path: candidate)
          : reference.matches(pattern, text: candidate)
        if isMatch != expected {
          Issue.record("\(pattern) with \(variables), folding \(foldsCase): \(candidate)")
          return
        }
        #expect(accepts(automaton, scalars) == isMatch)
        count += 1
        matched += isMatch ? 1 : 0
      }
    }
    // A test in which nothing matches shows nothing.
    #expect(matched > count / 15, "\(matched) of \(count)")
  }

  /// The same by state sets, which serve algorithms on automata.
  private func accepts(_ automaton: PatternAutomaton, _ text: [UInt32]) -> Bool {
    var set = automaton.initialStates
    for symbol in text {
      set = automaton.step(set, symbolClass: automaton.symbolClass(of: symbol))
    }
    return automaton.isAccepting(set)
  }

  private func normalPath(_ text: String) -> String {
    var path = "/"
    for character in text where character != "/" || path.last != "/" { path.append(character) }
    if path.count > 1, path.last == "/" { path.removeLast() }
    return path
  }

  private func substitutionVariables(
    _ variables: [(String, [String])]
  ) throws -> SubstitutionVariables {
    func quoted(_ text: String) -> String { "\"\(text)\"" }
    let members = variables.map { name, values in
      quoted(name) + ": [" + values.map(quoted).joined(separator: ",") + "]"
    }
    let file = try association(
      #"{"applinks": {"substitutionVariables": {\#(members.joined(separator: ","))}}}"#)
    return try #require(file.applinks).variables
  }
}
