package enum IssuanceLimits {
  /// The time limit for one request to a CA, in milliseconds.
  static let requestTimeout: Int64 = 30_000
  /// The time limit for all requests in one step of an order, in milliseconds.
  static let step: Int64 = 90_000
  /// If a CA rejects this number of nonces in a row (RFC 8555 section 6.5), the last rejection and
  /// each further one block all signed requests to the CA for `noncePause` milliseconds.
  static let nonceRejections = 8
  static let noncePause: Int64 = 6_000
  /// The maximum number of unused nonces to store.
  static let nonces = 16
  /// Seconds between two requests for a renewal window if the CA sends no Retry-After.
  static let windowPause: Int64 = 43_200
  /// Seconds until a failed request for a renewal window is repeated.
  static let windowRetry: Int64 = 3_600
  /// While an order waits for longer than this number of milliseconds, another order may begin.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two searches for request files and for missing files.
  static let lookPause: Int64 = 2_000
  /// Milliseconds between two checks whether the server serves a new certificate. If the server has
  /// loaded the certificate but does not serve it, the pause doubles up to the longest pause.
  static let handshakePause: Int64 = 100
  static let longestHandshakePause: Int64 = 5_000
  /// The time limit for a handshake that the issuer makes with this server, in milliseconds.
  static let ownHandshake: Int64 = 500
  /// Milliseconds between two writes of the file with the list of waiting names.
  static let waitingPause: Int64 = 5_000
  /// If a CA has not answered for this number of milliseconds, the next CA is tried.
  static let silentAuthority: Int64 = 300_000
  /// Like `silentAuthority`, for hosts without a certificate or with one that expires soon.
  static let urgentSilence: Int64 = 15_000
  /// Milliseconds between two new orders while a CA accepts orders but fails in later steps.
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
  /// The maximum number of seconds that is accepted in a CA's Retry-After field.
  static let longestRetryAfter: Int64 = 604_800
  /// The maximum size of a file in the state folder, in bytes.
  static let stateBytes = 67_108_864
  /// The maximum length of a host's file name in the state folder, not including `.pem`.
  static let fileNameBytes = 251
  /// The time limit for the whole check of a name, in milliseconds.
  package static let nameCheck: Int64 = 10_000
  /// Milliseconds between two checks of a name that clients request and that lacks a certificate.
  static let askedPause: Int64 = 60_000
  /// The maximum number of names that are checked at the same time.
  static let checks = 32
  /// Milliseconds for which a successful name check stays valid.
  static let checkLife: Int64 = 600_000
  /// If a name check takes at least this many milliseconds, the host gets a low rank in the queue.
  static let silence: Int64 = 4_000
  /// If more names than this wait for a CA's rate limit, the next CA is used too.
  static let crowd = 20
  /// The number of requests to each address. A load balancer may forward each to another server.
  static let askings = 4
  /// Milliseconds for which the account that answered at an address is remembered.
  static let rivalLife: Int64 = 60_000
  /// The maximum number of addresses to check for a name.
  static let addresses = 8
  /// If this machine's clock and the CA's clock differ by more than this number of seconds, but at
  /// most by `clockFault`, the CA's clock decides whether a certificate is valid.
  static let clockDifference: Int64 = 300
  /// If the clocks differ by more than this number of seconds, nothing is ordered or removed.
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
