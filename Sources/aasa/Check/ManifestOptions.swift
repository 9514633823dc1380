internal import AppFiles
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// The options of `aasa check` for an Android app's manifest. They correspond to `--entitlements`
/// for an Apple app.
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

  /// Reads the manifest; nil if the user gave no manifest.
  ///
  /// - Parameter needsLinks: Whether a manifest without links is a fault.
  func read(variables: [String: String], needsLinks: Bool) throws -> ManifestCheck? {
    guard let path = manifest else { return nil }
    let fingerprints = try certificateDigests(fingerprints, of: "--fingerprint")
    let read = try reading(path, AndroidManifest(reading: path).filling(variables))
    guard let packageName = package ?? read.packageName, !packageName.contains("${") else {
      throw ValidationError("\(path) has no package name; pass the application ID with --package")
    }
    return ManifestCheck(
      path: path, packageName: packageName, fingerprints: fingerprints,
      links: ManifestLinks(read, isRequired: needsLinks), scope: ManifestScope(read))
  }
}

/// The links in a manifest, and the package name and fingerprints that the links' hosts must list.
struct ManifestCheck {
  let path: String
  let packageName: String
  let fingerprints: [String]
  let links: ManifestLinks
  let scope: ManifestScope

  /// Returns the results for the manifest, for each host, and for each link or path that should
  /// open the app.
  func run(
    _ urls: [String], _ settings: ClientSettings, _ policy: VerdictPolicy, parallel: Int
  ) -> [CheckedSubject] {
    let hosts = links.hosts
    let urls = urls.flatMap { url in
      url.hasPrefix("/") && !url.hasPrefix("//") ? hosts.map { "https://\($0)\(url)" } : [url]
    }
    let check = AndroidLinkCheck(
      packageName: packageName, fingerprints: fingerprints, links: urls, scope: scope,
      settings: settings, policy: policy)
    let results = inParallel(hosts.count, slice: 1, threads: parallel) { range in
      hosts[range].map(check.check)
    }.flatMap(\.self)
    let faults = [
      CheckedSubject(path, links.findings, policy), links.allOrNone(results, of: path, policy),
    ].compactMap(\.self)
    return faults + urls.compactMap { scope.check($0, policy) } + results.compactMap(\.self)
  }
}
