internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import JSON
internal import Keeping

/// The state of `aasa dev`, except the list of requests.
struct DevFacts: Sendable {
  /// The version of the association file that is served; nil if no valid file has been read yet.
  var version: SiteVersion?
  /// The path of the association file; nil if the file was generated from the command line.
  var path: String?
  /// The text of the current file. The served version may be older.
  var source: SourceText
  var diagnostics: [Diagnostic]
  /// The names of earlier versions of the association file.
  var earlier: [String] = []
  /// The effects on users of the last change to the file, one effect per line.
  var changes: [String] = []
  var site: PublicName
  /// The last fetch of the association file by a device; nil if no device has fetched the file.
  var device: SeenFetch?
  /// The last fetch of the association file by Apple's CDN; nil if the CDN has not fetched the
  /// file.
  var cdn: SeenFetch?
  var cases = CaseList(path: nil)
  /// The files of the host that are not the association file, such as `page.html`.
  var siblings = SiblingFiles(beside: nil)
  /// The rules of the host's `assetlinks.json`; nil if the host has no `assetlinks.json`.
  var android: AndroidRules? { siblings.android }

  /// Why `page.html` is not served; nil if `page.html` is served or does not exist.
  var faultOfPage: Diagnostic? { siblings.page == nil ? nil : version?.page.fault }

  /// Whether the current content of the association file is served.
  var isServed: Bool { version.map { $0.bytes == source.bytes } ?? false }

  /// What the developer should see first: a state, and one sentence. If the current file has an
  /// error, the sentence is about the error. Otherwise it is about the version that the device has.
  /// The CDN's version is ignored, because devices in developer mode do not use the CDN.
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

  /// Links on the public host that the user can tap on a phone.
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

  /// The entitlement entries for `applinks` and for all other services in the file.
  var entitlements: [String] {
    guard let host = site.host else { return [] }
    let named = version?.document.root.members.map(\.key) ?? []
    return Association.serviceNames
      .filter { $0 == "applinks" || named.contains($0) }.map { "\($0):\(host)?mode=developer" }
  }
}

/// The public name at which the file is served, and the state of the tunnel.
struct PublicName: Sendable, Equatable {
  enum State: String, Sendable { case starting, open, failed, none }

  var host: String?
  var origin: String?
  /// The kind of tunnel: `cloudflared`, `ngrok`, `command` or `none`.
  var tunnel: String
  var state: State
  /// A sentence about the state of the tunnel.
  var message: String?
  /// Why the public cannot get the file, as one sentence; nil if no problem is known.
  var problem: String?
}

/// A fetch of the association file by a device or by Apple's CDN.
struct SeenFetch: Sendable {
  /// The name of the client's class, for example Apple's CDN.
  let who: String
  /// When the file was fetched, in milliseconds since 1970.
  let time: Int64
  let version: String

  var isByDevice: Bool { who == FetcherClass.appleDevice.name }

  /// Returns a sentence such as `14:03:22 a device fetched this version`.
  func sentence(current: String?) -> String {
    let start = "\(timeOfDay(time)) \(isByDevice ? "a device" : "Apple's CDN") fetched"
    if version == current { return start + " this version" }
    let help =
      isByDevice
      ? "install the app again, and the device fetches the file again"
      : "the CDN fetches the file again at its own pace"
    return "\(start) an older version: \(help)"
  }
}
