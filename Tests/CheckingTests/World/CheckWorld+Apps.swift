import AppFiles
import Diagnostics
import DigitalAssetLinks
import Rules
import Testing

@testable import Checking

/// Checks of apps: their entitlements, and Android apps.
extension CheckWorld {
  /// What the entitlements name, and then what the command line names; the findings about the
  /// entries come first.
  func check(
    _ domains: String..., entitlements: String, variables: [String: String] = [:],
    urls: [String] = [], exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let app = try AppFile(Array(entitlements.utf8))
    let found = AssociatedDomains(app, variables: variables)
    var options = Options()
    options.requirements.urls = urls
    if let identifier = found.app { options.requirements.add(identifier, isOf: found.subjects) }
    options.requirements.add(found.namedHosts)
    let faults = CheckedSubject("App.entitlements", found.findings, options.policy)
    let checked = try run(domains.map { try CheckSubject($0) } + found.subjects, options)
    return says([faults].compactMap(\.self) + checked, exitCode, location)
  }

  func checkAndroid(
    _ apps: [AndroidApp] = [
      AndroidApp(packageName: "org.swift.shop", fingerprints: [shopFingerprint])
    ],
    links: [String] = [], google: HostTarget? = nil, policy: VerdictPolicy = VerdictPolicy(),
    exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let check = AndroidAppCheck(apps, [try HostTarget("example.com")], links: links)
    var context = CheckContext(try settings(), policy)
    context.google = google
    return says(check.results(context).subjects, exitCode, location)
  }

  /// The reports one below another; the exit code is that of the worst.
  func says(
    _ subjects: [CheckedSubject], _ exitCode: Int32, _ location: SourceLocation
  ) -> String {
    let text = subjects.map(\.text).joined(separator: "\n")
    let worst = subjects.map(\.exitCode).reduce(0, CheckRun.worse)
    #expect(worst == exitCode, "\(text)", sourceLocation: location)
    return text
  }
}

/// The entitlements of an app that names these domains.
func entitlements(_ entries: String...) -> String {
  entitlements(value: "<array>\(entries.map { "<string>\($0)</string>" }.joined())</array>")
}

/// Entitlements with this value of the associated domains.
func entitlements(value: String, more: String = "") -> String {
  "<plist version=\"1.0\"><dict>\(more)<key>com.apple.developer.associated-domains</key>\(value)"
    + "</dict></plist>"
}
