internal import Diagnostics

/// What happens to the plan.
enum PlanEvent: Sendable {
  /// Something may be due.
  case time
  /// The hosts that want certificates.
  case hosts(Set<String>)
  /// Somebody asks for a certificate, by `aasa acme renew`.
  case requested(String)
  /// A client asked for a name without a certificate.
  case askedFor(String)
  case checked(String, NameCheck.Outcome, milliseconds: Int64)
  /// A CA has answered, or not: it is free again.
  case replied(authority: Int, host: String, Reply, CallFacts)
  /// Files of certificates are gone.
  case gone(Set<String>)
  /// A file was put back.
  case found(String, IssuedFile)
  /// The account gets another key.
  case keyChange
  /// What holds up a later renewal; nil when nothing does.
  case renewalFault(String, NameFault?)
}

/// What is known of a CA after a call.
struct CallFacts: Sendable {
  /// The time that it said, in seconds since 1970, and when that was, by the monotonic clock.
  var said: (seconds: Int64, uptime: Int64)?
  var account: String?
  var identities: [String]?
}

/// What a CA is asked.
enum PlanRequest: Sendable {
  /// For its directory, which says what time it is.
  case directory
  case account
  /// The next step of an order.
  ///
  /// - Parameter answers: also tells the CA, once more if need be, that challenges can be checked.
  case advance(OpenOrder, answers: Bool)
  case window(IssuedFile)
  case changeKey
}

/// What it answers.
enum Reply: Sendable {
  /// The directory, or the account, is there.
  case known
  /// The order is there, at this URL.
  case ordered(String)
  /// The order is as far as that, and what could be done was done.
  case progress(Progress, retryAfter: Int64?)
  /// The certificate is in its file.
  case installed(IssuedFile)
  /// The order is at its end, without a certificate that can be served.
  ///
  /// - Parameter life: of the certificate that came, in seconds.
  case failed(Setback, life: Int64?)
  case window(RenewalWindow?, retryAfter: Int64?)
  /// - Parameter isLost: neither key has an account any more.
  case keyChanged(isLost: Bool)
  /// The account is of another key: one of them was lost, or is from a backup.
  case accountUnknown
  case fault(Setback, at: Step)
}

/// What is to be done.
enum PlanEffect: Sendable {
  case check(String, [ChallengeKind], authority: Int)
  case ask(Int, host: String, PlanRequest)
  /// A certificate is in its file.
  case installed(String)
  /// Gives up an order.
  case drop(String, authority: Int, ChallengeKind)
  /// A request of an operator is fulfilled.
  case fulfilled(String)
  /// Looks whether the record of a wildcard will do at its renewal, in seconds since 1970.
  case lookAhead(String, authority: Int, renewal: Int64)
  case remove(String)
  case noteFailure(String, authority: Int, String)
  case tell(Diagnostic)
  case tellOnce(key: String, Diagnostic)
  case forget(key: String)
  /// The limits of a CA have changed.
  case write(Int)
  /// What a CA said about the renewal of a certificate has changed.
  case writeWindow(String)
  case report(String)
  case attempt(authority: Int, String)
  /// Forgets an account that the CA does not know.
  case forgetAccount(Int)
  /// A CA knows the new key of the account.
  case keyChanged(isLast: Bool)
}
