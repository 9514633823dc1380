internal import Diagnostics
internal import Posix

/// What will go wrong with a host, or has, while nothing is to be asked for.
extension IssuerWork {
  /// A certificate was issued a short time ago, and its file is gone.
  ///
  /// - Parameter next: when another one is asked for, in seconds since 1970.
  func noteLost(_ host: String, _ client: AuthorityClient, next: Int64) {
    guard hosts[host]?.trouble == nil else { return }
    let trouble = Setback.unfit(
      "the file of the last one is gone or damaged, and another one is asked for on \(day(next))")
    hosts[host]?.trouble = trouble
    note(host, client, .failed, trouble.text)
    environment.tell(.trouble(trouble, host, at: client.authority.name, nil, now: time))
  }

  /// Looks whether the record of a wildcard will do when its certificate is to be renewed. One that
  /// cannot be read now says nothing about that.
  ///
  /// - Parameter renewal: in seconds since 1970.
  func lookAhead(_ host: String, _ client: AuthorityClient, to renewal: Int64) {
    guard
      let message = try? queryRecords(
        PersistentRecord.name(of: host), type: PersistentRecord.type,
        until: Deadline(afterMilliseconds: Limits.nameCheck)),
      let values = textRecords(in: message),
      let applicant = try? applicant(client, [.record], needsAccount: true)
    else { return }
    let fault = recordFault(values, for: host, applicant, now: renewal)
    hosts[host]?.outlook = fault.map { "\($0.message); \($0.help)" }
    let key = "record \(host)"
    if let fault {
      tellOnce(key, .recordWillNotDo(host, fault, renewal: renewal))
    } else {
      forget(key)
    }
  }
}
