/// Every bound and every duration of this module.
package enum Limits {
  /// Milliseconds for one request to a CA.
  static let requestTimeout: Int64 = 30_000
  /// Milliseconds for all requests that a step of an order takes.
  static let step: Int64 = 90_000
  /// Times that a request is repeated with another nonce (RFC 8555 section 6.5).
  static let nonceAttempts = 30
  /// Nonces that are kept.
  static let nonces = 16
  /// Seconds between two questions for a certificate's renewal window, when the CA says nothing.
  static let windowPause: Int64 = 43_200
  /// Seconds after one that was not answered.
  static let windowRetry: Int64 = 3_600
  /// Milliseconds for which an order may wait and keep its place among those under way.
  static let longestPlace: Int64 = 10_000
  /// Milliseconds between two looks whether files of certificates are gone; less than `withdrawAfter`.
  static let folderPause: Int64 = 2_000
  /// Milliseconds between two notes of which names wait for an order.
  static let waitingPause: Int64 = 5_000
  /// Milliseconds for which a CA may be silent before the next one is asked.
  static let silentAuthority: Int64 = 300_000
  /// Milliseconds between new orders at a CA whose later steps fail.
  static let orderSpacing: Int64 = 15_000
  /// Milliseconds after which a change of the key is tried again.
  static let keyChangePause: Int64 = 60_000
  /// Other chains for a certificate that are tried.
  static let alternateChains = 3
  /// Orders at a CA at one time, those that wait for long included.
  static let openOrders = 64
  /// Orders under way at one time.
  static let ordersUnderWay = 8
  /// Seconds for which an order may stay unfinished, before it is given up.
  static let orderSeconds: Int64 = 3_600
  /// Seconds of failures after which the next CA is asked.
  static let patience: Int64 = 86_400
  /// Bytes of the journal, before it is begun anew.
  static let journalBytes = 1_048_576
  /// Seconds for which a CA may want nothing to be asked.
  static let longestRetryAfter: Int64 = 604_800
  /// Bytes of a file of the state folder.
  static let stateBytes = 67_108_864
  /// The longest name of a host's file in the state folder, without `.pem`.
  static let fileNameBytes = 251
  /// Milliseconds for the whole check of a name: addresses, redirects and CAA records.
  package static let nameCheck: Int64 = 10_000
  /// Names that are checked at one time.
  static let checks = 32
  /// Milliseconds for which it counts that a name was seen to lead here.
  static let checkLife: Int64 = 600_000
  /// Milliseconds after which a name is called silent.
  static let silence: Int64 = 4_000
  /// Names that wait for the limit of a CA, above which the next CA is used beside it.
  static let crowd = 20
  /// Addresses of a name that are asked.
  static let addresses = 8
  /// Seconds that clocks may differ before the CA's counts.
  static let clockDifference: Int64 = 300
  /// Seconds that clocks may differ before nothing is ordered or judged.
  static let clockFault: Int64 = 86_400
  /// Milliseconds after which a clock that is wrong is checked again.
  static let clockPause: Int64 = 5_000
  /// Milliseconds between two questions for the time alone.
  static let timePause: Int64 = 60_000
  /// Milliseconds between two looks for files that are to be removed.
  static let removalPause: Int64 = 3_600_000
  /// Seconds for which an expired certificate of a host that is gone is kept: undoing it is free.
  static let keptSeconds: Int64 = 604_800
  /// Seconds for which a certificate is remembered that somebody asked to revoke: none is valid for
  /// longer.
  static let longestCertificate: Int64 = 400 * 86_400
  /// Seconds that a directory is believed.
  static let directorySeconds: Int64 = 86_400
}
