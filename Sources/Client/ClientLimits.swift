/// What a request to another server may cost.
package enum ClientLimits {
  /// Milliseconds for everything: name, connection, handshake, request, answer. Apple's own
  /// patience is not documented; failures show about so much.
  package static let timeout: Int64 = 10_000
  /// Addresses that are tried one after the other.
  package static let addresses = 16
  /// The least time, in milliseconds, that an address is given while others are left to be tried.
  package static let leastPerAddress: Int64 = 250
  /// Bytes that gzip content may unpack to: a bomb stops here.
  package static let decodedBytes = 4_194_304
  /// Bytes read at once.
  static let readBytes = 16_384
}
