internal import Bytes
package import Posix
package import Settings

/// The CAA records that apply to a host.
package struct NearestAuthorization: Sendable {
  /// The name that has the records: the host, or the nearest name above it. Nil if none of these
  /// names has records.
  package let domain: String?
  package let records: [AuthorizationRecord]

  /// The values of the records with the tag `issue`.
  package var issuers: [String] { records.filter { $0.tag == "issue" }.map(\.value) }
}

/// Looks up the CAA records that apply to a host. If the host itself has no CAA records, returns
/// the records of the nearest name above the host (RFC 8659 section 3).
package func nearestAuthorization(
  above host: String, by resolver: SocketAddress? = nil,
  until deadline: Deadline = Deadline(afterMilliseconds: IssuanceLimits.nameCheck)
) throws(IssuanceFailure) -> NearestAuthorization {
  var domain = host[...]
  while true {
    let records: [AuthorizationRecord]
    do throws(RecordQueryFault) {
      let message = try queryRecords(
        String(domain), type: AuthorizationRecord.type, by: resolver, until: deadline)
      records = authorizationRecords(in: message) ?? []
    } catch {
      throw .name(
        "the CAA records of \(domain) cannot be read, and every CA must check them before it "
          + "issues a certificate",
        help: "check the name servers of \(domain): they must answer queries for CAA, even if"
          + " there are no CAA records")
    }
    if !records.isEmpty { return NearestAuthorization(domain: String(domain), records: records) }
    guard let dot = domain.firstIndex(of: ".") else {
      return NearestAuthorization(domain: nil, records: [])
    }
    domain = domain[domain.index(after: dot)...]
  }
}

/// What the CAA records of a name are compared with. A record permits a certificate if it contains a
/// name of the CA, and if its account and methods, where given, match these values.
package struct CAAIdentity: Sendable {
  /// The names of the CA. A CAA record may contain any one of these names.
  package let identities: [String]
  /// The account's URL (RFC 8657 section 3); nil if there is no account yet.
  package let account: String?
  /// The validation methods with which this server proves control of names (RFC 8657 section 4).
  package internal(set) var methods: [ChallengeKind]

  package init(identities: [String], account: String?, methods: [ChallengeKind]) {
    (self.identities, self.account, self.methods) = (identities, account, methods)
  }

  /// Returns whether a name in a CAA record may identify the CA. If the CA publishes no names, as
  /// some private CAs do, accepts every name.
  func accepts(_ identity: String) -> Bool { identities.isEmpty || identities.contains(identity) }
}

/// Returns why the CAA records that apply to a host forbid a certificate; nil if they permit it.
///
/// - Parameter isWildcard: Whether the certificate is for a wildcard (RFC 8659 section 4.3).
package func obstacle(
  in records: [AuthorizationRecord], of domain: String, for caaIdentity: CAAIdentity,
  isWildcard: Bool = false
) -> IssuanceFailure? {
  if let unknown = records.first(where: {
    $0.isCritical && !["issue", "issuewild", "iodef", "issuemail"].contains($0.tag)
  }) {
    return .caa(
      "a CAA record of \(domain) has the unknown critical tag \"\(visible(unknown.tag))\", so "
        + "every CA must refuse",
      help: "remove the CAA record with this tag, or the critical flag of the record")
  }
  let tag = isWildcard && records.contains { $0.tag == "issuewild" } ? "issuewild" : "issue"
  let issue = records.filter { $0.tag == tag }
  if issue.isEmpty { return nil }
  var reason = ""
  for record in issue {
    let (authority, parameters) = issuerAndParameters(record.value)
    guard !authority.isEmpty, caaIdentity.accepts(authority) else { continue }
    if let account = parameters["accounturi"], account != caaIdentity.account {
      reason = "the account of this server is \(caaIdentity.account ?? "not made yet")"
    } else if let methods = parameters["validationmethods"],
      !methods.split(separator: ",").compactMap({ ChallengeKind(rawValue: trimmed($0)) })
        .contains(where: caaIdentity.methods.contains)
    {
      reason = "this server uses \(caaIdentity.methods.map(\.rawValue).joined(separator: ", "))"
    } else {
      return nil
    }
  }
  let allowed = issue.map { "\"\(visible($0.value))\"" }.joined(separator: ", ")
  return .caa(
    reason.isEmpty
      ? "the CAA records of \(domain) allow only \(allowed)"
      : "the CAA records of \(domain) allow \(allowed), but \(reason)",
    help: caaIdentity.identities.first.map { "set the record \(domain). CAA 0 \(tag) \"\($0)\"" }
      ?? "allow the CA in the CAA records of \(domain)")
}

/// Parses a value such as `ca.example; accounturi=…`. Returns the CA's name and the parameters. The
/// name and the keys of the parameters are in lower case.
func issuerAndParameters(_ value: String) -> (issuer: String, [String: String]) {
  let parts = value.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
  let pairs = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(trimmed) }
  let found = pairs.filter { $0.count == 2 }.map { ($0[0].lowercased(), $0[1]) }
  return (parts.first?.lowercased() ?? "", Dictionary(found) { $1 })
}

func trimmed(_ text: Substring) -> String { String(text.trimmed { $0 == " " || $0 == "\t" }) }
