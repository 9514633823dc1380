internal import Bytes
package import Diagnostics

/// Returns the explanation of a message that a system or browser shows or logs; nil for other text.
package func systemMessageKind(of text: String) -> Kind? {
  let text = text.lowercased()
  return rows.first { row in row.marks.contains { text.contains($0) } || row.numbers.contains(text)
  }?
  .kind
}

/// - Parameter numbers: Codes that count only if they are the whole text.
private let rows: [(marks: [String], numbers: [String], kind: Kind)] = [
  (
    ["using https callbacks requires"], [],
    Kind(
      "HTTPS callback", "callback-without-webcredentials",
      "ASWebAuthenticationSession rejects HTTPS callbacks for this host",
      "the app must name the host under webcredentials; applinks is not enough", observed,
      fix: "name the app under webcredentials in the file, and webcredentials:HOST in the app's "
        + "associated domains; aasa check HOST --entitlements App.ipa compares both")
  ),
  (
    ["not associated with domain", "unable to verify webcredentials", "-25293"], ["1004"],
    Kind(
      "1004", "not-associated",
      "the system does not associate the app with a passkey's or password's domain (1004, -25293)",
      "the domain is the relying party ID, whichever host the app contacts; its file must name the "
        + "app under webcredentials, and the app's associated domains must have "
        + "webcredentials:DOMAIN",
      observed,
      fix: "aasa check DOMAIN --entitlements App.ipa says which is missing; if none is, the device "
        + "fetched the file before it was right: install the app again")
  ),
  (
    ["rp id cannot be validated", "rpid cannot be validated"], [],
    Kind(
      "RP ID cannot be validated", "android-not-associated",
      "Android does not associate the app with the domain of a passkey",
      "assetlinks.json of exactly this domain must name the package and the certificate that the "
        + "installed app is signed with, with the relation delegate_permission/common.get_login_creds",
      observed,
      fix: checkAndroid)
  ),
  (
    ["originverifier", "digital asset link", "statement failure matching fingerprint"], [],
    Kind(
      "OriginVerifier", "web-activity-not-verified",
      "Chrome does not associate an app with the site that it shows: a Trusted Web Activity has a "
        + "bar",
      "assetlinks.json must name the package and the certificate that the installed app is signed "
        + "with, with the relation delegate_permission/common.handle_all_urls",
      observed,
      fix: checkAndroid)
  ),
]

private let checkAndroid =
  "aasa check DOMAIN --android PACKAGE:FINGERPRINT says which is missing; the fingerprint is that of "
  + "the app signing key in the Play Console, not of your upload key"

private let observed = "reported in the field (grade O)"
