package import Diagnostics

extension Kind {
  package static let nameDoesNotLeadHere = Kind(
    "I001", "name-does-not-lead-here",
    "a name or one of its addresses does not lead to this server, or the TXT record for a "
      + "wildcard is missing",
    "the server orders nothing, because the CA would refuse the order for the same reason; after "
      + "five failed orders in an hour, a CA refuses all orders for the name",
    nil, severity: .warning,
    fix:
      "set the DNS record that the message shows; the server checks the name again after 1, 2, 5, "
      + "10 and 30 minutes, then every hour")
  package static let caaForbids = Kind(
    "I002", "caa-forbids", "a CAA record of the name, or of a parent domain, allows only other CAs",
    "the CA must refuse the order (RFC 8659), so the server orders nothing", nil,
    severity: .warning,
    fix: "set the CAA record that the message shows, or choose an allowed CA with --acme")
  package static let authorityRefuses = Kind(
    "I003", "authority-refuses",
    "the CA refuses to issue a certificate; the message quotes the CA's reason",
    "the server tries again after 1, 10 and 100 minutes, then once a day, and never earlier than "
      + "the CA allows; if several CAs are set, the server tries the next CA after a day",
    nil, severity: .warning,
    fix: "do what the CA says; the server tries again by itself, and at once if you run aasa acme "
      + "renew HOST")
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
    "the server sends no more requests to the CA until the next day", nil, severity: .warning,
    fix:
      "open the address in the CA's message, and do what the CA asks; the server tries again once "
      + "a day, and at once if you run aasa acme renew HOST")
  package static let certificateUnfit = Kind(
    "I006", "certificate-unfit", "the CA issued a certificate that cannot be served",
    "the old certificate stays in use; the server waits for twelve hours or a tenth of the new "
      + "certificate's lifetime, whichever is longer, before it orders another certificate",
    nil, severity: .warning,
    fix:
      "if the CA is private, pass its root certificates with --acme-ca; check this machine's clock")
  package static let stateFolderUnusable = Kind(
    "I007", "state-folder-unusable",
    "the state folder cannot be written, has no space, or was written by a later version of aasa",
    "served certificates stay in use, but none is renewed until the folder is usable again", nil,
    fix: "let the server's user write to the --acme-state folder, and free disk space; if a later "
      + "version of aasa wrote the folder, run the later version, or restore a backup")
  package static let stateLostWithContainer = Kind(
    "I008", "state-lost-with-container",
    "the state folder is not on a volume, so it is lost with the container",
    "the server does not start, because each restart would order all certificates again; CAs "
      + "refuse the sixth order in a week, so hosts would have no certificate for days",
    nil, fix: "put the folder on a volume",
    wrong: "docker run aasa serve --acme letsencrypt",
    right: "docker run -v aasa-state:/var/lib/aasa aasa serve --acme letsencrypt"
      + " --acme-state /var/lib/aasa")
  package static let anotherIssuer = Kind(
    "I009", "another-issuer",
    "another process orders the certificates that are stored in the state folder",
    "this process answers challenges, serves the certificates that the other process writes, and "
      + "takes over when the other process exits",
    nil, severity: .warning,
    fix: "if the servers should not share a folder, give each server its own with --acme-state")
  package static let newCertificateNotServed = Kind(
    "I010", "new-certificate-not-served",
    "no handshake with this server showed a new certificate within a minute",
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
    fix: "set this machine's clock with NTP; waiting orders continue as soon as the clock is right")
  package static let noSuchProfile = Kind(
    "I013", "no-such-profile", "the CA has no profile with the name in acmeProfile",
    "certificates are ordered without a profile", nil, severity: .warning,
    fix: "set acmeProfile to a profile in the CA's directory")
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
    "the TXT record for a wildcard is missing, or expires (persistUntil) before the renewal",
    "the renewal will fail; the current certificate is served until it expires", nil,
    severity: .warning,
    fix:
      "set the TXT record that the message shows; the server reads it again within six hours"
  )
  package static let stateFolderGone = Kind(
    "I017", "state-folder-gone",
    "someone removed the state folder, or files in it, while the server was using it",
    "the server rewrites the account's key, the account, the CA's rate limits and the served "
      + "certificates",
    nil, severity: .warning,
    fix: "no action is needed; to order a new certificate for a host, run aasa acme renew HOST")
  package static let anotherAccount = Kind(
    "I019", "another-account",
    "an address of a name points to a different aasa server, with a different account",
    "each server would break the other server's challenges, so this server orders nothing", nil,
    severity: .warning,
    fix: "start one server with --acme-answer and the thumbprint of the other server's account, or"
      + " give both servers the same --acme-state folder")
}

package let issuanceKinds: [Kind] = [
  .nameDoesNotLeadHere, .caaForbids, .authorityRefuses, .authorityDoesNotAnswer,
  .caNeedsAction, .certificateUnfit, .stateFolderUnusable, .stateLostWithContainer,
  .anotherIssuer, .newCertificateNotServed, .accountUnknown, .clocksDiffer, .noSuchProfile,
  .settingFileUnusable, .keyNotChanged, .recordInvalidAtRenewal, .stateFolderGone,
  .anotherAccount,
]
