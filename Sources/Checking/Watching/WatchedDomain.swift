/// A domain of this server, and the files that this server should serve for the domain.
package struct WatchedDomain: Sendable {
  /// The domain as listed, such as `example.com` or `*.example.com`.
  package let name: String
  /// The host for which Apple fetches the file.
  let host: String
  /// The association file that this server serves now; nil if there is no version to compare with.
  let association: [UInt8]?
  /// The Android file that this server serves now; nil to skip it.
  let assetLinks: [UInt8]?
  /// The caller's number for these two files. This module only passes it on.
  package let version: UInt64?
  /// Whether the last check found the domain failing.
  let wasFailing: Bool

  package init(
    name: String, host: String, association: [UInt8]?, assetLinks: [UInt8]?, version: UInt64?,
    wasFailing: Bool
  ) {
    self.name = name
    self.host = host
    self.association = association
    self.assetLinks = assetLinks
    self.version = version
    self.wasFailing = wasFailing
  }
}

/// The next step of a watch.
package enum WatchTurn: Sendable {
  /// Check the next domain of the round, or a domain that has changed.
  case inRound(WatchedDomain)
  /// Check a domain outside the rounds, at the domain's own pace.
  case betweenRounds(WatchedDomain)
  case endOfRound
  case nothing
}
