internal import Diagnostics

/// The pages of diagnostics about a file as a whole, before any rule runs.
let formPages = [
  RulePage(
    "A001", "file-too-large", "the file has more than 131,072 bytes",
    "devices ignore the whole file; compression does not help, because the uncompressed bytes count",
    "Apple documents 128 KB (grade D); that it is counted uncompressed was seen in the field (O)"),
  RulePage(
    "A002", "not-an-object", "the top level of the file is not a JSON object",
    "the file is not read", "Apple's documentation says so (grade D)", wrong: "[]",
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#),
  RulePage(
    "A003", "broken-signed-file", "the file begins like a signed file but is not a whole one",
    "the file is not read",
    "RFC 5652; Apple asks for DER with the content attached (grade D)"),
  RulePage(
    "A004", "asset-links-not-an-array", "the top level of assetlinks.json is not a JSON array",
    "Android does not read the file",
    "Google's documentation of Digital Asset Links says so", wrong: "{}", right: "[]"),
  RulePage(
    "A008", "asset-links-as-association", "the file is Android's assetlinks.json",
    "devices of Apple do not read it: its top level is an array",
    "Apple's documentation says so (grade D)",
    wrong: #"[{ "relation": ["delegate_permission/common.handle_all_urls"] }]"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#),
  RulePage(
    "A009", "signature-not-checked", "the file is signed, and its signature was not checked",
    "iOS 9 and later need no signature: a plain JSON file does the same",
    "Apple's documentation says so (grade D)", severity: .note),
  RulePage(
    "A190", "signature-good", "the file is signed by a trusted signer",
    "iOS 9 and later need no signature: a plain JSON file does the same",
    "Apple's documentation says so (grade D)", severity: .note),
  RulePage(
    "A191", "signature-untrusted", "no trusted authority vouches for the signer of the file",
    "devices that check signatures, those of iOS 8, do not take the file",
    "Apple's documentation says so (grade D)", severity: .warning),
  RulePage(
    "A192", "signature-out-of-date", "a certificate of the signature is expired or not valid yet",
    "devices that check signatures, those of iOS 8, do not take the file",
    "Apple's documentation says so (grade D)", severity: .warning),
  RulePage(
    "A193", "signature-broken", "the file was altered after it was signed, or has no signature",
    "the content is not what was signed; whether later devices accept it is not documented", nil),
  RulePage(
    "A194", "signed-content-unreadable", "the content of the signed file cannot be read",
    "without the content in the file nothing is permitted",
    "Apple asks for DER with the content attached (grade D)"),
  RulePage(
    "V001", "unreadable", "a path cannot be read", "nothing is known about the file", nil),
  RulePage(
    "V003", "verdict-policy-faulty", "a file .aasa.json is wrong, and nothing of it counts",
    "the file says what fails and what is left out; its faults would lead to wrong verdicts", nil,
    wrong: #"{ "failOn": "warnings" }"#, right: #"{ "failOn": "warning", "ignore": ["A081"] }"#),
  RulePage(
    "V004", "link-outside", "a link to a folder leads out of the folder that is searched",
    "its target is not checked", nil, severity: .note),
  RulePage(
    "V005", "file-name", "the name of an association file is not the one that devices ask for",
    "devices ask for apple-app-site-association, without an extension, and for assetlinks.json; in "
      + "a folder of domains it is an error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning),
  RulePage(
    "V006", "folder-name", "the folder of an association file is called well-known without a dot",
    "devices ask for /.well-known/apple-app-site-association; in a folder of domains it is an "
      + "error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning),
  RulePage(
    "V002", "no-association-file", "a folder holds no association file",
    "association files are found by their names: apple-app-site-association, or as in the domains "
      + "folder HOST.json, _default.json and _wildcard.HOST.json", nil),
]
