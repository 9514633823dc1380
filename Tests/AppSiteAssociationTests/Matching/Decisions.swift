import AppSiteAssociation
import Diagnostics
import JSON
import Rules

/// The expected words of `aasa match`.
enum Verdict: String, Sendable {
  case opens, blocked, browser
}

func association(_ json: String) throws -> Association {
  try Association(document(json).root)
}

func document(_ json: String) throws -> Document {
  try Document(parsing: SourceText(path: "test.json", bytes: Array(json.utf8)))
}

func decide(_ matcher: Matcher, _ url: String, app: String, domain: String?) -> RuleDecision {
  let bytes = Array(url.utf8)
  return matcher.decide(bytes.span, app: app, domain: domain.flatMap(Domain.init))
}

func verdict(_ decision: RuleDecision) -> Verdict {
  switch decision {
  case .match: .opens
  case .exclude: .blocked
  case .noMatch: .browser
  }
}

extension LinkOutcome {
  init(_ decision: RuleDecision) {
    switch decision {
    case .match: self = .opens
    case .exclude: self = .blocked
    case .noMatch: self = .browser
    }
  }
}

/// The verdict for app `A.b` on `example.com`, for a file with one entry.
func verdict(components: String, _ url: String, applinks: String = "") throws -> Verdict {
  let file = try association(
    #"{"applinks": {"details": [{"appID": "A.b", "components": \#(components)}]\#(applinks)}}"#)
  return verdict(
    decide(
      try Matcher(file), url.hasPrefix("/") ? "https://example.com" + url : url, app: "A.b",
      domain: "example.com"))
}

extension EntryReachability {
  /// The rules of a file's only entry.
  init(_ rules: [Rule], _ variables: SubstitutionVariables) {
    var compiling = ReachabilityLimits.compiling
    self.init(rules, variables, compiling: &compiling)
  }
}
