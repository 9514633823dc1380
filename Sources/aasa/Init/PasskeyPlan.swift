internal import AppSiteAssociation
internal import Development
internal import Diagnostics
internal import DigitalAssetLinks
internal import Keeping
internal import Rules

/// The files that allow apps and sites to use the passkeys of one domain.
struct PasskeyPlan {
  var association: AssociationPlan
  var androidApps: [AndroidArgument] = []
  var origins: [String] = []
  /// The URLs of the pages where users create (`enroll`) and manage (`manage`) passkeys.
  var enroll: String?
  var manage: String?

  /// The files to serve below `.well-known`, each with the result of checking the file.
  var files: [(name: String, text: String, report: ValidationReport)] {
    var files: [(name: String, text: String, report: ValidationReport)] = []
    func add(_ name: String, _ text: String, _ judge: (SourceText) -> ValidationReport) {
      files.append((name, text, judge(SourceText(path: name, bytes: Array(text.utf8)))))
    }
    if association.permitsSomething {
      add(associationName, association.text) { AppSiteAssociation.validate($0) }
    }
    if !androidApps.isEmpty { add("assetlinks.json", assetLinks) { AssetLinksFile($0).report() } }
    if !origins.isEmpty {
      let list = origins.map { "    \($0.json)" }.joined(separator: ",\n")
      add(JudgedFile.relatedOrigins.rawValue, "{\n  \"origins\": [\n\(list)\n  ]\n}\n") {
        JudgedReading($0, as: .relatedOrigins).report()
      }
    }
    add(JudgedFile.endpoints.rawValue, endpoints) { JudgedReading($0, as: .endpoints).report() }
    return files
  }

  /// An `assetlinks.json` that contains both relations from Google's examples for passkeys.
  private var assetLinks: String {
    let statements = androidApps.map { app in
      """
        {
          "relation": [
            "delegate_permission/common.handle_all_urls",
            "delegate_permission/common.get_login_creds"
          ],
          "target": {
            "namespace": "android_app",
            "package_name": \(app.packageName.json),
            "sha256_cert_fingerprints": [
      \(app.fingerprints.map { "        \($0.json)" }.joined(separator: ",\n"))
            ]
          }
        }
      """
    }
    return "[\n\(statements.joined(separator: ",\n"))\n]\n"
  }

  /// The content of `passkey-endpoints`. Without URLs, this file only says that the domain has
  /// passkeys.
  private var endpoints: String {
    let members = [("enroll", enroll), ("manage", manage)].compactMap { name, address in
      address.map { "  \"\(name)\": \($0.json)" }
    }
    return members.isEmpty ? "{}\n" : "{\n\(members.joined(separator: ",\n"))\n}\n"
  }
}
