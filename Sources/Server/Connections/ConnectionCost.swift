/// The measured memory of a connection (Documentation/Security.md). It decides how many connections
/// fit into limited memory.
package enum ConnectionCost {
  /// The bytes of an idle connection, with a share of what busy connections need for a moment.
  package static func kept(isSecure: Bool) -> Int { isSecure ? 20_480 : 4_096 }

  /// The bytes of an idle TLS connection, and of a connection in its handshake.
  static let idleTLS = 16_384
  static let handshake = 49_152
}
