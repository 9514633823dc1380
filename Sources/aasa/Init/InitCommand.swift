internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import Posix
internal import Rules

/// `aasa init`
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write an association file from app identifiers and paths.",
    usage: "aasa init [--app <TEAM.bundle> ...] [--path <pattern> ...] [<options>]",
    discussion: """
      A path may be a whole link: its query becomes a condition. Exclusions are written before \
      the other paths, because the first rule that matches decides.
      Without --path every link opens the apps, unless --webcredentials, --service or the \
      entitlements ask only for other services.
      --passkeys writes all of a host's passkey files into a folder that aasa serve can serve.
      --page writes a page for people without the app, which aasa serve shows at links.
      --code prints the app's code for links, its entitlement or intent filter, and test links, \
      instead of the file. With -o it writes the file too.

      EXAMPLES:
        aasa init --app K27TX9P4QD.org.swift.shop --path '/buy/*' --path 'NOT /buy/x'
        aasa init --app K27TX9P4QD.org.swift.shop --webcredentials   # passkeys alone
        aasa init --app K27TX9P4QD.org.swift.sign --service authsrv  # Platform SSO
        aasa init --project Shop.xcodeproj --links --webcredentials -o shop.json
        aasa init --passkeys --app K27TX9P4QD.org.swift.shop \\
          --android org.swift.shop:5E:8F:… --origin https://shop.swift.org \\
          -o domains/swift.org
        aasa init --page --name Shop --app-store-id 375380948 \\
          --android org.swift.shop -o domains/swift.org.page.html
        aasa init --path 'https://example.com/buy/*' --code swiftui
        aasa init --entitlements Shop.entitlements --team K27TX9P4QD --bundle a.shop

      EXIT CODES:
        0 written, 1 something cannot be read or written, or the entitlements have
        errors, 2 wrong usage
      """)

  @Option(
    name: .customLong("app"), help: ArgumentHelp("an app identifier", valueName: "TEAM.bundle"))
  var apps: [String] = []
  @Option(
    name: .customLong("path"),
    help: ArgumentHelp(
      "what opens the apps; NOT and a space before it excludes", valueName: "pattern"))
  var paths: [String] = []
  @Flag(help: "let links open the apps: all, or those of --path") var links = false
  @Flag(help: "let the apps share passwords and passkeys of the domain") var webcredentials = false
  @Option(
    name: .customLong("service"),
    help: ArgumentHelp(
      "let the apps use this service of the domain: \(Self.otherServices.joined(separator: ", ")) "
        + "(repeatable)", valueName: "name"), completion: .list(otherServices))
  var services: [String] = []
  @Option(
    name: .customLong("appclip"),
    help: ArgumentHelp("an App Clip's identifier", valueName: "TEAM.bundle"))
  var appClips: [String] = []
  @Option(
    help: ArgumentHelp(
      "take identifiers and services from entitlements, an .ipa, .app, .xcarchive or app.json",
      valueName: "file"),
    completion: .file())
  var entitlements: String?
  @Option(
    help: ArgumentHelp("take identifiers from an Xcode project", valueName: "X.xcodeproj"),
    completion: .directory)
  var project: String?
  @Option(help: ArgumentHelp("the Team ID where a file leaves it open", valueName: "id")) var team:
    String?
  @Option(
    help: ArgumentHelp("the bundle identifier where a file leaves it open", valueName: "id"))
  var bundle: String?
  @Flag(help: "write the files about passkeys into the folder of -o") var passkeys = false
  @Flag(help: "write a page for people without the app") var page = false
  @Option(help: ArgumentHelp("with --page: the app's name, for people", valueName: "text"))
  var name: String?
  @Option(
    help: ArgumentHelp("with --page: the app's number in the App Store", valueName: "number"))
  var appStoreId: String?
  @Option(help: ArgumentHelp("with --page: the website to go on to", valueName: "https://…"))
  var site: String?
  @Option(
    name: .customLong("android"),
    help: ArgumentHelp(
      "with --passkeys: an Android app and the SHA-256 of its signing key, or a file that has it: an "
        + ".apk, or keytool's or apksigner's output; with --page: the package alone",
      valueName: "PACKAGE:FINGERPRINT"))
  var androidApps: [String] = []
  @Option(
    name: .customLong("origin"),
    help: ArgumentHelp(
      "with --passkeys: another site that may use the passkeys", valueName: "https://host"))
  var origins: [String] = []
  @Option(
    help: ArgumentHelp(
      "with --passkeys: the page on which users make a passkey", valueName: "https://…"))
  var enroll: String?
  @Option(
    help: ArgumentHelp(
      "with --passkeys: the page on which users manage them", valueName: "https://…"))
  var manage: String?
  @Option(
    help: ArgumentHelp(
      "print what receives links in the app: \(CodeSample.names)", valueName: "framework"))
  var code: CodeSample?
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("write to this file, or folder for --passkeys", valueName: "file"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the file if it exists") var force = false

  /// The services of apps, in the order of the table.
  private static let otherServices = Association.serviceNames.filter { $0 != AppleService.appClips }

  func validate() throws {
    for name in services where !Self.otherServices.contains(name) {
      let help =
        name == AppleService.appClips
        ? "name the clip: --appclip TEAM.bundle.Clip"
        : nearest(to: name, among: Self.otherServices).map { "did you mean \($0)?" }
          ?? "the services are \(Self.otherServices.joined(separator: ", "))"
      throw ValidationError("--service \(name): \(help)")
    }
    if force && output == nil { throw ValidationError("--force needs -o FILE") }
    let isForPage = name != nil || appStoreId != nil || site != nil
    if isForPage && !page { throw ValidationError("--name, --app-store-id and --site need --page") }
    if page {
      _ = try pagePlan()
      return
    }
    let areForPasskeys =
      !androidApps.isEmpty || !origins.isEmpty || enroll != nil || manage != nil
    if areForPasskeys && !passkeys {
      throw ValidationError("--android, --origin, --enroll and --manage need --passkeys")
    }
    if passkeys && output == nil { throw ValidationError("--passkeys needs -o FOLDER") }
    let name = output?.split(separator: "/").last.map(String.init) ?? ""
    if passkeys, SocketAddress(literal: name, port: 443) != nil {
      throw ValidationError(
        "-o \(output ?? ""): \(name) is an address, and passkeys belong to a domain; name the folder "
          + "after the domain, such as domains/example.com")
    }
    for app in androidApps { _ = try PasskeyPlan.AndroidApp(app) }
    for address in [enroll, manage].compactMap(\.self)
    where !address.lowercased().hasPrefix("https://") {
      throw ValidationError("\(address): write the whole address of the page, https://…")
    }
    let printsCodeOnly = code != nil && output == nil
    // Not every host with passkeys has an app for Apple's systems.
    if !printsCodeOnly && androidApps.isEmpty && origins.isEmpty && apps.isEmpty && appClips.isEmpty
      && entitlements == nil && project == nil && (team == nil || bundle == nil)
    {
      throw ValidationError("name an app: --app TEAM.bundle, --project or --entitlements")
    }
  }

  private func pagePlan() throws -> PagePlan {
    guard let name else { throw ValidationError("--page needs --name TEXT, the app's name") }
    if passkeys || code != nil || !apps.isEmpty || !paths.isEmpty || androidApps.count > 1 {
      throw ValidationError(
        "--page takes --name, --app-store-id, one --android and --site, and writes the page alone")
    }
    if appStoreId == nil && androidApps.isEmpty && site == nil {
      throw ValidationError("say where people go: --app-store-id, --android PACKAGE or --site URL")
    }
    return try PagePlan(
      name: name, appStoreID: appStoreId, android: androidApps.first, site: site)
  }

  func run() throws {
    if page {
      return try writeOutput(Array(try pagePlan().text.utf8), to: output, replacing: force)
    }
    var plan = AssociationPlan()
    plan.apps = apps
    plan.appClips = appClips
    plan.services = Set(services)
    if webcredentials || passkeys { plan.services.insert("webcredentials") }
    if links { plan.services.insert("applinks") }
    plan.setPaths(paths)
    var found = FoundIdentifiers(team: team, bundle: bundle)
    if let project { try found.read(project: project) }
    if let entitlements { try found.read(entitlements: entitlements) }
    found.add(to: &plan, hasOwnApps: !apps.isEmpty || !appClips.isEmpty)
    if entitlements == nil && services.isEmpty && !webcredentials && !passkeys {
      plan.services.insert("applinks")
    }
    try write(plan, found)
    if found.haveErrors { throw ExitCode.found }
  }

  private func write(_ plan: AssociationPlan, _ found: FoundIdentifiers) throws {
    if let code {
      try printCode(code, plan, found)
      if output == nil { return }
    }
    if passkeys { return try writePasskeys(plan, found) }
    guard !plan.apps.isEmpty || !plan.appClips.isEmpty else {
      throw failure(
        "no app identifier was found; name it with --app TEAM.bundle, or --team and --bundle")
    }
    guard plan.permitsSomething else {
      throw failure(found.reasonForNothing)
    }
    let text = plan.text
    try check(text)
    try writeOutput(Array(text.utf8), to: output, replacing: force)
    for host in plan.hostsOfPaths {
      printError("note: serve the file on \(host): patterns have paths only")
    }
    for line in found.domainLines { printError(line) }
  }

  private func printCode(
    _ sample: CodeSample, _ plan: AssociationPlan, _ found: FoundIdentifiers
  ) throws {
    let hosts = plan.hostsOfPaths + found.hosts.filter { !plan.hostsOfPaths.contains($0) }
    if hosts.isEmpty {
      printError("note: replace example.com; --path takes whole links too, and their hosts")
    }
    let code = LinkCode(
      sample: sample, hosts: hosts.isEmpty ? ["example.com"] : hosts, openings: plan.openings,
      excludesSome: plan.excludesSome)
    let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
    print(lines.map { escapingInvisible(String($0)) }.joined(separator: "\n"), terminator: "")
  }

  /// Checks the file by the rules. An invalid app identifier is wrong usage.
  private func check(_ text: String) throws {
    let source = SourceText(path: output ?? "standard output", bytes: Array(text.utf8))
    try check(AppSiteAssociation.validate(source))
  }

  private func check(_ report: ValidationReport) throws {
    func isWrongUsage(_ diagnostic: Diagnostic) -> Bool {
      Kind.ofIdentifiers.contains(diagnostic.kind)
        || diagnostic.severity == .error && statementKinds.contains(diagnostic.kind)
    }
    for diagnostic in report.diagnostics where diagnostic.severity > .note {
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

  private func writePasskeys(_ association: AssociationPlan, _ found: FoundIdentifiers) throws {
    var plan = PasskeyPlan(association: association)
    plan.androidApps = try androidApps.map(PasskeyPlan.AndroidApp.init)
    for index in plan.androidApps.indices { try plan.androidApps[index].readFingerprints() }
    plan.origins = origins
    plan.enroll = enroll
    plan.manage = manage
    let folder = (output ?? "") + "/.well-known"
    for file in plan.files { try check(file.report) }
    try mapping(makeFolders(folder)) { (error: SystemError) in
      failure("cannot make \(folder): \(error.reason)")
    }
    for file in plan.files {
      let path = "\(folder)/\(file.name)"
      try writeOutput(Array(file.text.utf8), to: path, replacing: force)
      printError("wrote \(path)")
    }
    for line in found.domainLines { printError(line) }
  }
}
