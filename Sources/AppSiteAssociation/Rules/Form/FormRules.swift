package import Diagnostics
internal import JSON
internal import Rules

let formRules: [AssociationRule] = [
  AssociationRule(
    "A005", .note, "near-size-limit", .observed, in: .file,
    "the file is larger than 80 % of Apple's limit",
    "devices ignore a file of more than 131,072 uncompressed bytes"
  ) { file, findings in
    let count = file.source.bytes.count
    guard count > AppleLimits.fileBytes * 4 / 5 else { return }
    let compressed = file.options.gzipSize?(file.source.bytes)
    findings.report(
      nil, "the file has \(count) bytes; Apple's limit is \(AppleLimits.fileBytes)",
      help: "remove comments and white space, or join rules with wildcards",
      note: compressed.map {
        "above the limit devices ignore the whole file, although gzip compresses it to \($0) bytes"
      })
  },
  AssociationRule(
    "A006", .warning, "duplicate-key", .undocumented, in: .file,
    "an object has the same key twice",
    "it is undefined which value devices use; most readers use the last one",
    wrong: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] },
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.pay"] }
      }
      """#,
    right: #"""
      {
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay"] }
      }
      """#
  ) { file, findings in
    check(file.association.source, file, &findings)
  },
  AssociationRule(
    "A007", .error, "generated-empty-file", .observed, effect: .allDevices, in: .file,
    "the file is the empty file that Firebase Hosting generates",
    "no app is permitted to open anything; Firebase serves this file until you deploy your own",
    wrong: #"{"applinks":{"apps":[],"details":[]}}"#, right: exampleFile()
  ) { file, findings in
    guard isGeneratedEmptyFile(file.association) else { return }
    findings.report(
      file.association.source.head, "this is the empty file that Firebase Hosting generates",
      help: "deploy your own file with your apps, and set `\"appAssociation\": \"NONE\"` under "
        + "`hosting` in firebase.json")
  },
]

private func check(_ value: Value, _ file: FileUnderCheck, _ findings: inout Findings) {
  for element in value.elements where element.isContainer { check(element, file, &findings) }
  for member in value.members where member.value.isContainer {
    check(member.value, file, &findings)
  }
  guard value.mayRepeatKeys else { return }
  var first: [ExactText: Range<Int>] = [:]
  for member in value.members {
    if let range = first.updateValue(member.keyRange, forKey: ExactText(member.key)) {
      findings.report(
        member.keyRange, "this object already has the key `\(member.key)`",
        help: "keep one of the two keys; the first key is on line \(file.line(of: range))")
    }
  }
}

/// Diagnostics about the form of the file, found before any rule runs.
extension Kind {
  package static let fileTooLarge = Kind(
    "A001", "file-too-large", "the file has more than 131,072 bytes",
    "devices ignore the whole file; compression does not help: the limit is on uncompressed bytes",
    "Apple documents 128 KB (grade D); the limit on uncompressed bytes was seen in the field (O)",
    fix: "remove comments and white space, or join rules with wildcards")
  package static let notAnObject = Kind(
    "A002", "not-an-object", "the top level of the file is not a JSON object",
    "devices do not read the file", "Apple's documentation says so (grade D)",
    fix: #"begin with an object, for example {"applinks": {"details": […]}}"#, wrong: "[]",
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#)
  package static let brokenSignedFile = Kind(
    "A003", "broken-signed-file",
    "the file begins like a signed file but is not a valid signed file",
    "devices do not read the file",
    "RFC 5652; Apple asks for DER with the content attached (grade D)")
  package static let assetLinksNotAnArray = Kind(
    "A004", "asset-links-not-an-array", "the top level of assetlinks.json is not a JSON array",
    "Android does not read the file",
    "Google's documentation of Digital Asset Links says so", fix: "put the statements into [ ]",
    wrong: "{}",
    right: #"[{ "include": "https://example.com/links.json" }]"#)
  package static let assetLinksAsAssociation = Kind(
    "A008", "asset-links-as-association", "the file is Android's assetlinks.json",
    "Apple's devices do not read this file, because its top level is an array",
    "Apple's documentation says so (grade D)",
    fix: #"keep this content in assetlinks.json; write {"applinks": {"details": []}} with your "#
      + "apps into the association file",
    wrong: #"[{ "relation": ["delegate_permission/common.handle_all_urls"] }]"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#)
  package static let signatureNotChecked = Kind(
    "A009", "signature-not-checked", "the file is signed, and its signature was not checked",
    "iOS 9 and later need no signature: a plain JSON file does the same",
    "Apple's documentation says so (grade D)", severity: .note,
    fix: "validate the JSON that was signed")
}

let formKinds: [Kind] = [
  .fileTooLarge, .notAnObject, .brokenSignedFile, .assetLinksNotAnArray, .assetLinksAsAssociation,
  .signatureNotChecked,
]

/// Diagnostics about paths, and about the names of files and folders.
extension Kind {
  package static let unreadable = Kind(
    "V001", "unreadable", "a path cannot be read", "aasa cannot check the file", nil)
  package static let noAssociationFile = Kind(
    "V002", "no-association-file", "a folder contains no association file",
    "aasa finds association files by name: apple-app-site-association, or a file name as in a "
      + "domains folder (HOST.json, _default.json or _wildcard.HOST.json)", nil,
    fix: "name each file apple-app-site-association, or after its host, such as example.com.json")
  package static let linkOutside = Kind(
    "V004", "link-outside", "a symbolic link points to a folder outside the searched folder",
    "the target of the link is not checked", nil, severity: .note,
    fix: "to search the target folder, pass it as well")
  package static let fileName = Kind(
    "V005", "file-name", "an association file does not have the name that devices request",
    "devices request apple-app-site-association, without an extension, and assetlinks.json; in a "
      + "domains folder a wrong name is an error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning)
  package static let folderName = Kind(
    "V006", "folder-name", "the folder of an association file has a name similar to .well-known",
    "devices request /.well-known/apple-app-site-association; in a domains folder a wrong name is "
      + "an error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning,
    fix: "name the folder .well-known, with its dot and its hyphen")
}

/// All kinds of diagnostics about paths.
package let pathKinds: [Kind] = [
  .unreadable, .noAssociationFile, .verdictPolicyFaulty, .linkOutside, .fileName, .folderName,
]
