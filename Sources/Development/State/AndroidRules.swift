internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// What an `assetlinks.json` beside the association file says about links on Android.
struct AndroidRules: Sendable {
  private let source: SourceText
  /// Nil if it is not a list that Android can read.
  private let apps: [LinkedApp]?

  /// Nil if none of the paths has a file.
  init?(readingFirstOf paths: [String]) {
    for path in paths {
      guard let content = try? readContent(path, limit: DevLimits.fileBytes) else { continue }
      source = SourceText(path: path, bytes: content.bytes)
      apps = AssetLinksFile(source).list?.linkedApps
      return
    }
    return nil
  }

  /// Changes with the content.
  var name: String { versionName(source.bytes) }

  /// The apps that a URL opens, for a list of URLs; nil if that is not known.
  func opens(_ url: String) -> [String]? {
    guard let apps, let url = try? AndroidURL(url) else { return nil }
    return apps.filter { $0.outcome(url).opens }.map(\.packageName)
  }

  /// The decisions about a URL, with their reasons.
  func json(_ url: String) -> String {
    let decisions = (try? AndroidURL(url)).map { url in
      (apps ?? []).map { app in
        let outcome = app.outcome(url)
        return jsonObject([
          ("app", jsonString(app.packageName)), ("result", jsonString(outcome.word.rawValue)),
          ("reason", jsonString(app.reason(outcome, in: source))),
        ])
      }
    }
    return jsonObject([
      ("file", jsonString(source.path)), ("isReadable", String(apps != nil)),
      ("apps", jsonArray(decisions ?? [])),
    ])
  }
}

extension Optional where Wrapped == AndroidRules {
  /// The apps that a URL opens as JSON; null without a file.
  func opensJSON(_ url: String) -> String {
    flatMap { $0.opens(url) }.map { jsonArray($0.map(jsonString)) } ?? "null"
  }
}
