import Diagnostics
import JSON
import Rules
import TestRunning
import Testing

@testable import AppSiteAssociation

/// Whatever the file and the URL are, there is an answer.
@Suite struct GarbageTests {
  private static let file = #"""
    {"applinks": {"apps": [], "defaults": {"caseSensitive": false, "?": {"a": "1"}},
      "substitutionVariables": {"x": ["a*", "?", "", "/", "é"], "y": []},
      "details": [{"appIDs": ["A.b", "A.c"], "appID": "A.d", "defaults": {"percentEncoded": false},
        "components": [{"/": "/$(x)/$(lang)_$(region)/*", "#": "$(digit)", "exclude": true},
          {"?": "a=?*", "comment": "x"}, {"/": "/a%20b/$(y", "?": {"q": "*"}}],
        "paths": ["NOT /x/*", "*"]}]}, "webcredentials": {"apps": ["A.b"]}}
    """#
  private static let url = "https://user@example.com:443/a//%C3%A9/b%2F?a=1&b=%FF&a#7"

  private func mutated(
    _ bytes: [UInt8], _ generator: inout SeededGenerator, _ alphabet: [UInt8]
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let index = bytes.indices.randomElement(using: &generator) ?? 0
      let byte = alphabet.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0...4, using: &generator) {
      case 0: bytes[index] = byte
      case 1: bytes.insert(byte, at: index)
      case 2: bytes.remove(at: index)
      case 3: bytes.removeSubrange(index..<min(bytes.count, index + 9))
      default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 9)], at: index)
      }
    }
    return bytes
  }

  @Test func `a mutated URL is answered`() throws {
    let links = try AppleLinks(document(Self.file), domain: Domain("example.com"))
    var generator = SeededGenerator(state: 1)
    let alphabet = Array(":/?#[]@%&=+.\\ \u{7F}aZ0*$()".utf8) + [0, 0x80, 0xC3, 0xFF]
    var bytes = Array(Self.url.utf8)
    for round in 0..<rounds(1_000, stress: 8_000) {
      bytes = round % 8 == 0 ? Array(Self.url.utf8) : mutated(bytes, &generator, alphabet)
      _ = links.matcher.decide(bytes.span, app: "A.b", domain: Domain("example.com"))
      if round % 50 == 0 {
        let url = String(decoding: bytes, as: UTF8.self)
        let trials = try links.trials(of: url, app: "A.b")
        for trial in trials { #expect(!trial.sentence.isEmpty) }
        // The rules that are tried end with the one that decides.
        let deciding = links.decide(url, for: ["A.b"]).compactMap(\.rule)
        #expect(trials.suffix(1).filter(\.isMatch).map(\.rule) == deciding)
        #expect(trials.dropLast().allSatisfy { !$0.isMatch })
      }
    }
  }

  @Test func `a mutated file is read and answers`() {
    var generator = SeededGenerator(state: 2)
    let alphabet = Array("{}[]:,\"*?$()/ 5tfn".utf8)
    let url = Array(Self.url.utf8)
    var read = 0
    let files = rounds(500, stress: 4_000)
    for _ in 0..<files {
      let bytes = mutated(Array(Self.file.utf8), &generator, alphabet)
      guard let document = try? Document(parsing: SourceText(path: "x", bytes: bytes)) else {
        continue
      }
      read += 1
      let file = Association(document.root)
      guard let matcher = try? Matcher(file) else {
        Issue.record("too large")
        continue
      }
      for app in matcher.appIdentifiers { _ = matcher.decide(url.span, app: app, domain: nil) }
    }
    #expect(read > files / 10, "\(read)")
  }

  @Test func `a pattern of many stars takes no time`() throws {
    let pattern = String(repeating: "*a", count: 60) + "*b"
    let automaton = try PatternAutomaton(
      pattern, subject: .text, variables: noVariables(), caseSensitive: true)
    let text = [UInt32](repeating: 0x61, count: 10_000)
    var isMatch = true
    let time = processorTime { isMatch = automaton.matches(text.span) }
    #expect(!isMatch)
    // 12 µs when optimised; this is for builds that are not.
    #expect(time < .seconds(5))
  }

  private func noVariables() throws -> SubstitutionVariables {
    try #require(association(#"{"applinks": {}}"#).applinks).variables
  }
}

/// The limits on patterns: at each, and one past it.
@Suite struct PatternLimitTests {
  private func automaton(
    _ pattern: String, states: Int = .max, words: Int = .max
  ) throws -> PatternAutomaton {
    let variables = try #require(association(#"{"applinks": {}}"#).applinks).variables
    return try PatternAutomaton(
      pattern, subject: .text, variables: variables, caseSensitive: true, stateLimit: states,
      wordLimit: words)
  }

  @Test func `states`() throws {
    #expect(try automaton("abc", states: 4).stateCount == 4)
    #expect(throws: PatternsTooLarge.self) { try automaton("abc", states: 3) }
  }

  @Test func `tables`() throws {
    let words = try automaton("abc").tableWords
    #expect(try automaton("abc", words: words).tableWords == words)
    #expect(throws: PatternsTooLarge.self) { try automaton("abc", words: words - 1) }
  }

  @Test func `the patterns of a file count together, equal ones once`() throws {
    let file = try association(
      ##"""
      {"applinks": {"details": [
        {"appID": "A.b", "components": [{"#": "abc"}, {"?": "abc"}, {"#": "abd"}]}]}}
      """##)
    #expect(throws: Never.self) { try Matcher(file, budget: Budget(operations: 8)) }
    #expect(throws: PatternsTooLarge.self) { try Matcher(file, budget: Budget(operations: 7)) }
  }

  static let large: [(values: Int, rules: Int, isTooLarge: Bool)] =
    [
      // Each rule has some 18,900 states, of 8,000,000.
      (2_000, 420, false), (2_000, 425, true), (10, 900, false),
    ] + (isStress ? [(2_000, 900, true)] : [])

  @Test(arguments: large)
  func `the rules warn of everything that the matcher refuses`(
    values: Int, rules: Int, isTooLarge: Bool
  )
    throws
  {
    let list = (0..<values).map { "\"value\($0)\"" }.joined(separator: ",")
    let components = (0..<rules).map { ##"{"#":"/\##($0)/$(v)"}"## }.joined(separator: ",")
    let text =
      #"{"applinks":{"details":[{"appIDs":["K27TX9P4QD.org.swift.shop"],"components":["#
      + components + #"]}],"substitutionVariables":{"v":["# + list + "]}}}"
    let report = validate(SourceText(path: "f", bytes: Array(text.utf8)))
    #expect(report.diagnostics.contains { $0.code == "A136" } == isTooLarge)
    // Sizes without a limit by Apple are not an error.
    #expect(report.count(.error) == 0)
    let applinks = try #require(association(text).applinks)
    let isRefused: Bool
    do throws(PatternsTooLarge) {
      try applinks.checkSize(MatchingLimits.compiling)
      isRefused = false
    } catch {
      isRefused = true
    }
    #expect(isRefused == isTooLarge)
    if isTooLarge { #expect(throws: PatternsTooLarge.self) { try Matcher(association(text)) } }
  }

  @Test(
    arguments: [
      "", "abc", "/a/*?", "/é😀", "$(alpha)x", "$(lang)-$(region)", "$(none)", "$(v)/$(v)", "$(x",
    ])
  func `a size is reported before anything is built`(pattern: String) throws {
    let applinks = try #require(
      association(#"{"applinks": {"substitutionVariables": {"v": ["a*b", "é", ""]}}}"#).applinks)
    var sizes = PatternSizes(applinks.variables)
    for caseSensitive in [true, false] {
      let graph = try TokenGraph(
        PatternSyntax(pattern), variables: applinks.variables, folding: caseSensitive ? [] : .all,
        limit: .max)
      let size = sizes.size(of: pattern)
      #expect(size.vertices == graph.vertices.count)
      let automaton = try PatternAutomaton(
        pattern, subject: .text, variables: applinks.variables, caseSensitive: caseSensitive)
      #expect(automaton.tableWords <= 2 * size.tableWords(foldingCase: !caseSensitive))
    }
  }
}
