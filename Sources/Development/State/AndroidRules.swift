internal import Catalog
internal import Diagnostics
internal import DigitalAssetLinks
internal import Rules

/// The rules of the `assetlinks.json` that belongs to the same host as the association file.
struct AndroidRules: Sendable {
  private let source: SourceText
  /// The compiled rules; nil if the file is not a list of statements that Android can read.
  private let links: AndroidLinks?

  init(_ file: AssetLinksFile) {
    source = file.source
    links = AndroidLinks(file)
  }

  /// The package names of the apps in the file.
  var apps: [String] { links?.apps ?? [] }

  /// The name of this version of the file. The name changes whenever the content changes.
  var name: String { versionName(source.bytes) }

  /// Returns the apps that a URL opens; nil if Android cannot read the file.
  func opens(_ url: String) -> [String]? {
    links.map { links in
      decisions(url, links).filter { $0.decision.outcome == .opens }.map(\.app)
    }
  }

  /// Returns, for each app, whether a URL opens the app and why. The result is JSON.
  func json(_ url: String) -> JSONTree {
    let apps = links.map { decisions(url, $0) } ?? []
    return [
      "file": source.path.json, "isReadable": (links != nil).json,
      "apps": .array(
        apps.map { app, decision in
          [
            "app": app.json, "result": decision.outcome.rawValue.json,
            "reason": decision.words(in: source).json,
          ]
        }),
    ]
  }

  private func decisions(
    _ url: String, _ links: AndroidLinks
  ) -> [(app: String, decision: LinkDecision)] {
    Array(zip(links.apps, links.decide(url, for: links.apps)))
  }
}

extension Optional where Wrapped == AndroidRules {
  /// Returns the apps that a URL opens, as JSON. The result is null if there is no
  /// `assetlinks.json`, or if Android cannot read it.
  func opensJSON(_ url: String) -> JSONTree {
    flatMap { $0.opens(url) }?.json ?? .null
  }
}
