internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import DigitalAssetLinks
internal import Posix

struct AndroidOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "check what the domains let this Android app do: PACKAGE:FINGERPRINT, PACKAGE:FILE with a "
        + "file that contains the fingerprint, or an .apk (repeatable; one matching fingerprint "
        + "per package is enough)",
      valueName: "APP"))
  var android: [String] = []
  @Option(
    help: ArgumentHelp(
      "with --android or --device: the asset links service to ask instead of Google's, or none "
        + "(default: Google's; with --origin, --resolve or --ca: none)",
      valueName: "URL"))
  var google: String?

  func validate() throws {
    _ = try google.flatMap(googleService)
    for text in android { _ = try Self.parts(text) }
  }

  /// Returns the check of the Android apps; nil if the user gave no app.
  ///
  /// - Parameters:
  ///   - hosts: The hosts in the app's manifest.
  ///   - urls: Links and paths that should open the apps.
  func task(
    _ domains: DomainsToCheck, _ hosts: [String], _ urls: [String]
  ) throws -> AndroidAppCheck? {
    if android.isEmpty { return nil }
    let targets = try domains.subjects.map(\.target) + hosts.map(HostTarget.init)
    if targets.isEmpty { throw ValidationError("--android needs a domain") }
    return AndroidAppCheck(
      try apps(), targets, links: domains.links(urls), asksAlways: google != nil)
  }

  /// Returns the Android apps. If the user gave a package several times, returns one app with all
  /// fingerprints of this package.
  func apps() throws -> [AndroidApp] {
    var apps: [AndroidApp] = []
    for text in android {
      let (packageName, fingerprint) = try Self.parts(text)
      let digests = try certificateDigests([fingerprint], of: "--android")
      let name = try packageName ?? Self.packageName(of: fingerprint)
      if let index = apps.firstIndex(where: { $0.packageName == name }) {
        apps[index].fingerprints += digests.filter { !apps[index].fingerprints.contains($0) }
      } else {
        apps.append(AndroidApp(packageName: name, fingerprints: digests))
      }
    }
    return apps
  }

  /// Splits an argument into the package name and the rest. The rest is a fingerprint, or the path
  /// of a file. The package name is nil for an `.apk` file, which contains both the name and the
  /// fingerprint.
  private static func parts(_ text: String) throws -> (packageName: String?, rest: String) {
    let colon = text.firstIndex(of: ":")
    if text.hasSuffix(".apk"), colon.map({ text[..<$0].contains("/") }) ?? true {
      return (nil, text)
    }
    guard let colon, colon != text.startIndex,
      text.index(after: colon) != text.endIndex
    else {
      throw ValidationError(
        "--android \(text) is not PACKAGE:FINGERPRINT, such as org.swift.shop:5E:8F:…, nor an .apk")
    }
    let name = String(text[..<colon])
    guard isPackageName(name) else {
      throw ValidationError(
        "--android \(text): \(name) is not a package name; write PACKAGE:FINGERPRINT, such as "
          + "org.swift.shop:5E:8F:…")
    }
    return (name, String(text[text.index(after: colon)...]))
  }

  private static func packageName(of path: String) throws -> String {
    guard let name = try reading(path, AndroidManifest(reading: path)).packageName else {
      throw ValidationError("\(path) has no package name; write PACKAGE:\(path)")
    }
    return name
  }
}
