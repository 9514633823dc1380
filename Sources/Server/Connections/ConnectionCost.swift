/// The memory that a connection takes, as measured (Documentation/Security.md): for the number of
/// connections that fit where memory is limited.
package enum ConnectionCost {
  /// Bytes of an idle connection, and a part of what some of them need for a moment.
  package static func kept(isSecure: Bool) -> Int { isSecure ? 20_480 : 4_096 }

  /// Bytes of an idle TLS connection, and of one whose handshake has not ended.
  static let idleTLS = 16_384
  static let handshake = 49_152
}
