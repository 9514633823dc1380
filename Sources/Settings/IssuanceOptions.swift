internal import Bytes
package import Posix

/// The options of automatic certificates.
package struct IssuanceOptions: Sendable {
  /// The CAs by name or by directory URL, in the order in which they are tried; empty if this
  /// machine requests no certificates.
  package var authorities: [String] = []
  /// The folder for the account, orders and certificates.
  package var state = "state"
  /// The path of a file with the root certificates of a private CA, or `none`.
  package var roots = "none"
  /// The certificate profile to request, or `none`.
  package var profile = "none"
  /// The challenge types that prove control of names, in the order in which they are tried.
  package var challenges = [ChallengeKind.http, .tls]
  /// The path of a file with the key identifier and key of an external account binding, or `none`.
  package var binding = "none"
  /// The name server for checking the DNS records of names; nil for the system's name server.
  package var resolver: SocketAddress?
  /// If another machine gets certificates for this server: the thumbprint of that machine's
  /// account, or the path of a file that contains this thumbprint. Otherwise `none`.
  package var answer = "none"

  /// Returns whether a text is a thumbprint: base64url of 32 bytes (RFC 7638).
  package static func isThumbprint(_ text: String) -> Bool {
    text.utf8.count == 43 && text.utf8.allSatisfy(\.isBase64URLDigit)
  }

  /// The CAs that settings can specify by name, with their directory URLs.
  package static let known = [
    (name: "letsencrypt", url: "https://acme-v02.api.letsencrypt.org/directory"),
    (name: "letsencrypt-staging", url: "https://acme-staging-v02.api.letsencrypt.org/directory"),
    (name: "zerossl", url: "https://acme.zerossl.com/v2/DV90"),
    (name: "google", url: "https://dv.acme-v02.api.pki.goog/directory"),
  ]
}

extension Setting {
  static let issuance = [
    Setting(
      "acme", \.issuance.authorities, .authorities, "CA", default: "none: you provide certificates",
      changes: .afterRestart,
      "the CA from which the server gets certificates automatically: `letsencrypt`,"
        + " `letsencrypt-staging`, `zerossl`, `google`, or the URL of an ACME directory; several "
        + "CAs are tried in the given order; setting a CA accepts its terms"),
    Setting(
      "acmeState", \.issuance.state, .folder, "DIR",
      default: "$STATE_DIRECTORY, else state beside server.json, else Config/state",
      changes: .afterRestart,
      "the folder for the account, orders and certificates of the server"),
    Setting(
      "acmeCa", \.issuance.roots, .fileOrNone, "FILE", changes: .afterRestart,
      "a file with the root certificates of a private CA, to trust besides the system's; or "
        + "`none`"),
    Setting(
      "acmeProfile", \.issuance.profile, .profile, "NAME", changes: .afterRestart,
      "the certificate profile to request from the CA, or `none` for the CA's default"),
    Setting(
      "acmeChallenges", \.issuance.challenges, .challenges, "KIND", changes: .afterRestart,
      "the challenges that prove control of host names, in the order of attempts: "
        + ChallengeKind.allCases.map { "`\($0.rawValue)` \($0.summary)" }.joined(separator: ", ")),
    Setting(
      "acmeEab", \.issuance.binding, .fileOrNone, "FILE", changes: .afterRestart,
      "the file for external account binding, with the lines `kid: …` and `key: …`; with several"
        + " CAs a line `ca: NAME` precedes each pair; or `none`"),
    Setting(
      "acmeResolver", \.issuance.resolver, .nameServer, "ADDRESS", changes: .afterRestart,
      "the name server for checks of host names before an order, if this network's own server "
        + "returns private addresses for public names; or `none` for the system's name server"),
    Setting(
      "acmeAnswer", \.issuance.answer, .thumbprint, "THUMBPRINT", changes: .afterRestart,
      "the account of another server whose challenges this server answers: the thumbprint that"
        + " `aasa acme account` prints on that server, or a file with the thumbprint; or `none`"),
  ]
}
