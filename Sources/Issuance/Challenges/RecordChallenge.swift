internal import Posix

/// `dns-persist-01`, the only challenge for wildcards: a person sets a TXT record once
/// (draft-ietf-acme-dns-persist).
struct RecordChallenge: Challenge {
  func preflight(_ host: String, _ check: NameCheck) throws(IssuanceFailure) -> Bool {
    guard let caaIdentity = check.caaIdentity, caaIdentity.account != nil else {
      throw .needsAccount
    }
    let values = try PersistentRecord.texts(
      of: host, by: check.resolver, until: check.deadline)
    let fault = recordFault(values, for: host, caaIdentity, now: Clock.wallSeconds())
    if let fault { throw fault }
    return true
  }
}
