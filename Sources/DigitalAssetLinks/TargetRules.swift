internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let targetRules: [StatementRule] = [
  StatementRule(
    "D120", "namespace", .error, "a target has no namespace that Android knows",
    "Android cannot read the statement", source: Evidence.android, each: \.targets,
    wrong: Example.list(
      Example.relation,
      Example.target(#""namespace": "androidapp""#, Example.packageName, Example.fingerprints))
  ) { target, _, findings in
    guard target.kind == nil else { return }
    if target.namespace == nil && hasMisspelling(of: "namespace", in: target.source) { return }
    let value = target.source.member("namespace") ?? target.source
    let help = #"write "namespace": "android_app" for an app, or "web" for a site"#
    guard let namespace = target.namespace?.value else {
      findings.report(value.head, "the target has no namespace", help: help)
      return
    }
    if nearest(to: namespace, among: StatementTarget.Kind.allCases.map(\.rawValue)) != nil {
      findings.report(value.head, "no namespace is called `\(namespace)`", help: help)
      return
    }
    findings.report(
      value.head, "Android does not know the namespace `\(namespace)`",
      help: "keep the statement if another reader knows the namespace; \(help)",
      note: "Android skips this statement and reads the others; \(Evidence.android)",
      severity: .note)
  },
  StatementRule(
    "D121", "package-name-missing", .error, "an app has no package name",
    "Android cannot read the statement", source: Evidence.android, each: \.apps,
    wrong: Example.listOfApp(Example.fingerprints)
  ) { target, _, findings in
    guard target.packageName == nil else { return }
    if hasMisspelling(of: "package_name", in: target.source) { return }
    findings.report(
      (target.source.member("package_name") ?? target.source).head,
      "the app has no package name", help: "add \(Example.packageName), the application ID")
  },
  StatementRule(
    "D122", "package-name", .error, "a package name is invalid",
    "no app has this name", source: Evidence.google, each: \.packageNames,
    wrong: Example.listOfApp(#""package_name": "org.swift-shop""#, Example.fingerprints)
  ) { name, _, findings in
    guard !isPackageName(name.value) else { return }
    findings.report(
      name.range, "no app can have the package name `\(name.value)`",
      help: "write the application ID: letters, digits and underscores, with at least one dot")
  },
  StatementRule(
    "D123", "sample-package", .warning, "a package name is an example",
    "no published app has this name", source: nil, each: \.packageNames,
    wrong: Example.listOfApp(#""package_name": "com.example.app""#, Example.fingerprints)
  ) { name, _, findings in
    guard name.value == "com.example" || name.value.hasPrefix("com.example.") else { return }
    findings.report(name.range, "the package name is an example", help: "write your application ID")
  },
  StatementRule(
    "D124", "fingerprints-missing", .error, "an app has no list of fingerprints",
    "Android cannot read the statement", source: Evidence.android, each: \.apps,
    wrong: Example.listOfApp(Example.packageName)
  ) { target, _, findings in
    let value = target.source.member("sha256_cert_fingerprints")
    let strangers = value?.elements.filter { $0.kind != .string } ?? []
    if value == nil && hasMisspelling(of: "sha256_cert_fingerprints", in: target.source) {
      return
    }
    if !target.fingerprints.isEmpty && strangers.isEmpty { return }
    findings.report(
      (strangers.first ?? value ?? target.source).head,
      "`sha256_cert_fingerprints` must be a non-empty list of strings",
      help: "copy the SHA-256 of the app signing key from the Play Console, App integrity")
  },
  StatementRule(
    "D125", "site-address", .error, "a site is not written as scheme and host",
    "the statement applies to no site; with some relations, such as query_webapk, a site may "
      + "have a path",
    source: Evidence.specification, each: \.sitesOfOrigins,
    wrong: Example.listOfSite("https://example.com/app"),
    right: Example.listOfSite("https://example.com")
  ) { target, _, findings in
    if let site = target.site, WebAddress(site: site.value)?.isBare ?? false { return }
    findings.report(
      (target.source.member("site") ?? target.source).head,
      faultOfSite(target.site?.value ?? ""),
      help: #"write "site": "https://example.com""#)
  },
  StatementRule(
    "D126", "ios-app", .note, "a statement is about an app for Apple's systems",
    "no Android device reads this statement; Apple's devices read apple-app-site-association",
    source: Evidence.specification, each: \.targets,
    wrong: Example.list(
      Example.relation, Example.target(#""namespace": "ios_app""#, #""appid": "585027354""#))
  ) { target, _, findings in
    guard target.kind == .appleApp else { return }
    findings.report(
      target.source.head, "the statement is about an app for Apple's systems",
      help: "put the app into apple-app-site-association")
  },
  StatementRule(
    "D127", "site-with-slash", .warning, "the address of a site ends with a slash",
    "Android accepts the slash, but Google's compatibility tests do not", source: Evidence.google,
    each: \.sitesOfOrigins,
    wrong: Example.listOfSite("https://example.com/"),
    right: Example.listOfSite("https://example.com")
  ) { target, _, findings in
    guard let site = target.site, site.value.hasSuffix("/"),
      WebAddress(site: site.value)?.isBare ?? false
    else { return }
    findings.report(
      site.range, "a site is written without a slash at its end",
      help: "write \(site.value.dropLast())")
  },
]

extension StatementList {
  /// The targets that are Android apps.
  package var apps: [StatementTarget] { targets.filter { $0.kind == .app } }

  var targets: [StatementTarget] { statements.compactMap(\.target) }
  /// The sites among the targets, but only of statements with a relation that requires an origin.
  var sitesOfOrigins: [StatementTarget] {
    statements.filter(\.isAboutOrigin).compactMap(\.target).filter { $0.kind == .site }
  }
  var packageNames: [Located<String>] { apps.compactMap(\.packageName) }
  var fingerprints: [Located<String>] { apps.flatMap(\.fingerprints) }
}

/// Returns whether the text is a valid application ID of Android: two or more segments with dots
/// between them, each beginning with a letter.
package func isPackageName(_ text: String) -> Bool {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  return parts.count >= 2
    && parts.allSatisfy { part in
      part.first.map { $0.isASCII && $0.isLetter } ?? false
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}

/// Returns a sentence about what is wrong with a site's address.
private func faultOfSite(_ text: String) -> String {
  if text.contains("*") { return "a site cannot contain wildcards" }
  let port = text.split(separator: ":").last ?? ""
  return text.count { $0 == ":" } == 2 && port.allSatisfy(\.isNumber) && (UInt16(port) ?? 0) == 0
    ? "a port is a number from 1 to 65,535"
    : "a site is written as its scheme and host, without a path"
}

/// An address that begins with `http:` or `https:`.
struct WebAddress {
  /// The scheme in lower case.
  let scheme: String
  /// The host in lower case.
  let host: String
  private let port: Int?
  /// Whether the host is followed by a colon but not by a valid port number.
  private let hasFaultyPort: Bool
  private let hasUser: Bool
  /// Whether the address consists only of a scheme, a host, perhaps a port, and perhaps a final
  /// slash.
  let isBare: Bool

  /// Nil if the text is not an http or https address, or if its host contains a wildcard.
  private init?(_ text: String) {
    let bytes = Array(text.utf8)
    scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let parts = try? URLParts(bytes.span), let range = parts.host
    else { return nil }
    host = String(decoding: bytes[range], as: UTF8.self).lowercased()
    if host.contains("*") { return nil }
    port = parts.port
    hasFaultyPort = range.upperBound < parts.path.lowerBound && (parts.port ?? 0) == 0
    hasUser = range.lowerBound > scheme.utf8.count + "://".utf8.count
    let rest = String(decoding: bytes[parts.path.lowerBound...], as: UTF8.self)
    isBare = !hasUser && ["", "/"].contains(rest)
  }

  /// Reads the address of a site, or of another statement list. Nil if clients could not use the
  /// address.
  init?(site text: String) {
    self.init(text)
    guard host.contains("."), !hasUser, !hasFaultyPort else { return nil }
  }

  /// Reads an address whose origin may use passkeys. Nil if the scheme is not https, or if the host
  /// is a single label other than `localhost`.
  init?(origin text: String) {
    self.init(text)
    guard scheme == "https", host.contains(".") || host == "localhost" else { return nil }
  }

  /// Whether the host is a domain name. If the last label of a host is a number, the host is an IP
  /// address.
  var isOfDomain: Bool {
    host.split(separator: ".").last?.contains { !$0.isNumber } ?? false && !host.hasPrefix("[")
  }

  /// The scheme, host and port in the form that browsers compare.
  var origin: String {
    "\(scheme)://\(host)" + (port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
  }
}
