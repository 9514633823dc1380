internal import Diagnostics
internal import JSON

struct CatchAllTakesMore: ValidationRule {
  static let code = "A072"
  static let severity = Diagnostic.Severity.note
  static let name = "catch-all-takes-more"
  static let documentation = RuleDocumentation(
    what: "a rule for every link also opens paths of signing in, of programs or of downloads",
    consequence:
      "a page that sends its visitors to such a path and waits for them in the browser will wait for ever",
    grade: .observed,
    wrong: #"{ "/": "*" }"#,
    right: #"""
      { "/": "/login*", "exclude": true },
      { "/": "/signin*", "exclude": true },
      { "/": "/oauth*", "exclude": true },
      { "/": "/auth/*", "exclude": true },
      { "/": "/api/*", "exclude": true },
      { "/": "/download*", "exclude": true },
      { "/": "*" }
      """#,
    in: .components)

  private static let probes = [
    "/login", "/signin", "/oauth/callback", "/auth/callback", "/api/v1/x", "/download/x.zip",
  ]

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let entries = file.association.applinks?.entries ?? []
    let catchAlls = entries.map { entry in
      entry.rules.first { $0.asksForNothing && !$0.isExclusion }
    }
    guard catchAlls.contains(where: { $0 != nil }),
      let matcher = try? Matcher(file.association)
    else { return }
    var context = MatchContext()
    for index in matcher.appIdentifiers.indices {
      let entry = matcher.entryIndex(ofApp: index)
      // Of several apps of an entry once.
      guard let rule = catchAlls[entry],
        entries[entry].appIdentifiers.first?.value == matcher.appIdentifiers[index]
      else { continue }
      let taken = probes.filter { probe in
        if matcher.prepare(Array(probe.utf8).span, domain: nil, in: &context) != nil {
          return false
        }
        guard case .match(let reference) = matcher.decide(appAt: index, in: &context) else {
          return false
        }
        return entries[entry].rules[reference.rule] === rule
      }
      if taken.isEmpty { continue }
      let isLegacy = rule.source.kind == .string
      findings.report(
        rule.head, "this also opens the app for \(taken.joined(separator: ", "))",
        help: "where such pages exist, exclude them before it: "
          + (isLegacy ? "`NOT \(taken[0])*`" : #"{"/": "\#(taken[0])*", "exclude": true}"#))
    }
  }
}
