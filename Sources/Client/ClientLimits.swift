/// The limits of a request to another server.
package enum ClientLimits {
  /// Milliseconds for everything: name, connection, handshake, request, answer. Apple does not
  /// document its own limit; failures suggest about this much.
  package static let timeout: Int64 = 10_000
  /// The number of addresses that are tried one after the other.
  package static let addresses = 16
  /// The least time in milliseconds for one address while there are others to try.
  package static let leastPerAddress: Int64 = 250
  /// The largest size of gzip content after unpacking: a bomb stops here.
  package static let decodedBytes = 4_194_304
  /// Bytes read at once.
  static let readBytes = 16_384
  /// Milliseconds for which addresses are good for the next connection.
  static let keptAddresses: Int64 = 60_000
}
