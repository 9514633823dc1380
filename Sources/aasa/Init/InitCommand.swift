internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Development
internal import Diagnostics
internal import DigitalAssetLinks
internal import JSON

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a new association file or assetlinks.json.",
    usage: "aasa init [--app <TEAM.bundle> ...] [--path <pattern> ...] [<options>]",
    discussion: """
      Writes an association file for Apple's systems, or with --android the assetlinks.json of \
      an Android app. The value of --path may be a whole link: its query becomes a condition. \
      Patterns with 'NOT ' come first, because the first rule that matches decides.
      Without --path, every link opens the apps; with only --webcredentials or --service, none \
      does. The apps of --app replace those of --project and --entitlements.

      EXAMPLES:
        aasa init --app K27TX9P4QD.org.swift.shop --path '/buy/*' --path 'NOT /buy/x'
        aasa init --android org.swift.shop:5E:8F:… --path '/buy/*' -o assetlinks.json
        aasa init --app K27TX9P4QD.org.swift.shop --webcredentials   # passwords
        aasa init --app K27TX9P4QD.org.swift.sign --service authsrv  # Platform SSO
        aasa init --project Shop.xcodeproj --links --webcredentials -o shop.json
        aasa init --entitlements Shop.entitlements --team K27TX9P4QD --bundle a.shop

      EXIT CODES:
        0 written
        1 something cannot be read or written, or the entitlements have errors
        2 wrong usage
      """)

  @OptionGroup var association: AssociationOptions
  @Option(
    name: .customLong("android"),
    help: ArgumentHelp(
      "write assetlinks.json for this Android app; FINGERPRINT is the SHA-256 of its signing "
        + "certificate, or a file that contains it: an .apk, or keytool's or apksigner's output "
        + "(repeatable)",
      valueName: "PACKAGE:FINGERPRINT"))
  var androidApps: [String] = []
  @OptionGroup var result: OutputFile

  func validate() throws {
    for app in androidApps { _ = try AndroidArgument(app) }
    if androidApps.isEmpty { return try association.requireApp() }
    if association.namesApp {
      throw ValidationError(
        "--android writes assetlinks.json, but --app writes Apple's file; run aasa init once for "
          + "each file")
    }
  }

  func run() throws {
    let (plan, found) = try association.plan()
    if !androidApps.isEmpty { return try writeAssetLinks(plan) }
    guard !plan.apps.isEmpty || !plan.appClips.isEmpty else {
      throw failure(
        "no app identifier was found; pass --app TEAM.bundle, or --team and --bundle")
    }
    guard plan.permitsSomething else { throw failure(found.reasonForNothing) }
    let text = plan.text
    try check(
      AppSiteAssociation.validate(
        SourceText(path: result.output ?? "standard output", bytes: Array(text.utf8))))
    try result.write(Array(text.utf8), endingLine: false, orFailWith: .found)
    for host in plan.hostsOfPaths {
      printError("note: serve the file on \(host); the patterns contain only paths")
    }
    for line in found.domainLines { printError(line) }
    if found.haveErrors { throw ExitCode.found }
  }

  /// Writes an `assetlinks.json` with rules for Android that correspond to the rules for Apple.
  private func writeAssetLinks(_ plan: AssociationPlan) throws {
    var plan = plan
    // Use an invented app here, because the path rules are the same for all apps.
    plan.apps = ["ABCDE12345.app"]
    plan.services = ["applinks"]
    let source = SourceText(path: "--path", bytes: Array(plan.text.utf8))
    let rules = Association(
      try mapping(Document(parsing: source)) { (_: SyntaxError) in
        failure("the values of --path do not produce a valid file", .usage)
      }.root)
    var statements: [JSONTree] = []
    for text in androidApps {
      let app = try AndroidArgument(text).withFingerprints()
      let conversion = try mapping(
        AndroidForm(rules, app: nil).convert(
          package: app.packageName, fingerprints: app.fingerprints)
      ) { (fault: PlatformConversionFault) in failure(fault.message(option: "--path"), .usage) }
      if let loss = conversion.losses.first {
        throw failure("--path: Android cannot express this: \(loss.message)", .usage)
      }
      guard case .array(let list) = conversion.tree else { continue }
      // If the user gave no path rules, omit Android's dynamic rules, so that only the app's
      // manifest determines which links open the app.
      statements += association.path.patterns.paths.isEmpty ? list.map(\.withoutExtensions) : list
    }
    let bytes = JSONTree.array(statements).indented
    try check(
      AssetLinksFile(
        SourceText(path: result.output ?? "standard output", bytes: bytes)
      ).report())
    try result.write(bytes, endingLine: false, orFailWith: .found)
    for host in plan.hostsOfPaths {
      printError("serve the file at https://\(host)/.well-known/assetlinks.json")
    }
  }
}

extension JSONTree {
  /// The statement without its extensions, which contain the dynamic rules.
  fileprivate var withoutExtensions: JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != Array("\"relation_extensions\"".utf8) })
  }
}
