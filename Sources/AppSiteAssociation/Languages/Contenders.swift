/// The rules that may still decide, of one list or of two that are compared, in order.
struct Contenders: Hashable {
  var first: [Int]
  var second: [Int] = []
}

/// What a search looks for.
enum SearchGoal: Equatable {
  /// A URL that this rule, the last of the first list, decides.
  case decision(of: Int)
  /// All pairs of rules that decide some URL differently.
  case differences
}

extension RuleSystem {
  /// Without the rules after one that decides whatever the rest of the URL is.
  func reduced(_ list: [Int], from part: URLPart?) -> [Int] {
    guard let end = list.firstIndex(where: { rules[$0].isUnrestricted(from: part) }) else {
      return list
    }
    return Array(list[...end])
  }

  /// Whether nothing can be found any more, given reduced lists.
  func isSettled(_ contenders: Contenders, _ goal: SearchGoal, from part: URLPart?) -> Bool {
    switch goal {
    case .decision(let rule): return contenders.first.last != rule
    case .differences:
      if isSameFuture(contenders, from: part) { return true }
      guard let left = constantDecision(contenders.first, from: part),
        let right = constantDecision(contenders.second, from: part)
      else { return false }
      return left == right
    }
  }

  /// Whether both lists ask the same from here on, in the same order.
  private func isSameFuture(_ contenders: Contenders, from part: URLPart?) -> Bool {
    guard contenders.first.count == contenders.second.count else { return false }
    let part = (part ?? .fragment).rawValue
    return zip(contenders.first, contenders.second).allSatisfy {
      rules[$0].identities[part] == rules[$1].identities[part]
    }
  }

  /// Rules whose failing settles the question, at least one of which must match: the one that is to
  /// decide; or of two lists those that are not in both of them at corresponding places, since
  /// without these both lists decide alike.
  func leading(_ contenders: Contenders, _ goal: SearchGoal, _ part: URLPart) -> [Int] {
    switch goal {
    case .decision(let rule): return [rule]
    case .differences:
      guard part == .path else { return [] }
      let (left, right) = (contenders.first, contenders.second)
      let changes = right.map { rules[$0].identities[part.rawValue] }
        .difference(from: left.map { rules[$0].identities[part.rawValue] })
      return changes.map { change in
        switch change {
        case .remove(let offset, _, _): left[offset]
        case .insert(let offset, _, _): right[offset]
        }
      }
    }
  }

  /// The decision that the list gives for every rest of the URL; nil when there may be several.
  func constantDecision(_ list: [Int], from part: URLPart?) -> LinkOutcome? {
    guard let last = list.last else { return .browser }
    guard rules[last].isUnrestricted(from: part) else { return nil }
    let isExclusion = rules[last].isExclusion
    guard list.allSatisfy({ rules[$0].isExclusion == isExclusion }) else { return nil }
    return isExclusion ? .blocked : .opens
  }

  func outcome(_ list: [Int]) -> LinkOutcome {
    guard let first = list.first else { return .browser }
    return rules[first].isExclusion ? .blocked : .opens
  }
}

/// What a file says about a URL for an app, for people.
package enum LinkOutcome: String, Sendable, Hashable, CaseIterable {
  /// The file permits that the URL opens the app.
  case opens
  /// A rule blocks it.
  case blocked
  /// No rule matches: the URL stays in the browser.
  case browser

  package init(_ decision: Decision) {
    switch decision {
    case .match: self = .opens
    case .exclude: self = .blocked
    case .noMatch: self = .browser
    }
  }
}
