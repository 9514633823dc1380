/// Whether a file can be fetched from its domain over the public internet, as Apple's CDN fetches
/// the file.
package enum OriginState: String, Sendable {
  case good, failing
  /// Neither the domain nor Apple's CDN could be reached from this machine.
  case unknown
}

/// The state of the copy on Apple's CDN.
package enum CDNCopy: String, Sendable {
  /// The copy is equivalent to the domain's file.
  case same
  case other
  /// The CDN says that it has no copy.
  case missing
  case unknown
}
