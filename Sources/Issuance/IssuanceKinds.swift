package import Diagnostics

/// The kinds of faults of automatic certificates.
extension Kind {
  package static let nameDoesNotLeadHere = Kind(
    "I001", "name-does-not-lead-here",
    "a name, or one of its addresses, does not lead to this server; or the TXT record that a "
      + "wildcard needs is missing",
    "the CA would refuse the order for the same reason, and after five failed orders in an hour"
      + " it refuses all further orders for the name, so nothing is ordered",
    nil, severity: .warning,
    fix:
      "set the record that the help shows; the server checks the name again after 1, 2, 5, 10"
      + " and 30 minutes, then every hour")
  package static let caaForbids = Kind(
    "I002", "caa-forbids", "a CAA record at the name, or above it, allows only other CAs",
    "the CA must refuse (RFC 8659), so nothing is ordered", nil, severity: .warning,
    fix: "set the record that the help shows, or choose an allowed CA with --acme")
  package static let authorityRefuses = Kind(
    "I003", "authority-refuses", "the CA refuses a certificate; the message quotes its reason",
    "the server tries again after 1, 10 and 100 minutes, then once a day, and never earlier than"
      + " the CA allows; with several CAs it tries the next one after a day",
    nil, severity: .warning,
    fix: "do what the CA says; the server tries again by itself, or at once after aasa acme"
      + " renew HOST")
  package static let authorityDoesNotAnswer = Kind(
    "I004", "authority-does-not-answer",
    "the CA cannot be reached, or its answer is not ACME, such as a maintenance page",
    "orders wait, and continue when the CA answers", nil, severity: .warning,
    fix:
      "check that this machine can connect to the CA over HTTPS, and pass a private CA's roots"
      + " with --acme-ca; the server tries again by itself")
  package static let caNeedsAction = Kind(
    "I005", "ca-needs-action",
    "the CA wants someone to act, for example to accept new terms, or has paused the account",
    "the server sends the CA no other requests until the next day", nil, severity: .warning,
    fix:
      "do what the CA asks, at the address that it gives; the server tries again once a day, or"
      + " at once after aasa acme renew HOST")
  package static let certificateUnfit = Kind(
    "I006", "certificate-unfit", "the CA issued a certificate that cannot be served",
    "the old certificate stays in use; no other certificate is ordered for twelve hours, or for a"
      + " tenth of the new certificate's lifetime if that is longer",
    nil, severity: .warning,
    fix: "pass a private CA's roots with --acme-ca; check this machine's clock")
  package static let stateFolderUnusable = Kind(
    "I007", "state-folder-unusable",
    "the state folder cannot be written, has no space, or was written by a later version of aasa",
    "what is served stays, and nothing is renewed until the folder is usable again", nil,
    fix: "let the server's user write to the --acme-state folder, and free disk space;"
      + " if a later version wrote it, run that version, or restore a backup")
  package static let stateLostWithContainer = Kind(
    "I008", "state-lost-with-container", "the state folder is lost with the container",
    "each restart would order all certificates again; CAs refuse the sixth order in a week, and"
      + " hosts would lack certificates for days, so the server does not start",
    nil, fix: "put the folder on a volume",
    wrong: "docker run aasa serve --acme letsencrypt",
    right: "docker run -v aasa-state:/var/lib/aasa aasa serve --acme letsencrypt"
      + " --acme-state /var/lib/aasa")
  package static let anotherIssuer = Kind(
    "I009", "another-issuer", "another process gets the certificates of the state folder",
    "this process answers challenges, serves the certificates that the other writes, and takes over"
      + " when the other exits",
    nil, severity: .warning,
    fix: "if that is not intended, give each server its own folder with --acme-state")
  package static let newCertificateNotServed = Kind(
    "I010", "new-certificate-not-served",
    "a minute after a certificate was written, a handshake with this server did not show it",
    "clients get a different certificate for the name", nil, severity: .warning,
    fix: "run aasa status to see which certificate is served, and why")
  package static let accountUnknown = Kind(
    "I011", "account-unknown", "the CA no longer knows this server's account",
    "the server makes a new account with the same key", nil, severity: .warning,
    fix: "replace the old account with the new one in CAA and TXT records")
  package static let clocksDiffer = Kind(
    "I012", "clocks-differ", "the CA's clock and this machine's differ by more than five minutes",
    "certificates are checked against the CA's clock, and clients may refuse a certificate that is"
      + " valid by this machine's clock; if the clocks differ by more than a day, nothing is "
      + "ordered or removed, because either clock may be wrong",
    nil, severity: .warning,
    fix: "set this machine's clock with NTP; waiting orders continue as soon as it is right")
  package static let noSuchProfile = Kind(
    "I013", "no-such-profile", "the CA has no profile with the name in acmeProfile",
    "certificates are ordered without a profile", nil, severity: .warning,
    fix: "choose a name from the CA's directory")
  package static let settingFileUnusable = Kind(
    "I014", "setting-file-unusable",
    "a file in the setting acmeCa, acmeEab or acmeAnswer cannot be used",
    "the server does not start", nil,
    fix:
      "for acmeCa, give a PEM file with root certificates; for acmeEab, a file with the"
      + " credentials from the CA; for acmeAnswer, the thumbprint that aasa acme account"
      + " prints, or a file with it",
    right: "kid: keyid-00000000\nkey: c2VjcmV0LWtleS1vZi10aGUtY2E")
  package static let keyNotChanged = Kind(
    "I015", "key-not-changed",
    "aasa acme rollover requested a new key for the account, and a CA has not accepted the key yet",
    "no certificate is ordered until all CAs have the key; the server tries every minute, also"
      + " after a restart",
    nil, severity: .warning,
    fix: "do what the CA says; if the CA no longer exists, remove it from the setting acme")
  package static let recordInvalidAtRenewal = Kind(
    "I016", "record-invalid-at-renewal",
    "the TXT record that a wildcard needs is gone, or its persistUntil passes before the"
      + " renewal",
    "the certificate cannot be renewed then; it stays valid until it"
      + " expires", nil, severity: .warning,
    fix: "set the record that the help shows; the server reads it again within six hours")
  package static let stateFolderGone = Kind(
    "I017", "state-folder-gone",
    "someone removed the state folder, or files in it, while the server was using it",
    "the server rewrites the key, the account, the limits and the served certificates",
    nil, severity: .warning,
    fix: "there is nothing to do; aasa acme renew HOST orders a new certificate")
  package static let anotherAccount = Kind(
    "I019", "another-account",
    "an address of a name points to a different aasa server, with a different account",
    "each server would break the other's challenges, so nothing is ordered", nil,
    severity: .warning,
    fix: "start one server with --acme-answer and the thumbprint of the other server's account, or"
      + " give both servers the same --acme-state folder")
}

/// All kinds of faults of automatic certificates.
package let issuanceKinds: [Kind] = [
  .nameDoesNotLeadHere, .caaForbids, .authorityRefuses, .authorityDoesNotAnswer,
  .caNeedsAction, .certificateUnfit, .stateFolderUnusable, .stateLostWithContainer,
  .anotherIssuer, .newCertificateNotServed, .accountUnknown, .clocksDiffer, .noSuchProfile,
  .settingFileUnusable, .keyNotChanged, .recordInvalidAtRenewal, .stateFolderGone,
  .anotherAccount,
]
