internal import Posix

/// `dns-persist-01`: a TXT record that somebody sets once (draft-ietf-acme-dns-persist). The only one
/// for wildcards.
struct RecordChallenge: Challenge {
  func fits(_ host: String) -> Bool { true }

  func preflight(_ host: String, _ check: NameCheck) throws(NameCheck.Obstacle) -> Bool {
    guard let applicant = check.applicant, applicant.account != nil else { throw .needsAccount }
    let name = PersistentRecord.name(of: host)
    let values: [String]
    do throws(RecordQueryFault) {
      let message = try queryRecords(name, type: PersistentRecord.type, until: check.deadline)
      values = textRecords(in: message) ?? []
    } catch {
      throw .name(
        NameFault(
          "the TXT record \(name) cannot be read",
          help: "look at the name servers of \(domain(of: host))"))
    }
    let fault = recordFault(values, for: host, applicant, now: Clock.wallSeconds())
    if let fault { throw .name(fault) }
    return true
  }
}
