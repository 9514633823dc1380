internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix

/// The options of `aasa check` about an Android app: the twin of `--entitlements`.
struct ManifestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "check the filters for links of an AndroidManifest.xml or .apk, and assetlinks.json of each "
        + "host",
      valueName: "FILE"),
    completion: .file())
  var manifest: String?
  @Option(
    help: ArgumentHelp("with --manifest: the app's name, if Gradle fills it in", valueName: "NAME"))
  var package: String?
  @Option(
    name: .customLong("fingerprint"),
    help: ArgumentHelp(
      "with --manifest: the SHA-256 of the app's certificate, or a file that has it: an .apk, or "
        + "keytool's or apksigner's output (repeatable)", valueName: "SHA-256"))
  var fingerprints: [String] = []

  func validate() throws {
    if manifest == nil && (package != nil || !fingerprints.isEmpty) {
      throw ValidationError("--package and --fingerprint need --manifest")
    }
  }

  /// A SHA-256 digest, or the line of a tool with one, as `assetlinks.json` has it.
  private static func digest(_ text: String) throws -> String {
    let word = text.split(whereSeparator: \.isWhitespace).last ?? ""
    let digits = word.filter { $0 != ":" }
    guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
      throw ValidationError(
        "--fingerprint \(text) is neither a file nor a SHA-256 digest: 32 bytes, such as 5E:8F:…")
    }
    return normalizedFingerprint(String(digits))
  }

  /// What the manifest asks for; nil if none is given.
  func read(variables: [String: String]) throws -> ManifestCheck? {
    guard let path = manifest else { return nil }
    let fingerprints = try readFingerprints(fingerprints).map(Self.digest)
    let read: AndroidManifest
    do throws(AppFileFault) {
      read = try AndroidManifest(reading: path).filling(variables)
    } catch {
      throw failure(error.line(path), .usage)
    }
    guard let packageName = package ?? read.packageName else {
      throw ValidationError("\(path) has no package name; give --package, the application ID")
    }
    return ManifestCheck(
      path: path, packageName: packageName, fingerprints: fingerprints,
      links: ManifestLinks(read), scope: ManifestScope(read))
  }
}

/// A manifest whose hosts are checked.
struct ManifestCheck {
  let path: String
  let packageName: String
  let fingerprints: [String]
  let links: ManifestLinks
  let scope: ManifestScope

  /// The results about the manifest, about each host, and about each link or path that should open
  /// the app.
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
      hosts[range].compactMap(check.check)
    }
    let faults = CheckedSubject(path, links.findings, policy).map { [$0] } ?? []
    return faults + urls.compactMap { scope.check($0, policy) } + results.flatMap(\.self)
  }
}
