/// The metrics of automatic certificates.
package struct IssuanceSamples: Sendable {
  /// The number of hosts in each state.
  package let states: [(state: String, count: Int)]
  /// The number of attempts with each result.
  package let attempts: [(authority: String, result: String, count: Int)]
  /// The number of orders that each CA still accepts.
  package let remaining: [(authority: String, count: Int)]
  /// The times before which CAs accept no more requests, in seconds since 1970, and what each one
  /// blocks.
  package let frozen: [(authority: String, scope: String, end: Int64)]
  /// When the next certificate is renewed, in seconds since 1970; nil without a certificate.
  package let renewal: Int64?
  /// The number of seconds by which the CA's clock is ahead of this machine's.
  package let clockOffset: Int64
  package let isIssuer: Bool
  package let account: String?

  package init(
    states: [(state: String, count: Int)],
    attempts: [(authority: String, result: String, count: Int)],
    remaining: [(authority: String, count: Int)],
    frozen: [(authority: String, scope: String, end: Int64)], renewal: Int64?,
    clockOffset: Int64, isIssuer: Bool, account: String?
  ) {
    self.states = states
    self.attempts = attempts
    self.remaining = remaining
    self.frozen = frozen
    self.renewal = renewal
    self.clockOffset = clockOffset
    self.isIssuer = isIssuer
    self.account = account
  }
}

extension MetricsWriter {
  mutating func write(_ issuance: IssuanceSamples) {
    family(
      "aasa_acme_certificates", .gauge,
      "Hosts whose certificates the server gets by itself, by state.")
    for (state, count) in issuance.states { sample([("state", state)], count) }
    family("aasa_acme_attempts", .counter, "Attempts to get certificates, by result.")
    for (authority, result, count) in issuance.attempts {
      sample([("ca", authority), ("result", result)], count)
    }
    if !issuance.remaining.isEmpty {
      family(
        "aasa_acme_limit_remaining", .gauge,
        "Further orders that the CA accepts now, by its documented limits.")
      for (authority, count) in issuance.remaining {
        sample([("ca", authority), ("limit", "orders")], count)
      }
    }
    if !issuance.frozen.isEmpty {
      family(
        "aasa_acme_retry_after_timestamp_seconds", .gauge, unit: "seconds",
        "When the CA accepts requests again, in seconds since 1970, by what waits.")
      for (authority, scope, end) in issuance.frozen {
        sample([("ca", authority), ("scope", scope)], end)
      }
    }
    if let renewal = issuance.renewal {
      family(
        "aasa_acme_renewal_due_timestamp_seconds", .gauge, unit: "seconds",
        "When the next certificate is renewed, in seconds since 1970.")
      sample([], renewal)
    }
    family(
      "aasa_acme_clock_offset_seconds", .gauge, unit: "seconds",
      "How far the CA's clock is ahead of this machine's.")
    sample([], issuance.clockOffset)
    family(
      "aasa_acme_is_issuer", .gauge, "1 if this process gets certificates, 0 if another one does.")
    sample([], issuance.isIssuer ? 1 : 0)
    if let account = issuance.account {
      family("aasa_acme_account", .info, "The account at the CA; the value is always 1.")
      sample([("uri", account)], 1)
    }
  }
}
