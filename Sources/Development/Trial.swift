internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Rules

/// The effect of a URL by the current rules, and the reason.
struct Trial {
  let url: String
  /// Why the effect is unknown; one sentence.
  private(set) var error: String?
  private(set) var host: String?
  /// Whether it is a URL of the public host; true if that is unknown.
  private(set) var hostMatches = true
  private(set) var opens: [Opening] = []
  /// The effect in one sentence.
  private(set) var sentence = ""
  private var blocked: [Opening] = []
  private let version: SiteVersion?
  private let lines: LineIndex

  struct Opening {
    let app: String
    let reference: RuleReference
    let line: Int
    /// `3rd component of details[0]`
    let name: String
    /// The rule as the file has it.
    let written: String
  }

  /// - Parameter publicHost: Nil if it is unknown.
  init(_ url: String, _ version: SiteVersion?, publicHost: String?) {
    self.url = url
    self.version = version
    lines = LineIndex(version?.document.source.bytes ?? [])
    let bytes = Array(url.utf8)
    guard bytes.count <= DevLimits.urlBytes else {
      error = "the URL has more than \(DevLimits.urlBytes) bytes"
      return
    }
    do throws(URLFault) {
      let parts = try URLParts(bytes.span)
      host =
        parts.host.map { String(decoding: bytes[$0], as: UTF8.self).lowercased() } ?? publicHost
      hostMatches = publicHost == nil || host == publicHost
    } catch {
      self.error = error.message
      return
    }
    guard let version else {
      error = "there is no valid file yet"
      return
    }
    for (app, decision) in version.decisions(url) {
      switch decision {
      case .match(let reference): opens += opening(app, reference)
      case .exclude(let reference): blocked += opening(app, reference)
      case .noMatch: break
      }
    }
    sentence = words(version)
  }

  private func words(_ version: SiteVersion) -> String {
    let other = hostMatches ? "" : "; its host is another one, whose own file counts there"
    if let first = opens.first {
      let apps = opens.map(\.app)
      let shown = apps.prefix(3).joined(separator: " and ")
      let more = apps.count > 3 ? " and \(apps.count - 3) more" : ""
      return "opens \(shown)\(more), by the \(first.name) in line \(first.line)\(other)"
    }
    if let first = blocked.first {
      return "stays in the browser: the \(first.name) in line \(first.line) excludes it\(other)"
    }
    let apps = version.matcher.appIdentifiers
    if apps.isEmpty { return "stays in the browser: the file names no app for links" }
    let count = version.association.applinks?.entries.reduce(0) { $0 + $1.rules.count } ?? 0
    switch count {
    case 0: return "stays in the browser: the file has no rules"
    case 1: return "stays in the browser: the only rule does not match\(other)"
    default: return "stays in the browser: none of the \(count) rules matches\(other)"
    }
  }

  private func opening(_ app: String, _ reference: RuleReference) -> [Opening] {
    guard let version, let entry = version.association.applinks?.entries[reference.entry] else {
      return []
    }
    let rule = entry.rules[reference.rule]
    let position =
      switch entry.position {
      case .index(let index): "details[\(index)]"
      case .identifier(let name): "details[\"\(name)\"]"
      }
    let kind = entry.ruleForm == .paths ? "path" : "component"
    return [
      Opening(
        app: app, reference: reference, line: line(of: rule),
        name: "\(ordinal(rule.index + 1)) \(kind) of \(position)",
        written: rule.line(in: version.document.source))
    ]
  }

  private func line(of rule: Rule) -> Int { lines.line(of: rule.source.range.lowerBound) + 1 }

  // MARK: JSON

  /// - Parameter android: Nil if there is no `assetlinks.json`.
  func json(_ android: AndroidRules?) -> String {
    let (rows, isTruncated) = rules
    return jsonObject([
      ("url", jsonString(url)), ("error", jsonText(error)), ("host", jsonText(host)),
      ("hostMatches", String(hostMatches)), ("service", jsonString("applinks")),
      ("sentence", jsonText(error == nil ? sentence : nil)),
      (
        "opens",
        jsonArray(
          opens.map {
            jsonObject([
              ("app", jsonString($0.app)), ("rule", jsonString($0.name)), ("line", String($0.line)),
            ])
          })
      ), ("android", error == nil ? android?.json(url) ?? "null" : "null"),
      ("rules", jsonArray(rows)), ("truncated", String(isTruncated)),
    ])
  }

  /// Every rule of every app. Apps that a rule decides about come first, and of each app that rule;
  /// the others follow in the order in which they are tried.
  private var rules: (rows: [String], isTruncated: Bool) {
    guard error == nil, let version, let applinks = version.association.applinks else {
      return ([], false)
    }
    let bytes = Array(url.utf8)
    var explainer = Explainer(version.association, version.matcher)
    var rows: [String] = []
    let decided = opens.map(\.app) + blocked.map(\.app)
    for app in decided + version.matcher.appIdentifiers.filter({ !decided.contains($0) }) {
      guard let index = version.matcher.appIndex(app),
        let explanation = try? explainer.explain(bytes.span, app: app, domain: nil)
      else { continue }
      let all = applinks.entries[version.matcher.entryIndex(ofApp: index)].rules
      let deciding = explanation.trials.firstIndex(where: \.isMatch)
      let order = (deciding.map { [$0] } ?? []) + all.indices.filter { $0 != deciding }
      for number in order {
        let rule = all[number]
        if rows.count == DevLimits.trialRules { return (rows, true) }
        let trial = number < explanation.trials.count ? explanation.trials[number] : nil
        rows.append(
          jsonObject([
            ("app", jsonString(app)), ("line", String(line(of: rule))),
            ("rule", jsonString(rule.line(in: version.document.source))),
            ("result", jsonString(result(trial, rule))), ("reason", jsonText(trial?.sentence)),
          ]))
      }
    }
    return (rows, false)
  }

  private func result(_ trial: RuleTrial?, _ rule: Rule) -> String {
    guard let trial else { return "not reached" }
    if !trial.isMatch { return "no match" }
    return rule.isExclusion ? "excludes" : "matches"
  }
}

/// `1st`, `2nd`, `3rd`, `11th`
private func ordinal(_ number: Int) -> String {
  switch (number % 10, number % 100) {
  case (_, 11...13): "\(number)th"
  case (1, _): "\(number)st"
  case (2, _): "\(number)nd"
  case (3, _): "\(number)rd"
  default: "\(number)th"
  }
}
