internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import JSON
internal import Keeping

/// The state of `aasa dev`, without the requests.
struct DevFacts: Sendable {
  /// The served version; nil if there was no valid file yet.
  var version: SiteVersion?
  /// The path of the file; nil if it was generated from the command line.
  var path: String?
  /// The current file; the served version may be older.
  var source: SourceText
  var diagnostics: [Diagnostic]
  /// The names of earlier versions.
  var earlier: [String] = []
  /// The effects of the last change on users, one per line.
  var changes: [String] = []
  var site: PublicName
  /// The last fetch of the file by a device.
  var device: SeenFetch?
  /// The last fetch of the file by Apple's CDN.
  var cdn: SeenFetch?
  var cases = CaseList(path: nil)
  /// The other files of the host.
  var siblings = SiblingFiles(beside: nil)
  /// The rules of `assetlinks.json` beside the file; nil if it does not exist.
  var android: AndroidRules? { siblings.android }

  /// Why `page.html` is not served; nil if it is served or does not exist.
  var faultOfPage: Diagnostic? { siblings.page == nil ? nil : version?.page.fault }

  /// Whether the current file is the served file.
  var isServed: Bool { version.map { $0.bytes == source.bytes } ?? false }

  /// The most important state in one sentence. An error in the file has priority over the version
  /// on the device. The CDN does not matter, because devices in developer mode do not use it.
  var headline: (state: State, sentence: String) {
    if !isServed, diagnostics.contains(where: { $0.severity == .error }) {
      let served = version.map { "version \($0.name) is served instead" } ?? "nothing is served"
      return (.broken, "the file has an error: \(served)")
    }
    guard let device else { return (.waiting, "waiting for the phone") }
    let isCurrent = device.version == version?.name
    return (isCurrent ? .current : .older, device.sentence(current: version?.name))
  }

  enum State: String { case waiting, current, older, broken }

  /// Links on the public host, for tapping.
  var links: [(url: String, opens: String?)] {
    guard let host = site.host else { return [] }
    let known = cases.links(on: host, version)
    if !known.isEmpty { return known }
    return (version?.examples ?? []).prefix(DevLimits.links).map {
      ("https://" + host + $0.reference, $0.app)
    }
  }

  /// The entry to paste into the app's entitlements.
  var entitlement: String? { site.host.map { "applinks:\($0)?mode=developer" } }

  /// An entry for each service in the file.
  var entitlements: [String] {
    guard let host = site.host else { return [] }
    let named = version?.document.root.members.map(\.key) ?? []
    return Association.serviceNames
      .filter { $0 == "applinks" || named.contains($0) }.map { "\($0):\(host)?mode=developer" }
  }
}

/// The public name of the file.
struct PublicName: Sendable, Equatable {
  enum State: String, Sendable { case starting, open, failed, none }

  var host: String?
  var origin: String?
  /// `cloudflared`, `ngrok`, `command` or `none`.
  var tunnel: String
  var state: State
  /// One sentence about the tunnel.
  var message: String?
  /// Why the public cannot get the file, as one sentence; nil if it can.
  var problem: String?
}

/// A fetch of the file by a device or by Apple's CDN.
struct SeenFetch: Sendable {
  /// The class of the client.
  let who: String
  /// Milliseconds since 1970.
  let time: Int64
  let version: String

  var isByDevice: Bool { who == FetcherClass.appleDevice.name }

  /// `14:03:22 a device fetched this version`
  func sentence(current: String?) -> String {
    let start = "\(timeOfDay(time)) \(isByDevice ? "a device" : "Apple's CDN") fetched"
    if version == current { return start + " this version" }
    let help =
      isByDevice
      ? "install the app again, and the device fetches again" : "it fetches again at its own pace"
    return "\(start) an older version: \(help)"
  }
}
