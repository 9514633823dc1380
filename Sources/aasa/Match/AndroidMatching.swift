internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// Matches URLs against the dynamic rules of a host's `assetlinks.json`.
struct AndroidMatching {
  private let source: SourceText
  private let apps: [LinkedApp]

  /// Nil if the file cannot be read, which is reported.
  init?(_ path: String) {
    do throws(SystemError) {
      source = SourceText(path: path, bytes: try readFile(path, limit: Self.largestFile))
    } catch {
      printError("error: \(error)")
      return nil
    }
    guard let list = AssetLinksFile(source).list else {
      printError("error: \(path) is not a list of statements; aasa validate says why")
      return nil
    }
    apps = list.linkedApps
  }

  private static let largestFile = 1 << 20

  /// The decisions on one URL.
  struct Result {
    fileprivate let outcomes: [(app: LinkedApp, outcome: LinkedApp.Outcome)]
    fileprivate let source: SourceText
    fileprivate let url: AndroidURL

    var opens: Bool { outcomes.contains { $0.outcome.opens } }
  }

  /// Nil if it is not a URL.
  func result(_ url: String) -> Result? {
    guard let url = try? AndroidURL(url) else { return nil }
    return Result(outcomes: apps.map { ($0, $0.outcome(url)) }, source: source, url: url)
  }
}

extension AndroidMatching.Result {
  /// `org.swift.shop: opens`, for each app.
  var cells: [String] {
    outcomes.isEmpty
      ? ["no app"] : outcomes.map { "\($0.app.packageName): \($0.outcome.word.rawValue)" }
  }

  /// A line with the reason for each app, and if asked for one for each rule that was tried.
  func text(explaining: Bool) -> String {
    let lines = outcomes.flatMap { app, outcome in
      [
        "  Android \(app.packageName): \(outcome.word.rawValue): "
          + app.reason(outcome, in: source)
      ] + (explaining ? tried(app, outcome) : [])
    }
    return lines.map { escapingControls($0) + "\n" }.joined()
  }

  private func tried(_ app: LinkedApp, _ outcome: LinkedApp.Outcome) -> [String] {
    (app.rules ?? []).prefix((outcome.rule ?? .max - 1) + 1).map { rule in
      let place = source.place(of: rule.range)
      return "    \(source.path):\(place.line):\(place.column): "
        + (rule.mismatch(url).map { "not matched: \($0)" } ?? "matched: \(rule.text)")
    }
  }

  var json: String {
    jsonObject([
      ("file", jsonString(source.path)),
      (
        "apps",
        jsonArray(
          outcomes.map { app, outcome in
            let rule = outcome.rule.flatMap { app.rules?[$0] }
            let place = rule.map { source.place(of: $0.range) }
            return jsonObject([
              ("app", jsonString(app.packageName)), ("decision", jsonString(decision(outcome))),
              ("rule", outcome.rule.map { String($0) }), ("line", place.map { String($0.line) }),
              ("column", place.map { String($0.column) }),
            ])
          })
      ),
    ])
  }

  private func decision(_ outcome: LinkedApp.Outcome) -> String {
    switch outcome {
    case .opensAll, .opens: "match"
    case .blocked: "exclude"
    case .browser: "no_match"
    }
  }
}
