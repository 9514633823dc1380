/// A domain of this server, and the files that the server serves for it.
package struct WatchedDomain: Sendable {
  /// The domain as the configuration lists it, such as `example.com` or `*.example.com`.
  package let name: String
  /// The host from which Apple's systems fetch the domain's file.
  let host: String
  /// The association file that this server serves now. Nil if the server has no file to compare
  /// with the domain's file.
  let association: [UInt8]?
  /// The `assetlinks.json` that this server serves now; nil if this file is not checked.
  let assetLinks: [UInt8]?
  /// A number with which the caller identifies the version of these two files. This module only
  /// returns the number to the caller.
  package let version: UInt64?
  /// Whether the last check of this domain found a fault.
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

/// What the monitor should check next.
package enum WatchTurn: Sendable {
  /// Check this domain: it is the next domain of the round, or the domain has changed.
  case inRound(WatchedDomain)
  /// Check this domain now, independently of the rounds over all domains.
  case betweenRounds(WatchedDomain)
  case endOfRound
  case nothing
}
