internal import Bytes
internal import Posix

/// The TXT record that proves to a CA that an account controls a name
/// (draft-ietf-acme-dns-persist). A person sets the record once, and the CA reads it at each check.
package struct PersistentRecord: Sendable, Equatable {
  /// The name of the record, without a final dot.
  package let name: String
  package let value: String

  /// - Parameters:
  ///   - host: A host or a wildcard. A wildcard's record also covers the domain.
  ///   - identity: The name that identifies the CA, such as `letsencrypt.org`.
  ///   - account: The account's URL.
  package init(_ host: String, identity: String, account: String) {
    name = Self.name(of: host)
    value = "\(identity); accounturi=\(account)" + (isWildcard(host) ? "; policy=wildcard" : "")
  }

  /// The record as a line of a zone file.
  package var line: String { "\(name). TXT \"\(value)\"" }

  private static func name(of host: String) -> String { "_validation-persist." + domain(of: host) }

  /// Returns the texts of the host's TXT records at `_validation-persist`.
  static func texts(
    of host: String, by resolver: SocketAddress?, until deadline: Deadline
  ) throws(IssuanceFailure) -> [String] {
    do throws(RecordQueryFault) {
      let message = try queryRecords(
        name(of: host), type: textRecordType, by: resolver, until: deadline)
      return textRecords(in: message) ?? []
    } catch {
      throw .name(
        "the TXT record \(name(of: host)) cannot be read",
        help: "check the name servers of \(domain(of: host))")
    }
  }
}

/// Returns why no TXT record proves that this account controls a name; nil if a record proves it.
///
/// - Parameters:
///   - values: The values of the TXT records at `_validation-persist`.
///   - now: The time, in seconds since 1970.
package func recordFault(
  _ values: [String], for host: String, _ caaIdentity: CAAIdentity, now: Int64
) -> IssuanceFailure? {
  let wanted = PersistentRecord(
    host, identity: caaIdentity.identities.first ?? "NAME-OF-THE-CA",
    account: caaIdentity.account ?? "URL-OF-THE-ACCOUNT")
  var reason = values.isEmpty ? "does not exist" : "is for another CA or account"
  for value in values {
    let (identity, parameters) = issuerAndParameters(value)
    guard caaIdentity.accepts(identity), let account = caaIdentity.account,
      parameters["accounturi"] == account
    else { continue }
    if isWildcard(host), parameters["policy"]?.lowercased() != "wildcard" {
      reason = "lacks policy=wildcard"
    } else if let text = parameters["persistuntil"],
      case let end = text.decimal(in: CivilTime.seconds), (end ?? 0) <= now
    {
      reason =
        end.map { "is valid only until \(day($0))" }
        ?? "has a persistUntil that cannot be read"
    } else {
      return nil
    }
  }
  return .name(
    "the TXT record \(wanted.name) \(reason), but must prove to the CA that the name is yours",
    help: "set the record \(wanted.line)")
}
