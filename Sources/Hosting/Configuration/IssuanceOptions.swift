/// How the server gets certificates by itself.
package struct IssuanceOptions: Sendable {
  /// CAs by name or by the URL of their directory, in the order in which they are asked; empty for
  /// none.
  package var authorities: [String] = []
  /// The only folder that is written.
  package var state = "state"
  /// A file with the roots of a private CA, or `none`.
  package var roots = "none"
  /// The profile that is asked for, or `none`.
  package var profile = "none"
  /// How names are shown to be ours, in the order in which it is tried.
  package var challenges = ["http-01", "tls-alpn-01"]
  /// Names in one certificate at most.
  package var names = 1
  /// A file with the key identifier and the key of an account binding, or `none`.
  package var binding = "none"

  /// The thumbprint of the account that gets certificates elsewhere, a file with it, or `none`.
  package var answer = "none"

  /// Whether a text is a thumbprint: base64url of 32 bytes (RFC 7638).
  package static func isThumbprint(_ text: String) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
      }
  }

  /// The CAs that have names, with the URLs of their directories.
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
      "acme", \.issuance.authorities, .authorities, "CA", default: "none: certificates are files",
      changes: .afterRestart,
      "the CA that the server gets certificates from by itself, which accepts the CA's terms:"
        + " `letsencrypt`, `letsencrypt-staging`, `zerossl`, `google`, or the URL of a directory;"
        + " several in the order in which they are asked"),
    Setting(
      "acmeState", \.issuance.state, .folder, "DIR",
      default: "$STATE_DIRECTORY, else state beside server.json; Config/state without it",
      changes: .afterRestart,
      "the folder for account, orders and certificates that the server gets by itself, the only one"
        + " that it writes"),
    Setting(
      "acmeCa", \.issuance.roots, .fileOrNone, "FILE", changes: .afterRestart,
      "the roots of a private CA, which count besides the system's; or `none`"),
    Setting(
      "acmeProfile", \.issuance.profile, .profile, "NAME", changes: .afterRestart,
      "the kind of certificate that is asked for, by the CA's name for it; or `none` for what the CA"
        + " gives by itself"),
    Setting(
      "acmeChallenges", \.issuance.challenges, .challenges, "KIND", changes: .afterRestart,
      "how names are shown to be this server's, in the order in which it is tried: `http-01` on port"
        + " 80, `tls-alpn-01` on port 443, `dns-persist-01` by a TXT record, with which wildcards get"
        + " certificates too"),
    Setting(
      "acmeNames", \.issuance.names, .count(1...100), "N", changes: .afterRestart,
      "how many names one certificate has at most; more than one is for a great number of hosts that"
        + " need their first certificates soon, because CAs limit orders"),
    Setting(
      "acmeEab", \.issuance.binding, .fileOrNone, "FILE", changes: .afterRestart,
      "the file that binds the account to one at the CA, with the lines `kid: …` and `key: …`; or"
        + " `none`"),
    Setting(
      "acmeAnswer", \.issuance.answer, .thumbprint, "THUMBPRINT", changes: .afterRestart,
      "answers the challenges of an account that gets certificates elsewhere: the thumbprint that"
        + " `aasa acme account` prints there, or a file with it; or `none`"),
  ]
}
