internal import Diagnostics
internal import Settings

enum PlanEvent: Sendable {
  case time
  /// The hosts that need certificates.
  case hosts(Set<String>)
  /// A person has requested a certificate with `aasa acme renew`.
  case requested(String)
  /// A client has requested a name for which the server has no certificate.
  case askedFor(String)
  case checked(String, NameCheck.Outcome, milliseconds: Int64)
  /// A CA has answered, or a request to it has failed. The CA is idle now.
  case replied(authority: Int, host: String, Reply, CallFacts)
  /// The file of a host's certificate was found; nil if the file is missing.
  case file(String, IssuedFile?)
  case keyChange
  /// The reason why the host's next renewal would fail; nil if it would not fail.
  case renewalFault(String, IssuanceFailure?)
}

/// What a request showed about the CA.
struct CallFacts: Sendable {
  var clock: AuthorityClock?
  var account: String?
  var identities: [String]?
}

enum PlanRequest: Sendable {
  /// Fetches the directory, because the response shows the CA's time.
  case directory
  case account
  /// Takes the next step of an order.
  ///
  /// - Parameter answers: Whether to tell the CA that the challenges are ready, even if the CA was
  ///   told before.
  case advance(OpenOrder, answers: Bool)
  case window(IssuedFile)
  case changeKey
}

/// The result of a request to a CA.
enum Reply: Sendable {
  case known
  case ordered(String)
  /// The order has the given status. All steps that were possible so far have been taken.
  case progress(Progress, retryAfter: Int64?)
  /// The response to the challenge is published. The CA can see it after `wait` milliseconds.
  case shown(wait: Int64)
  case installed(IssuedFile)
  /// The order has ended without a certificate that can be served.
  ///
  /// - Parameter life: The lifetime of the received certificate, in seconds.
  case failed(IssuanceFailure, life: Int64?)
  case window(RenewalWindow?, retryAfter: Int64?)
  /// - Parameter isLost: Whether neither the old key nor the new key has an account now.
  case keyChanged(isLost: Bool)
  /// The account belongs to a different key. This happens if the account or our key was lost, or if
  /// a backup of an older state was restored.
  case accountUnknown
  case fault(IssuanceFailure, at: Step)
}

enum PlanEffect: Sendable {
  case check(String, authority: Int)
  case ask(Int, host: String, PlanRequest)
  case installed(String)
  case drop(String, authority: Int, ChallengeKind)
  case fulfilled(String)
  /// Checks whether a wildcard's TXT record is valid at `renewal`, in seconds since 1970.
  case checkRecord(String, authority: Int, renewal: Int64)
  case remove(String)
  case noteFailure(String, authority: Int, String)
  case report(Diagnostic)
  /// Begins a condition, and reports its diagnostic. Ends the condition if the diagnostic is nil.
  case condition(String, Diagnostic?)
  case writeLimits(Int)
  case writeWindow(String)
  /// The status of a host has changed.
  case status(String)
  case attempt(authority: Int, String)
  /// Forgets an account that the CA does not know.
  case forgetAccount(Int)
  /// A CA knows the account's new key.
  case keyChanged(isLast: Bool)
}
