/// All limits and durations of this module.
package enum Limits {
  /// Milliseconds for one request to a CA.
  static let requestTimeout: Int64 = 30_000
  /// Milliseconds for all requests in one step of an order.
  static let step: Int64 = 90_000
  /// The most repetitions of a request with another nonce (RFC 8555 section 6.5).
  static let nonceAttempts = 30
  /// The most nonces kept.
  static let nonces = 16
  /// Seconds between two requests for a renewal window if the CA gives no Retry-After.
  static let windowPause: Int64 = 43_200
  /// Seconds until a failed request for a renewal window is repeated.
  static let windowRetry: Int64 = 3_600
  /// The longest wait in milliseconds for which an order keeps its place among those under way.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two looks at the state folder, for requests of other processes and for
  /// missing files; less than `withdrawAfter`.
  static let lookPause: Int64 = 2_000
  /// Milliseconds between two checks of whether new certificates are served. The pause doubles, up
  /// to the longest, while a certificate is loaded but not served yet.
  static let handshakePause: Int64 = 100
  static let longestHandshakePause: Int64 = 5_000
  /// Milliseconds for a handshake with this server itself.
  static let ownHandshake: Int64 = 500
  /// Milliseconds between two writes of the list of waiting names.
  static let waitingPause: Int64 = 5_000
  /// Milliseconds of a CA's silence after which the next CA is tried.
  static let silentAuthority: Int64 = 300_000
  /// Milliseconds between new orders at a CA where later steps fail. An order costs eight requests.
  static let orderSpacing: Int64 = 60_000
  /// Milliseconds until a failed key change is tried again.
  static let keyChangePause: Int64 = 60_000
  /// The most alternate chains to try for a certificate.
  static let alternateChains = 3
  /// The most open orders at a CA, including those in a long wait.
  static let openOrders = 64
  /// The most orders under way at one time.
  static let ordersUnderWay = 8
  /// Seconds after which an unfinished order is given up.
  static let orderSeconds: Int64 = 3_600
  /// Seconds of failures after which the next CA is tried.
  static let patience: Int64 = 86_400
  /// The size in bytes at which the journal starts over.
  static let journalBytes = 1_048_576
  /// The longest accepted Retry-After of a CA, in seconds.
  static let longestRetryAfter: Int64 = 604_800
  /// The most bytes of a file in the state folder.
  static let stateBytes = 67_108_864
  /// The longest name of a host's file in the state folder, without `.pem`.
  static let fileNameBytes = 251
  /// Milliseconds for the whole check of a name: addresses, redirects and CAA records.
  package static let nameCheck: Int64 = 10_000
  /// The longest pause in seconds until a name that clients request meanwhile is checked again.
  static let askedPause: Int64 = 300
  /// The most names checked at one time.
  static let checks = 32
  /// Milliseconds for which a successful name check stays valid.
  static let checkLife: Int64 = 600_000
  /// Milliseconds without an answer after which a name counts as silent.
  static let silence: Int64 = 4_000
  /// The number of names waiting for a CA's limit above which the next CA is also used.
  static let crowd = 20
  /// The most addresses of a name to try.
  static let addresses = 8
  /// Seconds that the clocks may differ before the CA's is used.
  static let clockDifference: Int64 = 300
  /// Seconds that the clocks may differ before orders and time checks stop.
  static let clockFault: Int64 = 86_400
  /// Milliseconds until a wrong clock is checked again.
  static let clockPause: Int64 = 5_000
  /// Milliseconds between two requests that only read the CA's clock.
  static let timePause: Int64 = 60_000
  /// Milliseconds between two searches for files to remove.
  static let removalPause: Int64 = 3_600_000
  /// Seconds for which the expired certificate of a removed host is kept, so that the host can
  /// return.
  static let keptSeconds: Int64 = 604_800
  /// Seconds for which a revoked certificate is remembered: none is valid for longer.
  static let longestCertificate: Int64 = 400 * 86_400
  /// Seconds that a directory is believed.
  static let directorySeconds: Int64 = 86_400
}
