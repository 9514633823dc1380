internal import Bytes
internal import Client
internal import Diagnostics
package import DigitalAssetLinks
internal import HTTP
internal import Posix
internal import Rules

/// An Android app: its package name, and the fingerprints of the certificates that may have signed
/// the installed app.
package struct AndroidApp: Sendable {
  package let packageName: String
  /// The SHA-256 fingerprints of the certificates, in upper case and with colons.
  package var fingerprints: [String]

  package init(packageName: String, fingerprints: [String]) {
    self.packageName = packageName
    self.fingerprints = fingerprints
  }

  /// Returns the origin that the app sends to a passkey server, and that the server must accept.
  /// The origin contains the digest of the certificate in base64url.
  static func origin(_ fingerprint: String) -> String {
    let digest = fingerprint.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    let text = Base64.encode(digest).replacing("+", with: "-").replacing("/", with: "_")
    return "android:apk-key-hash:" + text.prefix { $0 != "=" }
  }
}

/// Checks the rights that a host grants to Android apps: to open links to the host, and to use the
/// passwords and passkeys that are saved for the host.
package struct AndroidAppCheck: CheckTask {
  private let apps: [AndroidApp]
  private let targets: [HostTarget]
  private let relations: [AppRelation]
  private let links: [String]
  /// Whether the check asks Google's service even if the user gave an address for the host.
  private let asksAlways: Bool
  package var hosts: [String] { targets.map(\.host) }

  /// - Parameters:
  ///   - relations: The rights that the apps need.
  ///   - links: Links that should open the apps.
  ///   - asksAlways: Whether the user specified the address of Google's service. If so, the check
  ///     asks the service even if the user also gave an address for the host.
  package init(
    _ apps: [AndroidApp], _ targets: [HostTarget],
    relations: [AppRelation] = AppRelation.allCases, links: [String] = [], asksAlways: Bool = false
  ) {
    self.apps = apps
    self.targets = targets
    self.relations = relations
    self.links = links
    self.asksAlways = asksAlways
  }

  package func results(_ context: CheckContext) -> CheckResults {
    let found = inParallel(targets.count, slice: 1, threads: context.parallel) { range in
      targets[range].flatMap { check($0, context) }
    }
    return CheckResults(subjects: found.flatMap(\.self))
  }

  /// Returns one result for each app.
  private func check(_ target: HostTarget, _ context: CheckContext) -> [CheckedSubject] {
    let settings = context.settings
    guard let request = target.request(path: "/.well-known/assetlinks.json") else { return [] }
    let exchange = settings.fetch(request)
    let hasOrigin = settings.isResolved(target)
    let service = hasOrigin && !asksAlways ? nil : context.google
    let google = service.map { GoogleStatements(of: target.host, settings, service: $0) }
    let host = HostStatements(exchange) { !isOfHost($0, google) }
    return apps.compactMap { app in
      let rights = AndroidRights(app, relations, host, google, links)
      let name = "\(target.host) for \(app.packageName)"
      let words = rights.held.map(\.words).joined(separator: ", and ")
      var good =
        "\(name): the app "
        + (words.isEmpty ? "has no permission from this host" : "may \(words)")
      if case .unknown = google {
        good += "; Google's service for asset links could not be queried"
      } else if google == nil, target.isPublicName {
        good +=
          "; Google's service for asset links was not queried"
          + (hasOrigin ? " (an address for the host was given)" : "")
      }
      let origins =
        relations.contains(.shareCredentials) && !app.fingerprints.isEmpty
        ? app.fingerprints.map(AndroidApp.origin)
          + ["https://\(target.host), which apps on Apple's systems send"] : []
      let remarks =
        rights.remarks + origins.map { "a passkey server must accept the origin \($0)" }
      return CheckedSubject(
        name, rights.findings, context.policy, key: "domain", good: good, remarks: remarks)
        ?? CheckedSubject(good: name, good, remarks: remarks)
    }
  }
}

/// The rights that one host grants to one app.
private struct AndroidRights {
  private(set) var findings: [Finding] = []
  /// The rights that the statements of the host grant to the app.
  private(set) var held: [AppRelation] = []
  private(set) var remarks: [String] = []
  private let app: AndroidApp
  private let google: GoogleStatements?

  init(
    _ app: AndroidApp, _ relations: [AppRelation], _ host: HostStatements,
    _ google: GoogleStatements?, _ links: [String]
  ) {
    self.app = app
    self.google = google
    guard let list = host.list else {
      findings = [host.fault].compactMap(\.self)
      return
    }
    for relation in relations { judge(relation, list, host) }
    if held.contains(.openLinks) {
      findings += keptLinkFindings(host.file, app.packageName, links, host.exchange.request.host)
    }
    findings += assetLinksFindings(host.exchange, type: .error, faulty: .warning)
  }

  private mutating func judge(
    _ relation: AppRelation, _ list: StatementList, _ host: HostStatements
  ) {
    let standing = list.standing(app, relation)
    if case .held = standing {
      let line = list.place(of: app.packageName, under: relation, with: app.fingerprints).map {
        " in line \(host.file.source.place(of: $0).line)"
      }
      held.append(relation)
      remarks.append("the statement\(line ?? "") lets the app \(relation.words)")
      compareWithGoogle(relation)
      return
    }
    // This list includes another list, which may contain a statement for the app. Google's service
    // also reads included lists.
    if list.includesAnother {
      if isKnownToGoogle(relation) == true {
        held.append(relation)
        remarks.append("a list that assetlinks.json includes lets the app \(relation.words)")
      } else {
        findings.append(host.notRead("the app may \(relation.words)"))
      }
      return
    }
    if case .uncompared(let named) = standing {
      findings.append(
        Finding(
          .androidNotKnown,
          "the certificate of \(app.packageName) is unknown, so aasa cannot tell whether the app "
            + "may \(relation.words)", host.exchange,
          help: "compare the fingerprint of the app's certificate with the fingerprints in "
            + "assetlinks.json: "
            + named.joined(separator: " and ")))
    }
    let kind: Kind = relation == .openLinks ? .androidLinksMissing : .androidCredentialsMissing
    findings += [host.finding(standing, app, relation, kind, other: kind)].compactMap(\.self)
  }

  // MARK: Google's service

  /// Whether Google's service has a statement that grants this right to the app. Nil if the service
  /// was not asked or did not answer.
  private func isKnownToGoogle(_ relation: AppRelation) -> Bool? {
    switch google {
    case .found(let lines):
      app.fingerprints.contains { fingerprint in
        statementLine(relation.rawValue, app: app.packageName, fingerprint: fingerprint)
          .map(lines.contains) ?? false
      }
    case .missing: false
    case .unknown, nil: nil
    }
  }

  private mutating func compareWithGoogle(_ relation: AppRelation) {
    switch google {
    case .unknown(let reason):
      if findings.contains(where: { $0.isOf(.googleNotAsked) }) { return }
      findings.append(Finding(.googleNotAsked, "Google's service could not be queried: \(reason)"))
    case .missing(let reason):
      if findings.contains(where: { $0.isOf(.googleRefuses) }) { return }
      findings.append(
        Finding(
          .googleRefuses,
          "Google's service, which devices query, has no assetlinks.json of the host"
            + (reason.isEmpty ? "" : " (\(reason))")))
    case .found where isKnownToGoogle(relation) == false:
      findings.append(
        Finding(
          .googleRefuses,
          "Google's service, which devices query, has no statement yet that lets the app "
            + "\(relation.words)",
          help: "wait until Google's service fetches the host's file again: the file is correct, "
            + "but the service still caches an older list"))
    case .found, nil: break
    }
  }
}

/// Whether the host causes the fault, and not this machine. A failed lookup may be a fault of this
/// machine's resolver, and an untrusted certificate may be a fault of this machine's trusted roots.
/// So if this machine cannot reach Google's service either, returns false for both faults.
private func isOfHost(_ fault: FetchFault, _ google: GoogleStatements?) -> Bool {
  switch fault {
  case .response, .content, .unknownCoding, .clientCertificate, .notTLS, .handshake: true
  case .unresolved(.noAddress), .untrusted:
    if case .unknown = google { false } else { true }
  default: false
  }
}

extension Kind {
  private static let google = "Google's documentation says so"

  static let androidLinksMissing = Kind(
    "F120", "android-links-missing", "a host does not let an Android app open its links",
    "links to the host stay in the browser, and a Trusted Web Activity shows the address bar",
    google,
    effect: .expectation,
    fix: "add a statement with the relation delegate_permission/common.handle_all_urls and the "
      + "fingerprint of the key that the installed app is signed with")

  static let androidCredentialsMissing = Kind(
    "F121", "android-credentials-missing",
    "a host does not let an Android app use the passwords and passkeys that are saved for the host",
    "Android offers the app no passwords of the host, and passkeys fail with \"RP ID cannot be "
      + "validated\"",
    google,
    effect: .expectation,
    fix: "add a statement with the relation delegate_permission/common.get_login_creds; if the "
      + "app does not need the host's passwords and passkeys, add --ignore F121")

  static let androidNotKnown = Kind(
    "F122", "android-not-known", "the rights of an Android app could not be determined",
    "aasa could not request assetlinks.json, or did not read a list that assetlinks.json "
      + "includes; the exit code is 4",
    nil, effect: .unknown,
    fix: "check this machine's network, its resolver and HTTPS_PROXY, or run the check on another "
      + "machine")

  static let googleRefuses = Kind(
    "F123", "google-refuses",
    "Google's service for asset links does not have a statement that "
      + "the host serves",
    "devices query Google's service for asset links to verify an app", google, severity: .warning,
    effect: .expectation,
    fix: "if the file is new, wait; otherwise check that every client gets the file, including "
      + "Google's service")

  static let googleNotAsked = Kind(
    "F124", "google-not-asked", "Google's service for asset links could not be queried",
    "the statements that devices get from Google's service are unknown", nil, severity: .note,
    fix: "check whether this network allows connections to digitalassetlinks.googleapis.com, or "
      + "to the --google host; --google none skips the query")

  static let androidAppKinds: [Kind] = [
    .androidLinksMissing, .androidCredentialsMissing, .androidNotKnown, .googleRefuses,
    .googleNotAsked,
  ]
}
