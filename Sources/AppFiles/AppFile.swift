internal import Bytes
internal import Diagnostics
internal import JSON

/// The entitlements of an app, or settings from which a build generates entitlements.
package struct AppFile: Sendable, Equatable {
  package enum Kind: Sendable {
    /// An entitlements file. Xcode signs an app with the entitlements in this file.
    case entitlements
    /// A provisioning profile. The profile contains the permissions that Apple grants to the app,
    /// but no domains.
    case profile
    /// The entitlements in the signature of an app.
    case signedApp
    /// Settings from which the framework Expo generates entitlements.
    case expo
    /// A configuration profile, with which an administrator assigns domains to apps on managed
    /// devices.
    case managed
  }

  package let kind: Kind
  /// The associated domains, as `service:domain`; nil if the file has no key for associated
  /// domains.
  package var domains: [String]?
  /// The value of the key for associated domains if this value is a string, although it should be
  /// an array; otherwise nil.
  package private(set) var domainsText: String?
  /// The application identifier with its prefix. Nil if only the build knows the identifier, or if
  /// the file is for several apps.
  package var app: String?
  package var team: String?
  package var bundle: String?
  /// Whether a debugger may attach to the app, which shows that the app is signed for development.
  package var isForDevelopment = false
  /// Whether people may choose the app as their default browser.
  package private(set) var isBrowser = false
  package var profile: ProvisioningProfile?
  /// The identifiers of App Clips that the app's entitlements list.
  package private(set) var clipIdentifiers: [String] = []
  /// The App Clips that the app's package contains.
  package internal(set) var clips: [AppFile] = []
  /// The path of an App Clip's folder in its app; nil for an app.
  package internal(set) var place: String?

  /// The apps to which a configuration profile assigns domains.
  private var configured: [AppFile] = []
  /// Whether a configuration profile tells devices to fetch association files directly from the
  /// domains, not from Apple's CDN.
  package private(set) var isDirect = false

  /// All apps of a configuration profile; for any other file, only the file's app.
  package var apps: [AppFile] { configured.isEmpty ? [self] : configured }

  /// The wildcard that provisioning profiles contain in place of domains.
  package static let everyDomain = "*"
  static let domainsKey = "com.apple.developer.associated-domains"
  /// The key of a configuration profile's payloads. Every configuration profile has this key.
  static let payloadsKey = "PayloadContent"

  init(kind: Kind, entitlements: PropertyList, profile: ProvisioningProfile? = nil) {
    self.kind = kind
    self.profile = profile
    let value = entitlements[Self.domainsKey]
    // The entitlements of a build that was signed again may contain the profile's wildcard, as a
    // string or in an array.
    domains = value?.strings ?? (value?.text == Self.everyDomain ? [Self.everyDomain] : nil)
    domainsText = domains == nil ? value?.text : nil
    app = Self.identifier(entitlements).flatMap { $0.hasSuffix(".*") ? nil : $0 }
    if let text = entitlements["com.apple.developer.team-identifier"]?.text,
      !text.contains("$")
    {
      team = text
    }
    isBrowser = entitlements["com.apple.developer.web-browser"] == .truth(true)
    isForDevelopment = entitlements["get-task-allow"] == .truth(true)
    let named = entitlements["com.apple.developer.associated-appclip-app-identifiers"]?.strings
    clipIdentifiers = (named ?? []).filter { !$0.contains("$") }
  }

  init(_ profile: ProvisioningProfile) {
    self.init(kind: .profile, entitlements: profile.entitlements, profile: profile)
    // A provisioning profile contains no domains, only a wildcard.
    domains = nil
    team = team ?? profile.team
  }

  /// Reads the associated domains of a configuration profile.
  ///
  /// Source: Apple, Device Management, "AssociatedDomains".
  init(managed list: PropertyList) throws(AppFileFault) {
    kind = .managed
    let payloads = (list[Self.payloadsKey]?.elements ?? []).filter {
      $0["PayloadType"]?.text == "com.apple.associated-domains"
    }
    configured = payloads.flatMap { $0["Configuration"]?.elements ?? [] }.map {
      AppFile(configuration: $0)
    }
    if configured.isEmpty {
      throw .content(
        "the configuration profile has no com.apple.associated-domains payload that lists apps")
    }
  }

  /// Reads the part of a configuration profile for one app.
  private init(configuration: PropertyList) {
    kind = .managed
    domains = configuration["AssociatedDomains"]?.strings
    app = configuration["ApplicationIdentifier"]?.text
    isDirect = configuration["EnableDirectDownloads"] == .truth(true)
  }

  /// Reads Expo's `app.json` or the output of `npx expo config --json`.
  init(expo bytes: [UInt8]) throws(AppFileFault) {
    let text = SourceText(path: "app.json", bytes: bytes)
    let root = try mapping(Document(parsing: text).root) { (_: SyntaxError) in
      AppFileFault.content("the file begins like JSON, but is not valid JSON")
    }
    // Refuse an association file. In an association file, every service has at least one of these
    // keys.
    if root.members.contains(where: { member in
      ["apps", "details"].contains { member.value.member($0) != nil }
    }) {
      throw .content(
        "this file is an association file: pass the app's entitlements instead; aasa validate "
          + "checks an association file, and aasa check HOST --file compares it with the served file"
      )
    }
    guard let ios = (root.member("expo") ?? root).member("ios"), ios.kind == .object else {
      throw .content(
        "the JSON file has no \"ios\" member: pass Expo's app.json, or the output of \"npx expo "
          + "config --json\"")
    }
    kind = .expo
    let more = ios.member("entitlements")?.member(Self.domainsKey)
    let lists = [ios.member("associatedDomains"), more].compactMap { $0 }
    if !lists.isEmpty { domains = lists.flatMap { $0.elements.compactMap(\.string) } }
    bundle = ios.member("bundleIdentifier")?.string
    team = ios.member("appleTeamId")?.string
    if let bundle, let team { app = "\(team).\(bundle)" }
  }

  /// Returns the application identifier; nil if only the build knows the identifier.
  static func identifier(_ entitlements: PropertyList) -> String? {
    for key in ["application-identifier", "com.apple.application-identifier"] {
      if let text = entitlements[key]?.text, !text.contains("$") { return text }
    }
    return nil
  }
}

/// A provisioning profile: the permissions that Apple grants to an app. The profile is a property
/// list in CMS signed data. The signature is not verified.
package struct ProvisioningProfile: Sendable, Equatable {
  package let name: String
  package let team: String?
  /// The application identifier: `PREFIX.bundle` for one app, or `PREFIX.*` for every app of the
  /// team.
  package let identifier: String?
  let entitlements: PropertyList

  init(_ content: [UInt8]) throws(AppFileFault) {
    let list = try PropertyList(content)
    guard let entitlements = list["Entitlements"] else {
      throw .content("this signed file is not a provisioning profile: it has no Entitlements")
    }
    self.entitlements = entitlements
    name = list["Name"]?.text ?? ""
    team =
      list["TeamIdentifier"]?.strings?.first
      ?? entitlements["com.apple.developer.team-identifier"]?.text
    identifier = AppFile.identifier(entitlements)
  }

  /// Whether the profile permits associated domains.
  package var permitsDomains: Bool {
    switch entitlements[AppFile.domainsKey] {
    case .text(let text): !text.isEmpty
    case .list(let list): !list.isEmpty
    default: false
    }
  }

  /// Whether the profile is for every app of the team. Such a profile permits few capabilities.
  package var isForEveryApp: Bool { identifier?.hasSuffix(".*") ?? false }
}
