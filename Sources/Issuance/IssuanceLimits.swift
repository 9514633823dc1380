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
  /// The maximum number of unused nonces to store.
  static let nonces = 16
  /// Seconds between two requests for a renewal window if the CA sends no Retry-After.
  static let windowPause: Int64 = 43_200
  /// Seconds until a failed request for a renewal window is repeated.
  static let windowRetry: Int64 = 3_600
  /// The length of a long wait, in milliseconds. While an order waits for longer than this, another
  /// order may begin.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two checks of the state folder for requests of other processes and for
  /// missing files. The pause is shorter than the default of `withdrawAfter`.
  static let lookPause: Int64 = 2_000
  /// Milliseconds between two checks whether the server serves the new certificates. If the server
  /// has loaded a certificate but does not serve it yet, the pause doubles after each check, up to
  /// a maximum.
  static let handshakePause: Int64 = 100
  static let longestHandshakePause: Int64 = 5_000
  /// The time limit for a handshake that the issuer makes with this server, in milliseconds.
  static let ownHandshake: Int64 = 500
  /// Milliseconds between two writes of the file with the list of waiting names.
  static let waitingPause: Int64 = 5_000
  /// If a CA has not answered for this number of milliseconds, the next CA is tried.
  static let silentAuthority: Int64 = 300_000
  /// Like `silentAuthority`, but for hosts without a certificate or with a certificate that expires
  /// soon.
  static let urgentSilence: Int64 = 15_000
  /// If a CA accepts orders but later steps of these orders fail, new orders are this many
  /// milliseconds apart. Each order takes eight requests.
  static let orderSpacing: Int64 = 60_000
  /// Milliseconds until a failed key change is tried again.
  static let keyChangePause: Int64 = 60_000
  /// The maximum number of alternate chains to try for a certificate.
  static let alternateChains = 3
  /// The maximum number of open orders at a CA, including orders in a long wait.
  static let openOrders = 64
  /// The maximum number of orders under way at one time.
  static let ordersUnderWay = 8
  /// Seconds after which an order that has not ended is abandoned.
  static let orderSeconds: Int64 = 3_600
  /// If requests of a host fail for this number of seconds, the next CA is tried.
  static let patience: Int64 = 86_400
  /// When a file of the journal has this size in bytes, a new file begins.
  static let journalBytes: Int64 = 1_048_576
  /// The maximum time in seconds that is accepted in a CA's field Retry-After.
  static let longestRetryAfter: Int64 = 604_800
  /// The maximum size of a file in the state folder, in bytes.
  static let stateBytes = 67_108_864
  /// The maximum length of a host's file name in the state folder, not including `.pem`.
  static let fileNameBytes = 251
  /// The time limit for the whole check of a name (addresses, redirects and CAA records), in
  /// milliseconds.
  package static let nameCheck: Int64 = 10_000
  /// If clients request a name that has no certificate, the minimum pause between two checks of the
  /// name, in milliseconds.
  static let askedPause: Int64 = 60_000
  /// The maximum number of names that are checked at the same time.
  static let checks = 32
  /// Milliseconds for which a successful name check stays valid.
  static let checkLife: Int64 = 600_000
  /// If an address has not answered for this number of milliseconds, it is considered silent.
  static let silence: Int64 = 4_000
  /// If more names than this wait for a CA's rate limit, the next CA is used too.
  static let crowd = 20
  /// The number of requests to each address. One request is not enough, because a load balancer may
  /// choose a different server for each request.
  static let askings = 4
  /// Milliseconds for which the answer of a server at an address is remembered for all names at
  /// that address. If the server answers with a different account, no certificate is ordered.
  static let rivalLife: Int64 = 60_000
  /// The maximum number of addresses to check for a name.
  static let addresses = 8
  /// If the clocks of this machine and the CA differ by at most this number of seconds,
  /// certificates are judged by this machine's clock. If the clocks differ by more, the CA's clock
  /// is used.
  static let clockDifference: Int64 = 300
  /// If the clocks of this machine and the CA differ by more than this number of seconds, nothing
  /// is ordered or removed.
  static let clockFault: Int64 = 86_400
  /// Milliseconds between two requests that only read the CA's clock.
  static let timePause: Int64 = 60_000
  /// Milliseconds between two searches for files to remove.
  static let removalPause: Int64 = 3_600_000
  /// Seconds for which a removed host's expired certificate is kept, in case the host returns.
  static let keptSeconds: Int64 = 604_800
  /// Seconds for which a revocation is remembered. No certificate is valid for a longer time.
  static let longestCertificate: Int64 = 400 * 86_400
  /// Seconds for which a CA's directory is cached.
  static let directorySeconds: Int64 = 86_400
}
