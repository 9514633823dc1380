internal import AppFiles
package import AppSiteAssociation
internal import Bytes
internal import Client
package import Diagnostics
internal import Gzip
internal import HTTP
internal import Posix
internal import Rules
package import TLS

/// Returns findings about the signature of an app, or about the settings for signing the app.
func signingFindings(_ file: AppFile) -> [Finding] {
  (file.profile.map(profileFindings) ?? []) + prefixFindings(file) + developmentFindings(file)
    + browserFindings(file)
}

private func profileFindings(_ profile: ProvisioningProfile) -> [Finding] {
  guard !profile.permitsDomains else { return [] }
  if profile.isForEveryApp {
    return [
      Finding(
        .profileWithoutDomains,
        "the provisioning profile \"\(profile.name)\" is for every app of the team, and such a "
          + "profile cannot have associated domains",
        help: "create an App ID for only this app, turn on Associated Domains for it, and create a "
          + "profile for it")
    ]
  }
  return [
    Finding(
      .profileWithoutDomains,
      "the provisioning profile \"\(profile.name)\" does not permit associated domains")
  ]
}

/// Reports that the prefix of the app identifier is not the Team ID. People usually write the Team
/// ID in the association file, but devices compare the prefix.
private func prefixFindings(_ file: AppFile) -> [Finding] {
  guard let app = file.app ?? file.profile?.identifier, let team = file.team ?? file.profile?.team
  else { return [] }
  let prefix = app.prefix { $0 != "." }
  if prefix == team { return [] }
  return [
    Finding(
      .prefixIsNotTeam, "the app's prefix \(prefix) is not its Team ID \(team)",
      help: "write \(app) in the association file: devices compare the prefix, not the Team ID")
  ]
}

private func developmentFindings(_ file: AppFile) -> [Finding] {
  guard file.kind == .signedApp, !file.isForDevelopment else { return [] }
  return (file.domains ?? []).filter { $0.contains("?mode=developer") }.map { entry in
    Finding(.developerModeInRelease, "\(entry): the app is not signed for development")
  }
}

private func browserFindings(_ file: AppFile) -> [Finding] {
  guard file.isBrowser, let entry = file.domains?.first(where: { $0.hasPrefix("applinks:") }) else {
    return []
  }
  return [
    Finding(
      .browserWithLinks, "\(entry): the app is a web browser (com.apple.developer.web-browser)")
  ]
}

extension Kind {
  static let browserWithLinks = Kind(
    "F116", "browser-with-links", "a web browser app has associated domains for links",
    "an app that is registered as a web browser must not have universal links",
    "Apple's technote TN3155 says so (grade D)", severity: .note,
    fix: "remove applinks, or the entitlement com.apple.developer.web-browser; a custom URL "
      + "scheme still opens the app")

  static let profileWithoutDomains = Kind(
    "F088", "profile-without-domains",
    "the provisioning profile does not permit associated domains",
    "no link opens the app, and the system offers the app no passwords, whatever the entitlements "
      + "file of the app says",
    "Apple's page on the Associated Domains entitlement (grade D)", effect: .expectation,
    fix: "turn on Associated Domains for the App ID, in Xcode's Signing & Capabilities or in the "
      + "developer account, and make the profile again; personal teams cannot use Associated "
      + "Domains")

  static let prefixIsNotTeam = Kind(
    "F089", "prefix-is-not-team", "the app's prefix is not its Team ID",
    "older apps have a prefix other than the Team ID; a file that lists the Team ID does not "
      + "match such an app",
    "Apple's page on the association file: the application identifier prefix (grade D)",
    severity: .note, fix: "write the prefix in the association file, not the Team ID")

  static let developerModeInRelease = Kind(
    "F091", "developer-mode-in-release",
    "an associated domain is for developer mode, but the app is not signed for development",
    "the associated domain has no effect in this build",
    "Apple's page on the Associated Domains entitlement (grade D)", severity: .note,
    fix: "add the associated domain without ?mode=developer too, or sign the build for "
      + "development to test developer mode")

  static let signingKinds: [Kind] = [
    .profileWithoutDomains, .prefixIsNotTeam, .developerModeInRelease, .browserWithLinks,
  ]
}

/// Returns findings about the content of the served file, according to all validation rules.
func contentFindings(
  _ exchange: Exchange, _ head: ReceivedHead, _ body: [UInt8], now: Int64
) -> [Finding] {
  if isPage(body) || body.isEmpty { return [] }
  var options = ValidationOptions()
  options.signedContent = { signedContent(of: $0, trust: TrustStore.ofSystem, now: now) }
  options.gzipSize = { gzipSize(of: $0) }
  options.includesNotes = false
  let report = validate(SourceText(path: exchange.request.url, bytes: body), options: options)
  let diagnostics = report.diagnostics.filter { $0.severity >= .warning }
  return withoutRepeatedCause(diagnostics).map { diagnostic in
    var diagnostic = diagnostic
    // An answer such as {"message":"Not Found"} is valid JSON, but a file without services opens no
    // app.
    if diagnostic.isOf(.noService) { diagnostic.severity = .error }
    var finding = Finding(diagnostic, isOfUnreadable: !report.isReadable)
    if finding.severity == .error, !report.isReadable || diagnostic.kind.effect == .allDevices {
      finding.effect = .allDevices
    }
    return finding
  }
}

/// If a warning about the same location explains the error that nothing is permitted, combines the
/// warning and the error. The error gets the warning's message and help text, and the warning is
/// removed.
private func withoutRepeatedCause(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
  guard let place = diagnostics.firstIndex(where: { $0.isOf(.nothingPermitted) }),
    let cause = diagnostics.firstIndex(where: {
      $0.severity == .warning && $0.location == diagnostics[place].location
    })
  else { return diagnostics }
  var result = diagnostics
  result[place].message = Kind.nothingPermitted.what + ": " + diagnostics[cause].message
  result[place].help = diagnostics[cause].help
  result.remove(at: cause)
  return result
}

/// Returns the content of a signed file, and diagnostics about its signature.
///
/// - Parameter trust: The trusted root certificates; nil if the signature need not be verified.
package func signedContent(of source: SourceText, trust: TrustStore?, now: Int64) -> SignedContent {
  do throws(CMSError) {
    let (content, verdict) = try CMS.open(
      source.bytes, trust.map { CMS.Question.trust($0, now: now) } ?? .contentOnly)
    let diagnostic = verdict?.diagnostic(
      at: source.path,
      note: "iOS 9 and later need no signature: the unsigned JSON file has the "
        + "same effect")
    return SignedContent(bytes: content, diagnostics: [diagnostic].compactMap(\.self))
  } catch {
    return SignedContent(bytes: nil, diagnostics: [error.diagnostic(at: source.path)])
  }
}
