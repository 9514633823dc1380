internal import Client
internal import Posix
internal import TLS

/// `tls-alpn-01`: a certificate that this process itself serves on port 443 (RFC 8737).
struct TLSChallenge: Challenge {
  let shown: ChallengeCertificates?

  func preflight(_ host: String, _ check: NameCheck) throws(IssuanceFailure) -> Bool {
    guard let shown else {
      throw .name(
        "the challenge tls-alpn-01 needs HTTPS, but this process does not serve HTTPS",
        help: "add http-01 to acmeChallenges, or get the certificates with aasa serve --https")
    }
    // Serve a certificate with a random token. No other server can have this certificate, so its
    // serial number identifies this process.
    guard let serial = try? shown.show(host, base64url(randomBytes(24))) else { return false }
    defer { shown.remove(host) }
    return try check.ask(host, port: 443, toPassOn: "its port 443") { address in
      let found = handshake(
        for: host, at: address, protocolName: ChallengeCertificates.protocolName,
        context: check.context, milliseconds: check.deadline.millisecondsLeft)
      guard let found else {
        return .elsewhere("does not answer on port 443 like this server")
      }
      return found.serial == serial
        ? .here : .elsewhere("serves a different certificate on port 443")
    }
  }

  func show(_ host: String, token: String, thumbprint: String) throws(IssuanceFailure) -> Int64 {
    _ = try signed(try shown?.show(host, "\(token).\(thumbprint)"))
    return 0
  }

  func withdraw(_ host: String) { shown?.remove(host) }
}
