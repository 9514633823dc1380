package import Diagnostics

/// Diagnostics about the form of the file, found before any rule runs.
extension Kind {
  package static let fileTooLarge = Kind(
    "A001", "file-too-large", "the file has more than 131,072 bytes",
    "devices ignore the whole file; compression does not help, because the uncompressed bytes count",
    "Apple documents 128 KB (grade D); that it is counted uncompressed was seen in the field (O)")
  package static let notAnObject = Kind(
    "A002", "not-an-object", "the top level of the file is not a JSON object",
    "the file is not read", "Apple's documentation says so (grade D)", wrong: "[]",
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#)
  package static let brokenSignedFile = Kind(
    "A003", "broken-signed-file", "the file begins like a signed file but is not a whole one",
    "the file is not read",
    "RFC 5652; Apple asks for DER with the content attached (grade D)")
  package static let assetLinksNotAnArray = Kind(
    "A004", "asset-links-not-an-array", "the top level of assetlinks.json is not a JSON array",
    "Android does not read the file",
    "Google's documentation of Digital Asset Links says so", wrong: "{}",
    right: #"[{ "include": "https://example.com/links.json" }]"#)
  package static let assetLinksAsAssociation = Kind(
    "A008", "asset-links-as-association", "the file is Android's assetlinks.json",
    "devices of Apple do not read it: its top level is an array",
    "Apple's documentation says so (grade D)",
    wrong: #"[{ "relation": ["delegate_permission/common.handle_all_urls"] }]"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#)
  package static let signatureNotChecked = Kind(
    "A009", "signature-not-checked", "the file is signed, and its signature was not checked",
    "iOS 9 and later need no signature: a plain JSON file does the same",
    "Apple's documentation says so (grade D)", severity: .note)
  package static let signatureGood = Kind(
    "A190", "signature-good", "the file is signed by a trusted signer",
    "iOS 9 and later need no signature: a plain JSON file does the same",
    "Apple's documentation says so (grade D)", severity: .note)
  package static let signatureUntrusted = Kind(
    "A191", "signature-untrusted", "no trusted authority vouches for the signer of the file",
    "devices that check signatures, those of iOS 8, do not take the file",
    "Apple's documentation says so (grade D)", severity: .warning)
  package static let signatureOutOfDate = Kind(
    "A192", "signature-out-of-date", "a certificate of the signature is expired or not valid yet",
    "devices that check signatures, those of iOS 8, do not take the file",
    "Apple's documentation says so (grade D)", severity: .warning)
  package static let signatureBroken = Kind(
    "A193", "signature-broken", "the file was altered after it was signed, or has no signature",
    "the content is not what was signed; whether later devices accept it is not documented", nil)
  package static let signedContentUnreadable = Kind(
    "A194", "signed-content-unreadable", "the content of the signed file cannot be read",
    "without the content in the file nothing is permitted",
    "Apple asks for DER with the content attached (grade D)", effect: .allDevices)
}

/// All kinds about the form.
let formKinds: [Kind] = [
  .fileTooLarge, .notAnObject, .brokenSignedFile, .assetLinksNotAnArray, .assetLinksAsAssociation,
  .signatureNotChecked, .signatureGood, .signatureUntrusted, .signatureOutOfDate, .signatureBroken,
  .signedContentUnreadable,
]
