package import AppFiles
internal import Diagnostics
package import Rules

/// The hosts that the intent filters of an Android manifest list for web links.
package struct ManifestLinks {
  /// The hosts to check, without duplicates. A host such as `*.example.com` is listed without `*.`,
  /// because Android reads the file of `example.com`.
  package private(set) var hosts: [String] = []
  /// Findings about the faults of the filters.
  package private(set) var findings: [Finding] = []
  private var known: Set<String> = []
  private let verifiedHosts: Set<String>
  /// The hosts of all filters that require no MIME type.
  private let linkHosts: Set<String>
  /// The hosts of all filters that list the scheme https and require no MIME type.
  private let httpsHosts: Set<String>

  /// - Parameters:
  ///   - manifest: The manifest, after `AndroidManifest.filling` has replaced its placeholders.
  ///   - isRequired: Whether a manifest without filters for web links is a fault.
  package init(_ manifest: AndroidManifest, isRequired: Bool = true) {
    verifiedHosts = Set(manifest.filters.filter(\.asksForVerification).flatMap(\.hosts))
    let untyped = manifest.filters.filter { !$0.hasType }
    linkHosts = Set(untyped.flatMap(\.hosts))
    httpsHosts = Set(untyped.filter { $0.schemes.contains("https") }.flatMap(\.hosts))
    for filter in manifest.filters { take(filter) }
    if isRequired && hosts.isEmpty && findings.isEmpty {
      findings.append(
        Finding(
          .manifestWithoutLinks,
          "the manifest has no intent filter that lists a host for https "
            + "links"))
    }
  }

  private mutating func take(_ filter: AndroidManifest.LinkFilter) {
    func report(
      _ kind: Kind, _ message: String, _ help: String? = nil,
      severity: Diagnostic.Severity? = nil
    ) {
      findings.append(
        Finding(
          kind, "line \(filter.line), \(filter.activity): \(message)", severity: severity,
          help: help))
    }
    // A filter without a host contains nothing that Android could verify.
    if filter.hosts.isEmpty { return }
    let missing =
      ["android.intent.action.VIEW"].filter { !filter.actions.contains($0) }
      + ["android.intent.category.DEFAULT", "android.intent.category.BROWSABLE"].filter {
        !filter.categories.contains($0)
      }
    if !missing.isEmpty {
      report(
        .filterIncomplete, "the filter lacks \(missing.joined(separator: " and "))")
    }
    if filter.isExported != true {
      report(
        .activityNotExported,
        filter.isExported == nil
          ? "the activity lacks android:exported" : "the activity is not exported",
        severity: filter.isExported == nil ? .warning : nil)
    }
    let others = filter.otherSchemes
    if filter.hasType {
      // No link matches a filter with a MIME type. But report this filter only if it contains a
      // host for which no other filter accepts links.
      if !filter.hosts.allSatisfy(linkHosts.contains) {
        report(.filterWithType, "the filter has a MIME type, but links have no MIME type")
      }
    } else {
      if !filter.hosts.allSatisfy(httpsHosts.contains) {
        report(.filterWithoutHTTPS, "the filter is for http only: https links do not match")
      }
      // Android verifies hosts, not filters. So do not report the filter if other filters ask
      // Android to verify all its hosts.
      if filter.hosts.allSatisfy(verifiedHosts.contains) {
        // Report nothing: for each of these hosts, at least one filter requests verification.
      } else if !filter.isVerified {
        report(.filterNotVerified, "the filter does not request verification")
      } else if !others.isEmpty {
        report(
          .filterWithOtherScheme,
          "the filter also lists schemes other than http and https: "
            + "\(others.joined(separator: ", "))")
      }
    }
    for path in filter.paths + filter.groups.flatMap(\.parts) where !path.text.isFilledIn {
      if PathPattern(path) == nil {
        report(
          .manifestPath, "\(path.attribute) `\(path.text)` is a pattern that Android refuses",
          "in the pattern, close each bracket, and write a modifier such as * only after a "
            + "character")
      } else if !Self.canMatch(path) {
        report(
          .manifestPath, "\(path.attribute) `\(path.text)` does not begin with a slash",
          "write android:\(path.attribute)=\"/\(path.text)\"")
      }
    }
    for host in filter.hosts {
      if host.isFilledIn {
        report(
          .manifestWithVariable,
          "the host \(host) was not checked, because only the build knows "
            + "the value",
          host.hasPrefix("@") ? "give --set '\(host)=VALUE'" : nil)
      } else if let name = Self.name(of: host) {
        if known.insert(name).inserted { hosts.append(name) }
      } else {
        report(
          .manifestHost,
          host == "*"
            ? "`*` matches every host, so Android verifies no host"
            : "`\(host)` is not a lowercase host name",
          host == "*"
            ? "list each host, or all subdomains of a host: *.example.com"
            : "write only the host: no https://, no path, no port, no capital letters")
      }
    }
  }

  /// Returns a result for the case that only some hosts let the app open links: Android 11 and
  /// older then verify no host of the app. Nil if all hosts or no hosts let the app open links.
  /// Also nil if the app asks for no verification.
  ///
  /// - Parameter results: The results of the checks of `hosts`, in the same order.
  package func allOrNone(
    _ results: [CheckedSubject?], of path: String, _ policy: VerdictPolicy
  ) -> CheckedSubject? {
    let faulty = zip(hosts, results).filter { $1?.isNotVerified ?? false }.map(\.0)
    if verifiedHosts.isEmpty || faulty.isEmpty || faulty.count == hosts.count { return nil }
    let isOne = faulty.count == 1
    return CheckedSubject(
      path,
      [
        Finding(
          .hostsVerifiedTogether,
          "Android 11 and older verify no host of the app, because "
            + faulty.joined(separator: ", ")
            + (isOne
              ? " has no assetlinks.json that lists the app"
              : " have no assetlinks.json that lists the app"))
      ], policy)
  }

  /// Returns the name of the host to check; nil if the text is not a host name.
  private static func name(of host: String) -> String? {
    let name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
    return (try? HostTarget(name))?.host == name && !name.contains(":") ? name : nil
  }

  /// Whether a filter's path attribute can match at least one URL. A URL's path always begins with
  /// a slash, so for example `android:path="buy"` matches no URL. Always true for attributes about
  /// the query or the fragment.
  private static func canMatch(_ path: AndroidManifest.Path) -> Bool {
    if path.part != "path" { return true }
    return switch path.attribute {
    case "pathSuffix": true
    case "pathPattern", "pathAdvancedPattern":
      path.text.first.map { "/.*[\\".contains($0) } ?? false
    default: path.text.hasPrefix("/")
    }
  }
}

extension AndroidManifest.LinkFilter {
  fileprivate var otherSchemes: [String] { schemes.filter { !["http", "https"].contains($0) } }

  /// Whether this filter makes Android fetch the statements of the filter's hosts.
  fileprivate var asksForVerification: Bool {
    isVerified && otherSchemes.isEmpty && actions.contains("android.intent.action.VIEW")
      && categories.contains("android.intent.category.DEFAULT")
      && categories.contains("android.intent.category.BROWSABLE")
  }
}

extension CheckedSubject {
  /// Whether this is the result for a host without a statement that lets the app open links.
  fileprivate var isNotVerified: Bool {
    findings.contains {
      $0.isOf(.hostWithoutStatements, .hostWithoutApp, .hostWithOtherFingerprint)
    }
  }
}
