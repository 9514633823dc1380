internal import AppSiteAssociation
internal import ArgumentParser
internal import Development
internal import Diagnostics
internal import Rules

struct AssociationOptions: ParsableArguments {
  @OptionGroup var app: AppOptions
  @OptionGroup var path: PathOptions
  @Flag(help: "let links open the apps: all, or those of --path (as --service applinks)")
  var links = false
  @Flag(
    help: ArgumentHelp(
      "let the apps share passwords and passkeys (as --service webcredentials; aasa passkeys "
        + "always does)"))
  var webcredentials = false
  @Option(
    name: .customLong("service"),
    help: ArgumentHelp(
      "let the apps use this service of the domain: \(Self.otherServices.joined(separator: ", ")) "
        + "(repeatable)", valueName: "name"), completion: .list(otherServices))
  var services: [String] = []
  @Option(
    name: .customLong("appclip"),
    help: ArgumentHelp("an App Clip's identifier (repeatable)", valueName: "TEAM.bundle"))
  var appClips: [String] = []
  @Option(
    help: ArgumentHelp("take identifiers from an Xcode project", valueName: "X.xcodeproj"),
    completion: .directory)
  var project: String?
  @Option(
    help: ArgumentHelp(
      "the Team ID, if the project or entitlements contain only a build variable for "
        + "it", valueName: "id")
  ) var team: String?
  @Option(
    help: ArgumentHelp(
      "the bundle ID, if the project or entitlements contain only a build variable for "
        + "it", valueName: "id"))
  var bundle: String?

  /// The names of all services except App Clips, in the order of the table.
  private static let otherServices = Association.serviceNames.filter { $0 != AppleService.appClips }

  func validate() throws {
    for name in services where !Self.otherServices.contains(name) {
      let help =
        name == AppleService.appClips
        ? "give the App Clip: --appclip TEAM.bundle.Clip"
        : nearest(to: name, among: Self.otherServices).map { "did you mean \($0)?" }
          ?? "the services are \(Self.otherServices.joined(separator: ", "))"
      throw ValidationError("--service \(name): \(help)")
    }
  }

  /// Whether the user gave an app, or a file from which apps are read.
  var namesApp: Bool {
    !app.apps.isEmpty || !appClips.isEmpty || path.entitlements != nil || project != nil
      || team != nil && bundle != nil
  }

  func requireApp() throws {
    if !namesApp {
      throw ValidationError("give an app: --app TEAM.bundle, --project or --entitlements")
    }
  }

  /// Returns the plan for the new association file, and the identifiers that were found in the
  /// app's Xcode project and entitlements.
  ///
  /// - Parameter usual: The service to use if neither the options nor the entitlements contain a
  ///   service.
  func plan(
    usual: String = "applinks"
  ) throws -> (plan: AssociationPlan, found: FoundIdentifiers) {
    var plan = AssociationPlan()
    plan.apps = app.apps
    plan.appClips = appClips
    plan.services = Set(services)
    if webcredentials { plan.services.insert("webcredentials") }
    if links { plan.services.insert("applinks") }
    plan.setPaths(path.patterns.paths)
    var found = FoundIdentifiers(team: team, bundle: bundle)
    if let project { try found.read(project: project) }
    if let entitlements = path.entitlements { try found.read(entitlements: entitlements) }
    found.add(to: &plan, hasOwnApps: !app.apps.isEmpty || !appClips.isEmpty)
    if usual != "applinks" || path.entitlements == nil && services.isEmpty && !webcredentials {
      plan.services.insert(usual)
    }
    return (plan, found)
  }
}

struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "an app's identifier, for the new association file (repeatable)", valueName: "TEAM.bundle"))
  var apps: [String] = []
}

struct PatternOptions: ParsableArguments {
  @Option(
    name: .customLong("path"),
    help: ArgumentHelp(
      "links that open the apps; 'NOT ' before a pattern excludes its links (repeatable)",
      valueName: "pattern"))
  var paths: [String] = []
}

struct PathOptions: ParsableArguments {
  @OptionGroup var patterns: PatternOptions
  @Option(
    help: ArgumentHelp(
      "take identifiers, services and domains from an app's file: .entitlements, .ipa, .app, "
        + ".xcarchive, .mobileprovision, .mobileconfig or Expo's app.json",
      valueName: "file"),
    completion: .file())
  var entitlements: String?
}

/// Reports findings about a new file. If an identifier is invalid, throws the exit code for wrong
/// usage.
func check(_ report: ValidationReport) throws {
  func isWrongUsage(_ diagnostic: Diagnostic) -> Bool {
    Kind.ofIdentifiers.contains(diagnostic.kind)
      || diagnostic.severity == .error && statementKinds.contains(diagnostic.kind)
  }
  let isWrong = report.diagnostics.contains { $0.severity > .note && isWrongUsage($0) }
  for diagnostic in report.diagnostics where diagnostic.severity > .note {
    // If an identifier is invalid, report only this fault, because it may have caused all other
    // findings.
    if isWrong && !isWrongUsage(diagnostic) { continue }
    printError(
      Diagnostic(
        diagnostic.kind, severity: isWrongUsage(diagnostic) ? .error : .warning,
        diagnostic.message, help: diagnostic.help
      ).line)
  }
  if report.diagnostics.contains(where: {
    $0.severity > .note && isWrongUsage($0) && !$0.isOf(.appInTwoEntries)
  }) {
    throw ExitCode.usage
  }
}
