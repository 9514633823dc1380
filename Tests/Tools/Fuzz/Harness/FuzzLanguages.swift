internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Rules

/// Two lists of short rules over few characters, made from the bytes: their decisions and
/// differences agree with those for all short URLs.
@Sendable func fuzzLanguages(_ bytes: [UInt8]) {
  var choices = Choices(bytes: bytes[...])
  let old = (0..<(1 + choices.next(4))).map { _ in choices.rule() }
  var new = old
  for _ in 0..<(1 + choices.next(2)) where !new.isEmpty {
    let place = choices.next(new.count)
    switch choices.next(4) {
    case 0: new.remove(at: place)
    case 1: new[place] = choices.rule()
    case 2: new.insert(choices.rule(), at: place)
    default: new.swapAt(place, choices.next(new.count))
    }
  }
  guard let left = RuleList(old), let right = RuleList(new) else {
    preconditionFailure("the lists are right and small")
  }
  left.checkReach()
  checkDifferences(left, right)
}

/// Bytes as choices; at their end, always the first choice.
private struct Choices {
  var bytes: ArraySlice<UInt8>

  mutating func next(_ bound: Int) -> Int { Int(bytes.popFirst() ?? 0) % bound }

  mutating func text(_ pieces: [String], upTo length: Int) -> String {
    (0..<next(length + 1)).map { _ in pieces[next(pieces.count)] }.joined()
  }

  mutating func rule() -> String {
    var members: [String] = []
    let form = next(6)
    if form < 4 {
      members.append(
        #""/": "\#(text(["a", "b", "/", "*", "?", "$(v)", "%61", "A"], upTo: 4))""#)
    }
    switch form {
    case 3, 4: members.append(#""?": "\#(text(["a", "=", "&", "*", "?"], upTo: 3))""#)
    case 5:
      let name = ["a", "b", ""][next(3)]
      members.append(#""?": {"\#(name)": "\#(text(["a", "*", "?"], upTo: 2))"}"#)
    default: break
    }
    let options = next(32)
    if options & 24 == 24 { members.append(##""#": "\##(text(["a", "*", "?"], upTo: 2))""##) }
    if options & 7 == 1 { members.append(#""caseSensitive": false"#) }
    if options & 7 == 2 { members.append(#""percentEncoded": false"#) }
    if options & 3 == 3 { members.append(#""exclude": true"#) }
    return "{" + members.joined(separator: ",") + "}"
  }
}

/// A list of components and which of them decides each short URL; -1 for none.
private struct RuleList {
  let file: Association
  private let matcher: Matcher
  private(set) var deciding: [Int] = []

  init?(_ rules: [String]) {
    let text =
      #"{"applinks": {"substitutionVariables": {"v": ["a", "/b", "*a"]}, "details": "#
      + #"[{"appID": "A.b", "components": [\#(rules.joined(separator: ","))]}]}}"#
    let source = SourceText(path: "fuzz", bytes: Array(text.utf8))
    guard let document = try? Document(parsing: source) else { return nil }
    file = Association(document.root)
    guard let matcher = try? Matcher(file) else { return nil }
    self.matcher = matcher
    deciding = urls.map { rule($0) }
  }

  private func rule(_ url: [UInt8]) -> Int {
    guard let texts = try? matcher.texts(of: url.span, domain: nil) else {
      fatalError("an example is a URL")
    }
    switch matcher.decide(texts, appAt: 0) {
    case .match(let reference), .exclude(let reference): return reference.rule
    case .noMatch: return -1
    }
  }

  func rule(_ example: String) -> Int { rule(Array(example.utf8)) }

  func checkReach() {
    guard let applinks = file.applinks, let entry = applinks.entries.first else { return }
    var compiling = ReachabilityLimits.compiling
    let reachability = EntryReachability(entry.rules, applinks.variables, compiling: &compiling)
    for rule in entry.rules.indices {
      var budget = Budget(operations: ReachabilityLimits.questionSteps)
      let reach = reachability.reach(of: rule, budget: &budget)
      let first = deciding.firstIndex(of: rule)
      switch reach {
      case .decides(let example):
        precondition(self.rule(example.reference) == rule)
        if let first { precondition(example.reference.utf8.count <= urls[first].count) }
      case .isCovered(let by, let example):
        precondition(first == nil && !by.isEmpty && by.allSatisfy { $0 < rule })
        precondition((0..<rule).contains(self.rule(example.reference)))
      case .matchesNothing: precondition(first == nil)
      case .unknown: break
      }
    }
  }

  func outcome(_ rule: Int) -> LinkOutcome {
    guard rule >= 0, let rules = file.applinks?.entries.first?.rules else { return .browser }
    return rules[rule].isExclusion ? .blocked : .opens
  }
}

private func checkDifferences(_ old: RuleList, _ new: RuleList) {
  var examples: [[Int]: Int] = [:]
  var isComplete = true
  for difference in differences(old: old.file, new: new.file, budget: Budget(operations: 200_000)) {
    if difference.kind == .notCompared { isComplete = false }
    // An app without rules does not count.
    guard let change = difference.change, difference.isDecision else { continue }
    let pair = [old.rule(change.example), new.rule(change.example)]
    precondition(old.outcome(pair[0]) == change.old && new.outcome(pair[1]) == change.new)
    precondition(change.old != change.new)
    examples[pair] = change.example.utf8.count
  }
  guard isComplete else { return }
  for (index, url) in urls.enumerated() {
    let pair = [old.deciding[index], new.deciding[index]]
    guard old.outcome(pair[0]) != new.outcome(pair[1]) else { continue }
    precondition(examples[pair] ?? .max <= url.count, "a shorter URL differs")
  }
}

/// Shortest first.
private let urls: [[UInt8]] = {
  func texts(_ pieces: [String], upTo length: Int) -> [String] {
    var all = [""]
    var last = [""]
    for _ in 0..<length {
      last = last.flatMap { text in pieces.map { text + $0 } }
      all += last
    }
    return all
  }
  let paths = texts(["a", "b", "/", "A"], upTo: 3).map { "/" + $0 } + ["/%61", "/a%61", "/%41"]
  let queries = texts(["a", "=", "&"], upTo: 3).flatMap { query in
    ["", "#a"].map { "/?" + query + $0 }
  }
  let others = ["/#a", "/a#a", "/a?a", "/b?a=a", "/?b=a", "/?b=a&a", "/?a=%61", "/?%61=a#aa"]
  // Two slashes begin a host.
  return (paths + queries + others).filter { !$0.hasPrefix("//") }.map { Array($0.utf8) }
    .sorted { $0.count < $1.count }
}()
