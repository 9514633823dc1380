internal import Diagnostics
internal import Rules

/// The effect of a URL according to the served rules, and the reason for this effect.
struct Trial {
  let url: String
  /// Why the effect of the URL is unknown, as one sentence; nil if the effect is known.
  private(set) var error: String?
  private(set) var host: String?
  /// Whether the URL's host is the public host; true if the public host is unknown.
  private(set) var hostMatches = true
  private(set) var opens: [Opening] = []
  /// The effect of the URL, in one sentence.
  private(set) var sentence = ""
  private var blocked: [Opening] = []
  /// The compiled rules; nil if there is no valid file.
  private let links: (any LinkFile)?
  private let lines: LineIndex

  struct Opening {
    let app: String
    let line: Int
    /// The name of the rule that decides, for example `3rd component of details[0]`.
    let name: String
    /// The rule as it is written in the file.
    let written: String
  }

  /// - Parameter publicHost: The public host; nil if it is unknown.
  init(_ url: String, _ version: SiteVersion?, publicHost: String?) {
    self.url = url
    links = version?.links
    lines = LineIndex(links?.source.bytes ?? [])
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
    guard let links else {
      error = "there is no valid file yet"
      return
    }
    for (app, decision) in zip(links.apps, links.decide(url, for: links.apps)) {
      guard let rule = decision.rule else { continue }
      let found = opening(app, rule, links.source)
      if decision.outcome == .opens { opens.append(found) } else { blocked.append(found) }
    }
    sentence = words(links)
  }

  private func words(_ links: any LinkFile) -> String {
    let other =
      hostMatches
      ? ""
      : "; the URL's host is not the public host, so the file of the URL's host decides"
    if let first = opens.first {
      let apps = opens.map(\.app)
      let shown = apps.prefix(3).joined(separator: " and ")
      let more = apps.count > 3 ? " and \(apps.count - 3) more" : ""
      return "opens \(shown)\(more): the \(first.name) in line \(first.line) matches\(other)"
    }
    if let first = blocked.first {
      return "stays in the browser: the \(first.name) in line \(first.line) excludes the "
        + "URL\(other)"
    }
    if links.apps.isEmpty { return "stays in the browser: the file lists no app for links" }
    let count = Set(links.apps.flatMap { links.rules(of: $0).map(\.range) }).count
    switch count {
    case 0: return "stays in the browser: the file has no rules"
    case 1: return "stays in the browser: the only rule does not match\(other)"
    default: return "stays in the browser: none of the \(count) rules matches\(other)"
    }
  }

  private func opening(_ app: String, _ rule: LinkRule, _ source: SourceText) -> Opening {
    let list = rule.entry.map { " of details[\($0.name)]" } ?? ""
    return Opening(
      app: app, line: line(of: rule), name: "\(ordinal(rule.index + 1)) \(rule.word)\(list)",
      written: source.excerpt(of: rule.range))
  }

  private func line(of rule: LinkRule) -> Int { lines.line(of: rule.range.lowerBound) + 1 }

  // MARK: The result as JSON

  /// - Parameter android: The rules of `assetlinks.json`; nil if there is no such file.
  func json(_ android: AndroidRules?) -> JSONTree {
    let (rows, isTruncated) = rules
    return [
      "url": url.json, "error": error?.json ?? .null, "host": host?.json ?? .null,
      "hostMatches": hostMatches.json, "service": "applinks",
      "sentence": error == nil ? sentence.json : .null,
      "opens": .array(
        opens.map { ["app": $0.app.json, "rule": $0.name.json, "line": $0.line.json] }),
      "android": (error == nil ? android?.json(url) : nil) ?? .null, "rules": .array(rows),
      "truncated": isTruncated.json,
    ]
  }

  /// All rules of all apps. First come the apps for which a rule decides about the URL. For each
  /// app, the deciding rule comes first, and the app's other rules follow in the order of the file.
  private var rules: (rows: [JSONTree], isTruncated: Bool) {
    guard error == nil, let links else { return ([], false) }
    var rows: [JSONTree] = []
    let decided = opens.map(\.app) + blocked.map(\.app)
    for app in decided + links.apps.filter({ !decided.contains($0) }) {
      guard let trials = try? links.trials(of: url, app: app) else { continue }
      let all = links.rules(of: app)
      let deciding = trials.firstIndex(where: \.isMatch)
      let order = (deciding.map { [$0] } ?? []) + all.indices.filter { $0 != deciding }
      for number in order {
        if rows.count == DevLimits.trialRules { return (rows, true) }
        let trial = number < trials.count ? trials[number] : nil
        rows.append([
          "app": app.json, "line": line(of: all[number]).json,
          "rule": links.source.excerpt(of: all[number].range).json, "result": result(trial).json,
          "reason": trial?.sentence.json ?? .null,
        ])
      }
    }
    return (rows, false)
  }

  private func result(_ trial: LinkTrial?) -> String {
    guard let trial else { return "not reached" }
    if !trial.isMatch { return "no match" }
    return trial.rule.excludes ? "excludes" : "matches"
  }
}

/// Returns `1st`, `2nd`, `3rd`, `11th` and so on.
private func ordinal(_ number: Int) -> String {
  switch (number % 10, number % 100) {
  case (_, 11...13): "\(number)th"
  case (1, _): "\(number)st"
  case (2, _): "\(number)nd"
  case (3, _): "\(number)rd"
  default: "\(number)th"
  }
}
