package import AppFiles
internal import AppSiteAssociation
internal import Bytes
internal import Client
internal import Diagnostics
internal import Posix

/// The associated domains in the entitlements of an app, and the faults of the entries for these
/// domains.
package struct AssociatedDomains {
  package private(set) var subjects: [CheckSubject] = []
  /// The app identifier with its prefix; nil if only the build knows the identifier.
  package private(set) var app: String?
  /// The hosts that the entries list for links. Links to these hosts can open the app or its App
  /// Clip.
  package private(set) var namedHosts = NamedHosts()
  /// Findings about the faults of the entries.
  package private(set) var findings: [Finding] = []
  /// The identifiers of the app's App Clips.
  private let clips: [String]
  /// Whether the file as a whole tells devices to fetch association files from the domains and not
  /// from Apple's CDN.
  private let isDirect: Bool
  /// Whether the entries belong to an App Clip.
  private let isClip: Bool

  /// - Parameters:
  ///   - variables: The values that the build inserts for `$(NAME)` and `${NAME}`.
  ///   - parent: The app that contains this App Clip; nil for an app.
  package init(
    _ file: AppFile, variables: [String: String] = [:], within parent: AppFile? = nil
  ) {
    app = file.app
    clips = file.clips.compactMap(\.app) + file.clipIdentifiers
    isDirect = file.isDirect
    isClip = parent != nil
    findings = signingFindings(file)
    // A provisioning profile lists no domains, so there are no entries to check.
    if file.kind == .profile { return }
    guard let domains = file.domains, !domains.isEmpty else {
      if let parent {
        reportNoEntries(ofClipWithin: parent)
        return
      }
      if let text = file.domainsText {
        report(
          .noEntries, "the value of the associated domains is the text \(text) instead of an array",
          "write <array><string>\(text)</string></array>")
        return
      }
      report(
        .noEntries, "the file lists no associated domains",
        file.kind == .expo
          ? "add \"associatedDomains\" to \"ios\", with entries such as applinks:example.com"
          : "add \(file.kind == .managed ? "AssociatedDomains" : "com.apple.developer.associated-domains")"
            + ", an array of entries such as applinks:example.com")
      return
    }
    var seen: Set<String> = []
    for entry in domains.map({ filled($0, variables) }) {
      guard seen.insert(entry).inserted else {
        report(.entryTwice, "\(entry) is repeated")
        continue
      }
      take(entry)
    }
    subjects = subjects.merged
  }

  /// Reports that an App Clip lists no domains, but only if the entitlements of its app list a
  /// domain for App Clips. If the app lists no such domain, the App Clip needs no domains either.
  private mutating func reportNoEntries(ofClipWithin parent: AppFile) {
    let entry = parent.domains?.first { $0.hasPrefix("appclips:") }
    guard let entry else { return }
    report(
      .noEntries, "the App Clip has no associated domains, but its app has \(entry)",
      "add \(entry) to the Associated Domains of the App Clip's target, too")
  }

  private static let modes = ["developer", "managed", "developer+managed", "managed+developer"]

  /// Reads one entry, in the form `service:domain`, `service:*.domain` or
  /// `service:domain?mode=developer`.
  private mutating func take(_ entry: String) {
    if entry == AppFile.everyDomain {
      report(
        .profileWildcard,
        "the app's associated domains are `*`, so the app lists no domain: signing copied the "
          + "entitlements of the provisioning profile")
      return
    }
    if let name = Self.variable(in: entry) {
      namedHosts.addUnknown()
      report(
        .entryWithVariable,
        "\(entry) was not checked, because only the build knows the value of "
          + "\(name)",
        "give --set \(name)=VALUE")
      return
    }
    let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let service = String(parts[0])
    guard parts.count == 2, service != "https", service != "http" else {
      report(
        .entryWithoutService, "\(entry) has no service",
        "write the service before the domain: applinks:\(hostAlone(entry, after: "applinks"))")
      return
    }
    guard let row = AppleService.all.first(where: { $0.name == service }) else {
      reportUnknown(service, entry)
      return
    }
    let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let host = String(halves[0])
    guard Self.isExact(host), var subject = try? CheckSubject(host)
    else {
      report(
        .entryWithoutHost, "\(entry): only a host may follow \(service):",
        cure(of: host, service))
      return
    }
    if host.hasPrefix("*."), !subject.target.host.contains(".") {
      report(
        .entryWithoutHost, "\(entry): no app can list all hosts of a top-level domain",
        cure(of: host, service))
      return
    }
    // Accept a private address, because developers use such addresses for tests.
    if let address = SocketAddress(literal: subject.target.host, port: 443),
      address.privateKind == nil
    {
      report(
        .entryWithoutHost, "\(entry) is an IP address, but an app can only list domains",
        "write the domain of the server: \(service):example.com")
      return
    }
    if host.hasPrefix("*."), service == AppleService.appClips {
      report(
        .wildcardOfClip, "\(entry): App Clips do not support wildcards",
        "list each host, such as appclips:\(host.dropFirst(2))")
      return
    }
    if halves.count == 2 {
      let mode = halves[1].hasPrefix("mode=") ? String(halves[1].dropFirst(5)) : nil
      guard let mode, Self.modes.contains(mode) else {
        report(.unknownMode, "\(entry): there is no mode \"\(halves[1])\"")
        return
      }
    }
    subject.isDirect = isDirect || halves.count == 2
    if subject.target.host.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }) {
      report(.internationalizedEntry, "\(entry) is an internationalized host")
    }
    if row.opensLinks {
      namedHosts.add((host.hasPrefix("*.") ? "*." : "") + subject.target.host)
    }
    add(subject, service)
  }

  /// Reports a service that this program does not know. If its name resembles no known service, the
  /// severity is only a note: the service may be newer than this program.
  private mutating func reportUnknown(_ service: String, _ entry: String) {
    if let near = nearest(to: service, among: Association.serviceNames) {
      report(
        .unknownService, "\(entry): there is no service \(service)", "did you mean \(near)?")
      return
    }
    findings.append(
      Finding(
        .unknownService, "\(entry) was not checked: \(service) is not one of Apple's services",
        severity: .note,
        help: AppleService.whatWas(service).map { "it was \($0)" }
          ?? "the services are \(Association.serviceNames.joined(separator: ", "))"))
  }

  /// Whether the host is written without spaces, a path or a service. The commands of this program
  /// accept such additions, but devices do not.
  private static func isExact(_ host: String) -> Bool {
    !host.contains { $0.isWhitespace || "/@,;".contains($0) }
      && !Association.serviceNames.contains { host.hasPrefix($0 + ":") }
  }

  private mutating func add(_ subject: CheckSubject, _ service: String) {
    var subject = subject
    subject.isGiven = false
    // For this service, the association file lists the App Clips, even if the entry is in the
    // entitlements of the full app.
    let isOfClips = service == AppleService.appClips && !clips.isEmpty
    // The association file lists an App Clip under `appclips`, and never under `applinks`.
    let isOther = isClip && service == "applinks"
    subject.services = [
      NamedService(name: service, apps: isOfClips ? clips : isOther ? [] : app.map { [$0] } ?? [])
    ]
    subjects.append(subject)
  }

  /// Returns advice on what to write in place of a text that is not a host.
  private func cure(of text: String, _ service: String) -> String {
    let host = hostAlone(text, after: service)
    let path = text.replacing("://", with: "").drop { $0 != "/" }.dropFirst()
    if !path.isEmpty { return "write \(service):\(host): paths belong in the association file" }
    if text.contains("*") {
      return service == AppleService.appClips
        ? "list each host: appclips:example.com"
        : "list each host, or all subdomains of a host: \(service):*.example.com"
    }
    return "write \(service):\(host): no https://, no path, no space, no slash at the end"
      + (text.contains("..") || text.hasPrefix(".") ? ", no stray dot" : "")
  }

  /// Returns the host that a malformed entry probably means; `example.com` if no host can be
  /// recognized.
  private func hostAlone(_ text: String, after service: String) -> String {
    var rest = text[...]
    rest = rest.drop(while: \.isWhitespace)
    for separator in [":", "="] where rest.hasPrefix(service + separator) {
      rest = rest.dropFirst(service.count + 1)
    }
    _ = FetchRequest.Scheme(takenFrom: &rest)
    let host = rest.prefix { !$0.isWhitespace && !"/?#@,;".contains($0) }
      .split(separator: ".").joined(separator: ".")
    let isUsable =
      host.contains(".") && !host.contains("*") && Self.isExact(host)
      && (try? CheckSubject(host)) != nil
    return isUsable ? host : "example.com"
  }

  private mutating func report(_ kind: Kind, _ message: String, _ help: String? = nil) {
    findings.append(Finding(kind, message, help: help))
  }

  private func filled(_ entry: String, _ variables: [String: String]) -> String {
    var result = entry
    while let name = Self.variable(in: result), let value = variables[name] {
      result = result.replacing("$(\(name))", with: value).replacing("${\(name)}", with: value)
      if value.contains("$") { break }
    }
    return result
  }

  /// Returns the name of the first variable in an entry, from `$(NAME)` or `${NAME}`; nil if the
  /// entry contains no variable.
  private static func variable(in entry: String) -> String? {
    guard let dollar = entry.firstIndex(of: "$") else { return nil }
    let rest = entry[dollar...].dropFirst()
    guard let first = rest.first, first == "(" || first == "{" else { return nil }
    return String(rest.dropFirst().prefix { $0 != ")" && $0 != "}" })
  }
}

extension Kind {
  private static let entitlementSource =
    "Apple's page on the Associated Domains entitlement (grade D)"

  static let entryWithoutService = Kind(
    "F080", "entitlement-without-service",
    "an associated domain has no service before the host",
    "devices ignore this associated domain", entitlementSource, effect: .expectation,
    wrong: "https://example.com",
    right: "applinks:example.com")

  static let unknownService = Kind(
    "F081", "entitlement-unknown-service", "an associated domain has an unknown service",
    "devices ignore this associated domain",
    entitlementSource, effect: .expectation, wrong: "applink:example.com",
    right: "applinks:example.com")

  static let entryWithoutHost = Kind(
    "F082", "entitlement-no-host",
    "the text after the service of an associated domain is not a "
      + "plain host",
    "devices ignore this associated domain", entitlementSource, effect: .expectation,
    wrong: "applinks:https://example.com/",
    right: "applinks:example.com")

  static let unknownMode = Kind(
    "F083", "entitlement-unknown-mode", "an associated domain has an unknown mode",
    "devices ignore this associated domain or its mode",
    entitlementSource, effect: .expectation,
    fix: "write ?mode=developer, ?mode=managed or ?mode=developer+managed, or remove the mode",
    wrong: "applinks:example.com?mode=debug",
    right: "applinks:example.com?mode=developer")

  static let wildcardOfClip = Kind(
    "F084", "entitlement-wildcard", "App Clips do not support wildcards",
    "devices ignore this associated domain",
    "Apple's page on App Clips (grade D)", effect: .expectation, wrong: "appclips:*.example.com",
    right: "appclips:example.com")

  static let entryTwice = Kind(
    "F085", "entitlement-twice", "an associated domain is repeated",
    "the repeated associated domain has no effect", nil,
    severity: .warning, effect: .expectation, fix: "remove one")

  static let noEntries = Kind(
    "F086", "entitlement-missing", "the entitlements list no associated domains",
    "no link opens the app, and the system offers the app no passwords", entitlementSource,
    effect: .expectation,
    right:
      "<key>com.apple.developer.associated-domains</key>\n<array><string>applinks:example.com</string></array>"
  )

  static let entryWithVariable = Kind(
    "F087", "entitlement-with-variable", "an associated domain contains a build variable",
    "aasa did not check the associated domain, because Xcode replaces the variable only at build "
      + "time", nil, severity: .warning,
    fix: "set the value of the variable, as in --set DOMAIN=example.com")

  static let internationalizedEntry = Kind(
    "F134", "entitlement-internationalized", "an associated domain is an internationalized host",
    "a device was seen to refuse such a host: \"Domain is invalid. Will not attempt a download\"",
    "seen in the field once (grade O)", severity: .note, effect: .expectation,
    fix: "serve the file also on a host with an ASCII name, and list this host in the app")

  static let profileWildcard = Kind(
    "F115", "profile-wildcard", "the associated domains of a signed app are `*`",
    "in a profile `*` permits every domain; in an app `*` matches no domain, so no link opens the "
      + "app and no password is offered",
    "seen in the field after fastlane, device management and enterprise signing (grade O)",
    effect: .expectation,
    fix: "sign with the app's own entitlements: use codesign --entitlements App.entitlements, or "
      + "use_app_entitlements of fastlane resign; in a test farm, turn re-signing off or "
      + "provide App.entitlements")

  static let entitlementKinds: [Kind] =
    [
      .profileWildcard, .internationalizedEntry,
      .entryWithVariable, .entryWithoutService, .unknownService, .entryWithoutHost, .unknownMode,
      .wildcardOfClip, .entryTwice, .noEntries,
    ] + signingKinds
}

/// The hosts to which links open an app, according to the app's entitlements.
package struct NamedHosts: Sendable {
  /// Hosts such as `example.com`. An element `*.example.com` means all subdomains of `example.com`.
  private var names: Set<String> = []
  /// Whether an entry contains a variable whose value only the build knows. If so, the entitlements
  /// may list more hosts than `names` contains.
  private(set) var isOpen = false

  package init() {}

  mutating func add(_ host: String) { names.insert(host.lowercased()) }

  mutating func addUnknown() { isOpen = true }

  /// Adds the hosts of another app or of an App Clip.
  package mutating func add(_ others: NamedHosts) {
    names.formUnion(others.names)
    isOpen = isOpen || others.isOpen
  }

  /// Returns whether links to a host open the app. Apple does not document whether `*.example.com`
  /// includes `example.com`. This program assumes that `*.example.com` includes `example.com`.
  func contains(_ host: String) -> Bool {
    if names.contains(host) || names.contains("*." + host) { return true }
    return names.contains { $0.hasPrefix("*.") && host.hasSuffix($0.dropFirst()) }
  }
}
