internal import AppSiteAssociation
internal import Diagnostics

/// How things stand, apart from the requests that were made.
struct DevFacts: Sendable {
  /// Nil when nothing valid was there yet.
  var version: SiteVersion?
  /// Nil when the file was made from the command line.
  var path: String?
  /// The file as it is now; what is served may be the version before.
  var source: SourceText
  var diagnostics: [Diagnostic]
  /// The names of versions that were served before.
  var earlier: [String] = []
  /// What the last change meant for users, a line each.
  var changes: [String] = []
  var site: PublicName
  var fetch: Fetch?
  var cases = CaseList(path: nil)

  /// Whether the file as it is now is what is served.
  var isServed: Bool { version.map { $0.bytes == source.bytes } ?? false }

  /// Links on the public host to tap.
  var links: [(url: String, opens: String?)] {
    guard let host = site.host else { return [] }
    let known = cases.links(on: host, version)
    if !known.isEmpty { return known }
    return (version?.examples ?? []).prefix(DevLimits.links).map {
      ("https://" + host + $0.reference, $0.app)
    }
  }

  /// What to paste into the app.
  var entitlement: String? { site.host.map { "applinks:\($0)?mode=developer" } }
}

/// Under which name everybody reaches the file.
struct PublicName: Sendable, Equatable {
  enum State: String, Sendable { case starting, open, failed, none }

  var host: String?
  var origin: String?
  /// `cloudflared`, `ngrok`, `command` or `none`.
  var tunnel: String
  var state: State
  /// One sentence about the tunnel.
  var message: String?
  /// One sentence: what stands between everybody and the file.
  var problem: String?
}

/// The last time that a device, or Apple's CDN, took the file.
struct Fetch: Sendable {
  let fetcher: String
  /// Milliseconds since 1970.
  let time: Int64
  let version: String

  /// `14:03:22 a device fetched this version`
  func sentence(current: String?) -> String {
    let who = fetcher == "apple-cdn" ? "Apple's CDN" : "a device"
    let moment = timeOfDay(time)
    if version == current { return "\(moment) \(who) fetched this version" }
    let help =
      fetcher == "apple-cdn"
      ? "it asks again in its own time" : "install the app again, and the device asks again"
    return "\(moment) \(who) fetched an older version: \(help)"
  }
}
