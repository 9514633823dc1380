/// The limits of a request to another server.
package enum ClientLimits {
  /// Milliseconds for the whole fetch: name lookup, connection, handshake, request and response.
  /// Apple does not document its own limit; failures suggest about this value.
  package static let timeout: Int64 = 10_000
  /// The most addresses to try, one after another.
  package static let addresses = 16
  /// The least time in milliseconds for an address if more addresses are left to try.
  package static let leastPerAddress: Int64 = 250
  /// The largest size of gzip content after unpacking, which stops a decompression bomb.
  package static let decodedBytes = 4_194_304
  /// The number of bytes to read at once.
  static let readBytes = 16_384
  /// Milliseconds for which resolved addresses are reused.
  static let keptAddresses: Int64 = 60_000
}
