internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Development
internal import Diagnostics
internal import Posix

struct FoundIdentifiers {
  /// The team from the command line. This team is used for files that do not contain a team.
  let team: String?
  let bundle: String?
  private var identifiers: [String] = []
  private var appClips: [String] = []
  private var teamOfFiles: String?
  /// Whether an error in the app's files was reported. The command writes the association file in
  /// spite of such an error.
  private(set) var haveErrors = false
  /// The values of the entitlement com.apple.developer.associated-domains, such as
  /// `applinks:example.com`.
  private var associatedDomains: [String] = []

  /// The maximum bytes to read of a file. Even the largest Xcode projects have only several
  /// megabytes.
  private static let largestFile = 64 << 20

  init(team: String?, bundle: String?) {
    self.team = team
    self.bundle = bundle
  }

  mutating func read(project path: String) throws {
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    let file = folder.hasSuffix(".pbxproj") ? folder : folder + "/project.pbxproj"
    let targets = XcodeProject(try text(of: file)).targets
    for target in targets {
      guard let team = self.team ?? target.team else {
        teamMissing(file)
        continue
      }
      let identifier = "\(team).\(target.bundle)"
      if target.bundle.lowercased().hasSuffix(".clip") {
        if !appClips.contains(identifier) { appClips.append(identifier) }
      } else if !identifiers.contains(identifier) {
        identifiers.append(identifier)
      }
      teamOfFiles = team
    }
    if targets.isEmpty {
      printError("warning: \(file) has no bundle identifier; pass one with --bundle")
    }
  }

  mutating func read(entitlements path: String) throws {
    let apps = try reading(path, orFailWith: .found, AppFile(reading: path)).apps
    guard let file = apps.first, apps.count == 1 else {
      throw failure(
        "\(path) is a profile for \(apps.count) apps; pass one with --app, and its services with "
          + "--service")
    }
    read(file, path)
  }

  private mutating func read(_ file: AppFile, _ path: String) {
    if let app = file.app { identifiers.append(app) }
    teamOfFiles = file.team ?? teamOfFiles
    if file.app == nil, let bundle = file.bundle, let team = team ?? teamOfFiles {
      identifiers.append("\(team).\(bundle)")
    }
    associatedDomains += file.domains ?? []
    report(AssociatedDomains(file).findings, path)
    for clip in file.clips {
      associatedDomains += clip.domains ?? []
      if let app = clip.app, names("appclips") { appClips.append(app) }
      report(AssociatedDomains(clip, within: file).findings, "\(path): \(clip.place ?? "")")
    }
  }

  private mutating func report(_ findings: [Finding], _ name: String) {
    for finding in findings {
      if finding.severity == .error { haveErrors = true }
      var diagnostic = finding.diagnostic
      diagnostic.location = .init(path: name)
      printError(diagnostic.line)
    }
  }

  private func names(_ service: String) -> Bool {
    associatedDomains.contains { $0.hasPrefix(service + ":") }
  }

  /// A sentence that says why the new file would contain no app, and what to do.
  var reasonForNothing: String {
    names("appclips")
      ? "the entitlements list only App Clips; pass the clip with --appclip TEAM.bundle.Clip"
      : "the entitlements list no service; choose at least one: --links, --webcredentials or "
        + "--service NAME"
  }

  /// Adds the found identifiers and services to the plan. If `hasOwnApps` is true, adds only App
  /// Clips and services, because the command line contains the apps.
  func add(to plan: inout AssociationPlan, hasOwnApps: Bool) {
    var found = identifiers
    if let bundle, let team = team ?? teamOfFiles { found.append("\(team).\(bundle)") }
    for identifier in found where !hasOwnApps {
      if identifier.lowercased().hasSuffix(".clip") {
        if !plan.appClips.contains(identifier) { plan.appClips.append(identifier) }
      } else if !plan.apps.contains(identifier) {
        plan.apps.append(identifier)
      }
    }
    for identifier in appClips where !plan.appClips.contains(identifier) {
      plan.appClips.append(identifier)
    }
    plan.services.formUnion(
      Association.serviceNames.filter { $0 != AppleService.appClips && names($0) })
  }

  /// Lines for the user with the URLs at which the new file must be served.
  var domainLines: [String] {
    hosts.map { "serve the file at https://\($0)/.well-known/apple-app-site-association" }
  }

  /// The hosts in the associated domains. The new file must be served at each of these hosts.
  var hosts: [String] {
    var hosts: [String] = []
    for entry in associatedDomains {
      guard let colon = entry.firstIndex(of: ":") else { continue }
      var host = entry[entry.index(after: colon)...].prefix { $0 != "?" }
      // Devices fetch the file of a wildcard from the wildcard's root domain.
      if host.hasPrefix("*.") { host = host.dropFirst(2) }
      if host.isEmpty || host.contains("/") || host.contains("$") { continue }
      if !hosts.contains(String(host)) { hosts.append(String(host)) }
    }
    return hosts
  }

  private func teamMissing(_ file: String) {
    printError("warning: \(file) has no Team ID; pass one with --team")
  }

  private func text(of path: String) throws -> String {
    String(decoding: try bytes(of: path), as: UTF8.self)
  }

  private func bytes(of path: String) throws -> [UInt8] {
    try mapping(readFile(path, limit: Self.largestFile)) { (error: SystemError) in
      failure(
        "cannot read \(path): \(error.reason); --project takes a folder such as Shop.xcodeproj")
    }
  }
}
