package import Diagnostics

/// The domains of a server, seen from outside.
extension Kind {
  static let nothingSeenFromOutside = Kind(
    "H050", "nothing-seen-from-outside",
    "the server should check its domains from outside, and reaches neither them nor Apple's CDN",
    "their state is unknown; it tries again at least once a minute", nil,
    severity: .warning,
    fix: "check this machine's resolver, and where it may connect to; behind a proxy set "
      + "HTTPS_PROXY; or turn it off with --check off")
  static let notServedOutside = Kind(
    "H051", "not-served-outside",
    "a domain of this server is not served as Apple asks, seen from outside",
    "new installations of the app may not open its links", nil, severity: .warning,
    fix: "aasa check shows the findings, and how to fix them; where a server cannot reach its own "
      + "public address, run the check on another one")
}

/// All kinds about domains seen from outside.
package let watchingKinds: [Kind] = [
  .nothingSeenFromOutside, .notServedOutside,
]
