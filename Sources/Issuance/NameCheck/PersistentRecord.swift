internal import Bytes
internal import Posix

/// The TXT record by which a CA sees, each time it looks, that a name is an account's
/// (draft-ietf-acme-dns-persist). Somebody sets it once.
package struct PersistentRecord: Sendable, Equatable {
  /// Where it is, without a dot at the end.
  package let name: String
  package let value: String

  /// The number of the type TXT.
  static let type: Int32 = 16

  /// - Parameters:
  ///   - host: may be a wildcard. Its record is good for the domain too.
  ///   - identity: what the CA calls itself, such as `letsencrypt.org`.
  ///   - account: its URL.
  package init(_ host: String, identity: String, account: String) {
    name = Self.name(of: host)
    value = "\(identity); accounturi=\(account)" + (isWildcard(host) ? "; policy=wildcard" : "")
  }

  /// As it stands in a zone.
  package var line: String { "\(name). TXT \"\(value)\"" }

  private static func name(of host: String) -> String {
    "_validation-persist." + domain(of: host)
  }

  /// What the DNS has for a host.
  static func texts(of host: String, until deadline: Deadline) throws(NameFault) -> [String] {
    do throws(RecordQueryFault) {
      return textRecords(in: try queryRecords(name(of: host), type: type, until: deadline)) ?? []
    } catch {
      throw NameFault(
        "the TXT record \(name(of: host)) cannot be read",
        help: "look at the name servers of \(domain(of: host))")
    }
  }
}

/// The texts of the TXT records in the answer section of a DNS message; nil when the message is broken.
package func textRecords(in message: [UInt8]) -> [String]? {
  guard let contents = records(of: PersistentRecord.type, in: message) else { return nil }
  return contents.map { content in
    // One or more strings, each with its length before it.
    var (rest, text) = (content, [UInt8]())
    while let length = rest.popFirst() {
      text += rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Why none of these records shows that a name is the applicant's; nil when one does.
///
/// - Parameters:
///   - values: of the TXT records at `_validation-persist`.
///   - now: seconds since 1970.
package func recordFault(
  _ values: [String], for host: String, _ applicant: Applicant, now: Int64
) -> NameFault? {
  let wanted = PersistentRecord(
    host, identity: applicant.identities.first ?? "NAME-OF-THE-CA",
    account: applicant.account ?? "URL-OF-THE-ACCOUNT")
  var reason = values.isEmpty ? "is not there" : "is for another CA or account"
  for value in values {
    let (identity, parameters) = issuerAndParameters(value)
    // A private CA may not say what it calls itself: then any name may be its.
    guard applicant.identities.isEmpty || applicant.identities.contains(identity),
      let account = applicant.account, parameters["accounturi"] == account
    else { continue }
    if isWildcard(host), parameters["policy"]?.lowercased() != "wildcard" {
      reason = "lacks policy=wildcard"
    } else if let text = parameters["persistuntil"],
      case let end = text.decimal(in: CivilTime.seconds), (end ?? 0) <= now
    {
      reason =
        end.map { "is good until \(day($0)) and no longer" }
        ?? "has a persistUntil that cannot be read"
    } else {
      return nil
    }
  }
  return NameFault(
    "the TXT record \(wanted.name), by which the CA sees whose the name is, \(reason)",
    help: "set the record \(wanted.line)")
}
