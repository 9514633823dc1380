internal import AppFiles
internal import ArgumentParser
internal import Checking

/// The options of `aasa check` for an Android app's manifest. For an Apple app, the corresponding
/// option is `--entitlements`.
struct ManifestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "check the link filters in an AndroidManifest.xml or .apk, and the assetlinks.json of each "
        + "host",
      valueName: "FILE"),
    completion: .file())
  var manifest: String?
  @Option(
    help: ArgumentHelp(
      "with --manifest: the app's package name, if Gradle sets the name", valueName: "NAME"))
  var package: String?
  @Option(
    name: .customLong("fingerprint"),
    help: ArgumentHelp(
      "with --manifest: the SHA-256 of the app's certificate, or a file that contains it: an "
        + ".apk, or keytool's or apksigner's output (repeatable)", valueName: "SHA-256"))
  var fingerprints: [String] = []

  func validate() throws {
    if manifest == nil && (package != nil || !fingerprints.isEmpty) {
      throw ValidationError("--package and --fingerprint need --manifest")
    }
  }

  /// Reads the manifest, and returns the check of the manifest. Returns nil if the user gave no
  /// manifest.
  ///
  /// - Parameters:
  ///   - links: Links and paths that should open the app.
  ///   - needsLinks: Whether a manifest without links is a fault.
  func task(
    _ links: [String], _ variables: [String: String], needsLinks: Bool
  ) throws -> AndroidLinkCheck? {
    guard let path = manifest else { return nil }
    let fingerprints = try certificateDigests(fingerprints, of: "--fingerprint")
    let read = try reading(path, AndroidManifest(reading: path).filling(variables))
    guard let packageName = package ?? read.packageName, !packageName.contains("${") else {
      throw ValidationError("\(path) has no package name; pass the application ID with --package")
    }
    return AndroidLinkCheck(
      read, at: path, packageName: packageName, fingerprints: fingerprints, needsLinks: needsLinks,
      links: links)
  }
}
