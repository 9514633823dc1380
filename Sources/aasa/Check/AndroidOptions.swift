internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import DigitalAssetLinks
internal import Posix

/// The options of `aasa check` for Android apps if the user does not give their manifests.
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
    _ = try service(isPrivate: false)
    for text in android { _ = try Self.parts(text) }
  }

  /// Returns Google's Digital Asset Links service; nil to send no request to Google.
  func service(isPrivate: Bool) throws -> HostTarget? {
    if google == "none" || google == nil && isPrivate { return nil }
    return try parsing(HostTarget(google ?? GoogleStatements.service))
  }

  /// Returns the apps. If a package was given several times, its fingerprints are combined in one
  /// app.
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
