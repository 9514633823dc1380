package import Diagnostics

/// The kinds of faults of automatic certificates.
extension Kind {
  package static let nameDoesNotLeadHere = Kind(
    "I001", "name-does-not-lead-here",
    "a name, or one of its addresses, does not lead to this server; or the TXT record that a wildcard"
      + " needs is missing",
    "the CA would refuse for the same reason, and after five failed orders in an hour it refuses all"
      + " others, so it is not asked",
    nil, severity: .warning,
    fix:
      "set the record as the help says; the name is checked again by itself, after a"
      + " minute, two, five, ten, thirty, then every hour")
  package static let caaForbids = Kind(
    "I002", "caa-forbids", "a CAA record at the name, or above it, allows only other CAs",
    "the CA must refuse (RFC 8659), so it is not asked", nil, severity: .warning,
    fix: "set the record that the help shows, or name the CA that is allowed by --acme")
  package static let authorityRefuses = Kind(
    "I003", "authority-refuses", "the CA refuses a certificate, in its own words",
    "it is asked again after a minute, ten, a hundred, then once a day, and never earlier than it"
      + " allows; with several CAs the next one is asked after a day",
    nil, severity: .warning,
    fix: "do what the CA says; it is asked again by itself, and at once by aasa acme renew HOST")
  package static let authorityDoesNotAnswer = Kind(
    "I004", "authority-does-not-answer",
    "the CA cannot be reached, or its answer is not ACME, such as a maintenance page",
    "orders stay as they are and go on when it answers", nil, severity: .warning,
    fix:
      "check that this machine can connect to the CA by HTTPS, and name the roots of a private CA"
      + " by --acme-ca; the server tries again by itself")
  package static let authorityWantsSomething = Kind(
    "I005", "authority-wants-something",
    "the CA wants someone to act, such as to accept new terms, or has paused the account",
    "nothing else is asked until the next day", nil, severity: .warning,
    fix:
      "do what the CA asks, at the address that it names; the server asks the CA again once a day,"
      + " and aasa acme renew HOST asks at once")
  package static let certificateUnfit = Kind(
    "I006", "certificate-unfit", "the CA issued a certificate that cannot be served",
    "the old one stays; no other is ordered within twelve hours or a tenth of its lifetime",
    nil,
    severity: .warning,
    fix: "name the roots of a private CA by --acme-ca; check this machine's clock")
  package static let stateFolderUnusable = Kind(
    "I007", "state-folder-unusable",
    "the state folder cannot be written, has no space, or was written by a later version of aasa",
    "what is served stays, and nothing is renewed until the folder can be used again", nil,
    fix: "let the server's user write the folder that --acme-state names, and give it space; if a"
      + " later version wrote it, run that version, or restore a backup")
  package static let stateLostWithContainer = Kind(
    "I008", "state-lost-with-container", "the state folder is lost with the container",
    "each restart would order all certificates again; CAs refuse the sixth in a week, so that the"
      + " hosts would be without one for days. The server does not start",
    nil, fix: "give the folder a volume",
    wrong: "docker run aasa serve --acme letsencrypt",
    right: "docker run -v aasa-state:/var/lib/aasa aasa serve --acme letsencrypt"
      + " --acme-state /var/lib/aasa")
  package static let anotherIssuer = Kind(
    "I009", "another-issuer", "another process holds the lock of the state folder",
    "this one answers challenges, serves what the other writes, and takes over when the other ends",
    nil, severity: .warning,
    fix: "if that is not intended, give each server its own folder with --acme-state")
  package static let newCertificateNotServed = Kind(
    "I010", "new-certificate-not-served",
    "a certificate was written, and a minute later a handshake with this server did not show it",
    "clients get another one for the name", nil, severity: .warning,
    fix: "aasa status shows what is served instead, and why")
  package static let accountUnknown = Kind(
    "I011", "account-unknown", "the CA does not know the account of this server any more",
    "another account is made with the same key", nil, severity: .warning,
    fix: "change CAA and TXT records that name the old account; another one is made")
  package static let clocksDiffer = Kind(
    "I012", "clocks-differ", "the CA's clock and this machine's differ by more than five minutes",
    "certificates are judged by the CA's clock, and clients may refuse what this machine takes for"
      + " valid; with more than a day nothing is ordered or removed, because nobody knows which of"
      + " the two is right",
    nil, severity: .warning,
    fix: "set this machine's clock by NTP; waiting orders continue as soon as it is right")
  package static let noSuchProfile = Kind(
    "I013", "no-such-profile", "the CA has no profile of the name in acmeProfile",
    "certificates are ordered without one", nil, severity: .warning,
    fix: "choose a name that the CA's directory has")
  package static let settingFileUnusable = Kind(
    "I014", "setting-file-unusable",
    "a file that acmeCa, acmeEab or acmeAnswer names cannot be used",
    "the server does not start", nil,
    fix:
      "name a PEM file with root certificates for acmeCa; for acmeEab a file with what the CA gave"
      + " you; for acmeAnswer a file with the thumbprint that aasa acme account prints, or the"
      + " thumbprint itself",
    right: "kid: keyid-00000000\nkey: c2VjcmV0LWtleS1vZi10aGUtY2E")
  package static let keyNotChanged = Kind(
    "I015", "key-not-changed",
    "aasa acme rollover asked for another key of the account, and a CA does not take it yet",
    "no certificate is ordered until all CAs have it; the change is tried every minute, also after a"
      + " restart",
    nil, severity: .warning,
    fix: "do what the CA says; remove a CA that is gone from the setting acme")
  package static let recordWillNotDo = Kind(
    "I016", "record-will-not-do",
    "the TXT record that a wildcard needs is gone, or its persistUntil passes before the"
      + " renewal",
    "the certificate cannot be renewed then; it is good until it expires", nil, severity: .warning,
    fix: "set the record as the help says; the server reads it again within six hours")
  package static let stateFolderGone = Kind(
    "I017", "state-folder-gone",
    "somebody removed the state folder, or files in it, while the server was using it",
    "key, account, limits and the certificates that are served are written again",
    nil, severity: .warning,
    fix: "there is nothing to do; aasa acme renew HOST gets another certificate")
  package static let namesIgnored = Kind(
    "I018", "names-ignored", "the setting acmeNames has no effect any more",
    "each host gets a certificate of its own; certificates with several names stay until they are"
      + " renewed",
    nil, severity: .warning, fix: "remove acmeNames: a later version refuses it")
}

/// All kinds of faults of automatic certificates.
package let issuanceKinds: [Kind] = [
  .nameDoesNotLeadHere, .caaForbids, .authorityRefuses, .authorityDoesNotAnswer,
  .authorityWantsSomething, .certificateUnfit, .stateFolderUnusable, .stateLostWithContainer,
  .anotherIssuer, .newCertificateNotServed, .accountUnknown, .clocksDiffer, .noSuchProfile,
  .settingFileUnusable, .keyNotChanged, .recordWillNotDo, .stateFolderGone,
  .namesIgnored,
]
