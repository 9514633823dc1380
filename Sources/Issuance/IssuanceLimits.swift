/// All limits and durations of this module.
package enum IssuanceLimits {
  /// The time limit for one request to a CA, in milliseconds.
  static let requestTimeout: Int64 = 30_000
  /// The time limit for all requests in one step of an order, in milliseconds.
  static let step: Int64 = 90_000
  /// The maximum number of consecutive nonces that a CA may reject without a pause (RFC 8555
  /// section 6.5). After that, each request waits for `noncePause` milliseconds.
  static let nonceRejections = 8
  static let noncePause: Int64 = 6_000
  /// The maximum number of nonces to keep.
  static let nonces = 16
  /// Seconds between two requests for a renewal window if the CA gives no Retry-After.
  static let windowPause: Int64 = 43_200
  /// Seconds until a failed request for a renewal window is repeated.
  static let windowRetry: Int64 = 3_600
  /// The maximum wait of an order under way, in milliseconds. An order with a longer wait lets
  /// another order begin.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two checks of the state folder for requests of other processes and for
  /// missing files. Less than `withdrawAfter`.
  static let lookPause: Int64 = 2_000
  /// Milliseconds between two checks whether new certificates are served. While a certificate is
  /// loaded but not served yet, the pause doubles, up to a maximum.
  static let handshakePause: Int64 = 100
  static let longestHandshakePause: Int64 = 5_000
  /// The time limit for a handshake with this server itself, in milliseconds.
  static let ownHandshake: Int64 = 500
  /// Milliseconds between two writes of the list of waiting names.
  static let waitingPause: Int64 = 5_000
  /// The time without an answer from a CA, in milliseconds, after which the next CA is tried.
  static let silentAuthority: Int64 = 300_000
  /// The same time for hosts without a certificate, or with a certificate that expires soon.
  static let urgentSilence: Int64 = 15_000
  /// Milliseconds between new orders at a CA at which later steps of orders fail. Each order takes
  /// eight requests.
  static let orderSpacing: Int64 = 60_000
  /// Milliseconds until a failed key change is tried again.
  static let keyChangePause: Int64 = 60_000
  /// The maximum number of alternate chains to try for a certificate.
  static let alternateChains = 3
  /// The maximum number of open orders at a CA, including orders in a long wait.
  static let openOrders = 64
  /// The maximum number of orders under way at one time.
  static let ordersUnderWay = 8
  /// Seconds after which an unfinished order is abandoned.
  static let orderSeconds: Int64 = 3_600
  /// Seconds of failures after which the next CA is tried.
  static let patience: Int64 = 86_400
  /// The size of the journal, in bytes, at which a new file begins.
  static let journalBytes = 1_048_576
  /// The maximum Retry-After that is accepted from a CA, in seconds.
  static let longestRetryAfter: Int64 = 604_800
  /// The maximum size of a file in the state folder, in bytes.
  static let stateBytes = 67_108_864
  /// The maximum length of a host's file name in the state folder, without `.pem`.
  static let fileNameBytes = 251
  /// The time limit for the whole check of a name (addresses, redirects and CAA records), in
  /// milliseconds.
  package static let nameCheck: Int64 = 10_000
  /// The minimum pause between checks of a name that clients request, in milliseconds.
  static let askedPause: Int64 = 60_000
  /// The maximum number of names checked at one time.
  static let checks = 32
  /// Milliseconds for which a successful name check stays valid.
  static let checkLife: Int64 = 600_000
  /// The time without an answer, in milliseconds, after which an address is considered silent.
  static let silence: Int64 = 4_000
  /// The maximum number of names that wait for a CA's rate limit. If more wait, the next CA is used
  /// too.
  static let crowd = 20
  /// The number of requests to each address. There are several, because a load balancer may choose
  /// a different server for each request.
  static let askings = 4
  /// Milliseconds for which the result for an address also applies to other names. If a server with
  /// a different account has answered at the address, no certificate is ordered.
  static let rivalLife: Int64 = 60_000
  /// The maximum number of addresses of a name to try.
  static let addresses = 8
  /// The maximum difference between this machine's clock and the CA's, in seconds, for which
  /// certificates are judged by this machine's clock. If it is larger, the CA's clock is used.
  static let clockDifference: Int64 = 300
  /// The maximum difference between this machine's clock and the CA's, in seconds. If it is larger,
  /// nothing is ordered or removed.
  static let clockFault: Int64 = 86_400
  /// Milliseconds between two requests that only read the CA's clock.
  static let timePause: Int64 = 60_000
  /// Milliseconds between two searches for files to remove.
  static let removalPause: Int64 = 3_600_000
  /// Seconds for which a removed host's expired certificate is kept, in case the host returns.
  static let keptSeconds: Int64 = 604_800
  /// Seconds for which a revoked certificate is remembered. No certificate is valid for longer.
  static let longestCertificate: Int64 = 400 * 86_400
  /// Seconds for which a directory is cached.
  static let directorySeconds: Int64 = 86_400
}
