/// All limits and durations of this module.
package enum IssuanceLimits {
  /// Milliseconds for one request to a CA.
  static let requestTimeout: Int64 = 30_000
  /// Milliseconds for all requests in one step of an order.
  static let step: Int64 = 90_000
  /// The number of nonces that a CA may reject in a row (RFC 8555 section 6.5). From then on it
  /// gets one in each pause of so many milliseconds.
  static let nonceRejections = 8
  static let noncePause: Int64 = 6_000
  /// The maximum number of nonces to keep.
  static let nonces = 16
  /// Seconds between two requests for a renewal window if the CA gives no Retry-After.
  static let windowPause: Int64 = 43_200
  /// Seconds until a failed request for a renewal window is repeated.
  static let windowRetry: Int64 = 3_600
  /// An order that waits for longer, in milliseconds, does not count as under way.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two looks at the state folder, for requests of other processes and for
  /// missing files; less than `withdrawAfter`.
  static let lookPause: Int64 = 2_000
  /// Milliseconds between two checks of whether new certificates are served. The pause doubles, up
  /// to a maximum, while a certificate is loaded but not served yet.
  static let handshakePause: Int64 = 100
  static let longestHandshakePause: Int64 = 5_000
  /// Milliseconds for a handshake with this server itself.
  static let ownHandshake: Int64 = 500
  /// Milliseconds between two writes of the list of waiting names.
  static let waitingPause: Int64 = 5_000
  /// Milliseconds of a CA's silence after which the next CA is tried.
  static let silentAuthority: Int64 = 300_000
  /// The same for hosts without a certificate, or with one that is about to expire.
  static let urgentSilence: Int64 = 15_000
  /// Milliseconds between new orders at a CA where later steps fail. An order costs eight requests.
  static let orderSpacing: Int64 = 60_000
  /// Milliseconds until a failed key change is tried again.
  static let keyChangePause: Int64 = 60_000
  /// The maximum number of alternate chains to try for a certificate.
  static let alternateChains = 3
  /// The maximum number of open orders at a CA, including those in a long wait.
  static let openOrders = 64
  /// The maximum number of orders under way at one time.
  static let ordersUnderWay = 8
  /// Seconds after which an unfinished order is abandoned.
  static let orderSeconds: Int64 = 3_600
  /// Seconds of failures after which the next CA is tried.
  static let patience: Int64 = 86_400
  /// The size in bytes at which the journal starts over.
  static let journalBytes = 1_048_576
  /// The longest accepted Retry-After of a CA, in seconds.
  static let longestRetryAfter: Int64 = 604_800
  /// The maximum size of a file in the state folder, in bytes.
  static let stateBytes = 67_108_864
  /// The maximum length of the name of a host's file in the state folder, without `.pem`.
  static let fileNameBytes = 251
  /// Milliseconds for the whole check of a name: addresses, redirects and CAA records.
  package static let nameCheck: Int64 = 10_000
  /// The shortest pause in milliseconds between checks of a name that clients request.
  static let askedPause: Int64 = 60_000
  /// The maximum number of names checked at one time.
  static let checks = 32
  /// Milliseconds for which a successful name check stays valid.
  static let checkLife: Int64 = 600_000
  /// Milliseconds without an answer after which a name counts as silent.
  static let silence: Int64 = 4_000
  /// If more names than this wait for a CA's rate limit, the next CA is also used.
  static let crowd = 20
  /// How often each address is asked, because a load balancer chooses a different server each time.
  static let askings = 4
  /// Milliseconds for which the result of an address applies to other names. If a server with a
  /// different account answered there, no certificate is ordered.
  static let rivalLife: Int64 = 60_000
  /// The maximum number of a name's addresses to try.
  static let addresses = 8
  /// If the clocks differ by more seconds, the CA's clock is used.
  static let clockDifference: Int64 = 300
  /// If the clocks differ by more seconds, orders and time checks stop.
  static let clockFault: Int64 = 86_400
  /// Milliseconds between two requests that only read the CA's clock.
  static let timePause: Int64 = 60_000
  /// Milliseconds between two searches for files to remove.
  static let removalPause: Int64 = 3_600_000
  /// Seconds for which a removed host's expired certificate is kept, in case the host returns.
  static let keptSeconds: Int64 = 604_800
  /// Seconds for which a revoked certificate is remembered; no certificate is valid for longer.
  static let longestCertificate: Int64 = 400 * 86_400
  /// Seconds for which a directory is cached.
  static let directorySeconds: Int64 = 86_400
}
