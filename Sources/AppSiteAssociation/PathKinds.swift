package import Diagnostics

/// Diagnostics about the paths of files, and about files beside them.
extension Kind {
  package static let unreadable = Kind(
    "V001", "unreadable", "a path cannot be read", "nothing is known about the file", nil)
  package static let noAssociationFile = Kind(
    "V002", "no-association-file", "a folder holds no association file",
    "association files are found by their names: apple-app-site-association, or as in the domains "
      + "folder HOST.json, _default.json and _wildcard.HOST.json", nil)
  package static let verdictPolicyFaulty = Kind(
    "V003", "verdict-policy-faulty", "a file .aasa.json is wrong, and nothing of it counts",
    "the file says what fails and what is left out; its faults would lead to wrong verdicts", nil,
    wrong: #"{ "failOn": "warnings" }"#, right: #"{ "failOn": "warning", "ignore": ["A081"] }"#)
  package static let linkOutside = Kind(
    "V004", "link-outside", "a link to a folder leads out of the folder that is searched",
    "its target is not checked", nil, severity: .note)
  package static let fileName = Kind(
    "V005", "file-name", "the name of an association file is not the one that devices ask for",
    "devices ask for apple-app-site-association, without an extension, and for assetlinks.json; in "
      + "a folder of domains it is an error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning)
  package static let folderName = Kind(
    "V006", "folder-name", "the folder of an association file is nearly called .well-known",
    "devices ask for /.well-known/apple-app-site-association; in a folder of domains it is an "
      + "error, because aasa serve answers with 404",
    "Apple's documentation says so (grade D)", severity: .warning)
}

/// All kinds about paths.
let pathKinds: [Kind] = [
  .unreadable, .noAssociationFile, .verdictPolicyFaulty, .linkOutside, .fileName, .folderName,
]
