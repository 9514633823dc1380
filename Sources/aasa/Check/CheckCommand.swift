internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Posix
internal import Rules

/// The command `aasa check`, which checks live domains and the copies in Apple's CDN.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a live domain, and the copy in Apple's CDN.",
    discussion: """
      Resolves the name, connects to every address, verifies the certificate, requests both paths \
      without following redirects, and validates the responses; asks Apple's CDN for its copy; \
      checks port 80, www and the bare domain, the wildcard's root and assetlinks.json. Prints the \
      verdict first, then each cause with its evidence, in the order to fix them.

      EXAMPLES:
        aasa check example.com
        aasa check https://example.com/buy/42   # why does this link open no app?
        aasa check example.com --file site.json --expect ABCDE12345.com.example.app
        aasa check --entitlements App.entitlements --set DOMAIN=example.com
        aasa check --entitlements App.ipa       # the entitlements in its signature
        aasa check --manifest AndroidManifest.xml --fingerprint Shop.apk
        aasa check example.com --android org.swift.shop:5E:8F:…   # links, passkeys
        adb shell pm get-app-links | aasa check --device -
        aasa check --from domains.txt --format junit > report.xml
        aasa check example.com --origin 192.0.2.1:443   # before DNS moves
        aasa check example.com --resolve example.com:443:192.0.2.1
        aasa check localhost:8443 --ca root.pem

      EXIT CODES:
        0 correct; warnings and an old copy in Apple's CDN are allowed
        1 something is wrong
        2 wrong usage, or nothing was checked
        3 with --fail-on cdn: correct, but Apple's CDN has another version
        4 unknown: this machine cannot check the domain (network, resolver, proxy,
          roots, HTTP/2 only), a device recorded an unknown state, or a list of
          statements includes another list
      """)

  @Argument(
    help: ArgumentHelp(
      "hosts, such as example.com, or links; - reads them from standard "
        + "input", valueName: "domain"))
  var domains: [String] = []
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("a file with one host on each line (repeatable)", valueName: "FILE"))
  var lists: [String] = []
  @Option(
    help: ArgumentHelp(
      "check the entitlement and each domain of an app and its App Clips; FILE is .entitlements, "
        + ".ipa, .app, .xcarchive, .mobileprovision, .mobileconfig or Expo's app.json (repeatable)",
      valueName: "FILE"))
  var entitlements: [String] = []
  @Option(
    help: ArgumentHelp(
      "the value of the build variable $(NAME) in entitlements (repeatable)",
      valueName: "NAME=VALUE"))
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "the association file or assetlinks.json that the domains must match (repeatable)",
      valueName: "FILE"))
  var file: [String] = []
  @Option(
    help: ArgumentHelp(
      "the file must list this app (with its prefix) in any service; authsrv:ID requires the "
        + "service authsrv (repeatable)", valueName: "ID"))
  var expect: [String] = []
  @Option(
    help: ArgumentHelp(
      "the domain's file or the app's manifest must let this URL or path open the app (repeatable)",
      valueName: "URL"))
  var url: [String] = []
  @Option(
    help: ArgumentHelp(
      "expectations that the domain's file must meet, as in aasa test (repeatable)",
      valueName: "FILE"))
  var cases: [String] = []
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var android: AndroidOptions
  @Option(
    help: ArgumentHelp(
      "check a device's records: the output of adb shell pm get-app-links, or swcutil_show.txt "
        + "from a sysdiagnose; - for standard input",
      valueName: "FILE"), completion: .file())
  var device: String?
  @OptionGroup var client: ClientOptions
  @Option(
    help: ArgumentHelp(
      "the CDN to ask instead of Apple's, or none (default: Apple's; with --origin, --resolve or "
        + "--ca: none)",
      valueName: "URL"))
  var cdn: String?
  @Option(
    help: ArgumentHelp(
      "the number of domains to check at a time",
      valueName: "N"))
  var parallel = CheckLimits.parallel
  @OptionGroup var format: FormatOptions
  @Flag(help: "report only domains that fail") var quiet = false
  @OptionGroup var verdict: VerdictOptions

  func validate() throws {
    for domain in domains where domain != "-" {
      for name in Self.names(in: domain) { _ = try parsing(CheckSubject(name)) }
      if (try? status(domain))?.kind == .regular {
        throw ValidationError("\(domain) is a file; aasa validate \(domain) checks a file")
      }
    }
    if let cdn { _ = try cdnAddress(cdn) }
    guard
      !domains.isEmpty || !lists.isEmpty || !entitlements.isEmpty || !url.isEmpty
        || manifest.manifest != nil || device != nil
    else {
      throw ValidationError("give a domain, such as example.com")
    }
    // Reject empty values. They usually come from an unset variable in a build pipeline.
    for (option, values) in [("url", url), ("expect", expect)] where values.contains("") {
      throw ValidationError("--\(option) has no value")
    }
    for text in expect {
      if let fault = Requirements.fault(ofApp: text) {
        throw ValidationError("--expect \(text): \(fault)")
      }
    }
    for url in url
    where manifest.manifest == nil && hostOfURL(url) == nil && !"/?#".contains(url.first ?? "/") {
      throw ValidationError(
        "--url \(url) is neither a link such as https://example.com/buy/42 nor a path such as "
          + "/buy/42"
      )
    }
    guard (1...CheckLimits.mostParallel).contains(parallel) else {
      throw ValidationError("--parallel \(parallel) is not from 1 to \(CheckLimits.mostParallel)")
    }
    _ = try variables
  }

  func run() throws {
    let policy = verdict.policy
    var requirements = try fileRequirements()
    var others: [CheckedSubject] = []
    var subjects = try namedSubjects(policy, &others)
    for path in entitlements {
      subjects += try self.subjects(of: path, policy, &requirements, &others)
    }
    subjects = try withHostsOfURLs(subjects.merged)
    guard subjects.count <= CheckLimits.domains else {
      throw ValidationError(
        "there are \(subjects.count) domains, more than \(CheckLimits.domains); check fewer at once"
      )
    }
    let apps = try android.apps()
    let manifest = try manifest.read(variables: variables, needsLinks: apps.isEmpty)
    let hosts = manifest?.links.hosts ?? []
    let recorded = try device.map(readDevice)
    try refuseUnused(subjects, requirements, hosts + (recorded?.hosts ?? []))
    let settings = try client.settings()
    others += manifest?.run(url, settings, policy, parallel: parallel) ?? []
    if !apps.isEmpty {
      let targets = try subjects.map(\.target) + hosts.map(HostTarget.init)
      others += try check(apps, targets, links(of: subjects), settings, policy)
      // If no option needs the association file, do not check it, because a domain may serve only
      // Android's file.
      if !requiresAssociation { subjects = [] }
    }
    let result = try recorded.map { try check($0, settings, policy) }
    others += result?.subjects ?? []
    let cdns = try cdns()
    let run = CheckRun(
      subjects: subjects, settings: settings, requirements: requirements, cdn: cdns.named,
      apple: cdns.apple, policy: policy, parallel: parallel, form: format.choice)
    let output = CheckOutput(
      count: subjects.count, format: format.choice, failsOn: policy.threshold,
      isQuiet: quiet, others: others, advice: result?.advice)
    run.run { output.add($0, $1) }
    let code = output.end()
    if subjects.isEmpty && hosts.isEmpty && apps.isEmpty && device == nil && code == 0 {
      throw failure("nothing was checked: there is no domain", .usage)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// The requirements from the options with files, apps and links. They apply to each domain.
  private func fileRequirements() throws -> Requirements {
    var requirements = Requirements(apps: expect, urls: url)
    requirements.cases = try cases.map(readCases)
    for path in file {
      guard let text = readText(path) else { throw ExitCode.usage }
      guard isList(text) ? requirements.assetLinks == nil : requirements.file == nil else {
        throw ValidationError(
          "--file \(path): give at most one association file and one assetlinks.json")
      }
      if isList(text) {
        let file = AssetLinksFile(text)
        guard file.list != nil else {
          throw ValidationError(
            "\(path) is not valid JSON; to find the error: aasa validate \(path)")
        }
        requirements.assetLinks = file
      } else {
        guard let document = documentOrReport(text) else { throw ExitCode.usage }
        requirements.file = document
      }
    }
    return requirements
  }

  /// Returns the domains in a file with entitlements. Adds the apps and hosts in the file to
  /// `requirements`, and the faults of the file's entries to `others`.
  private func subjects(
    of path: String, _ policy: VerdictPolicy, _ requirements: inout Requirements,
    _ others: inout [CheckedSubject]
  ) throws -> [CheckSubject] {
    let file = try reading(path, AppFile(reading: path))
    let variables = try variables
    var subjects: [CheckSubject] = []
    func add(_ found: AssociatedDomains, named name: String) {
      others += CheckedSubject(name, found.findings, policy).map { [$0] } ?? []
      subjects += found.subjects
    }
    for app in file.apps {
      let found = AssociatedDomains(app, variables: variables)
      add(found, named: file.apps.count == 1 ? path : "\(path): \(app.app ?? "")")
      if let identifier = found.app { requirements.add(identifier, isOf: found.subjects) }
      // Require no hosts for a provisioning profile, because it does not list the app's hosts.
      if app.kind != .profile { requirements.add(found.namedHosts) }
      for clip in app.clips {
        let found = AssociatedDomains(clip, variables: variables, within: app)
        add(found, named: "\(path): \(clip.place ?? "")")
        requirements.add(found.namedHosts)
      }
    }
    return subjects
  }

  /// Whether any option on the command line needs the association file.
  private var requiresAssociation: Bool {
    !expect.isEmpty || !file.isEmpty || !cases.isEmpty || !entitlements.isEmpty || !url.isEmpty
  }

  /// The values of build variables from the option `--set`, keyed by the variable's name.
  private var variables: [String: String] {
    get throws {
      var result: [String: String] = [:]
      for text in set {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
          throw ValidationError("--set \(text) is not of the form DOMAIN=example.com")
        }
        result[String(parts[0])] = String(parts[1])
      }
      return result
    }
  }

  private static func names(in argument: String) -> [String] {
    // Do not split a link, because it may contain commas.
    argument.contains("/")
      ? [argument] : argument.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  private func namedSubjects(
    _ policy: VerdictPolicy, _ others: inout [CheckedSubject]
  ) throws -> [CheckSubject] {
    var subjects: [CheckSubject] = []
    for domain in domains where domain != "-" {
      subjects += try Self.names(in: domain).map { try parsing(CheckSubject($0)) }
    }
    for list in (domains.contains("-") ? ["-"] : []) + lists {
      for domain in try readDomainList(list) {
        do throws(UsageFault) {
          subjects.append(try CheckSubject(domain.text))
        } catch {
          others += CheckedSubject(domain, error, policy).map { [$0] } ?? []
        }
      }
    }
    return subjects
  }

  /// Adds the hosts of the given URLs to the domains to check. Otherwise the command would silently
  /// skip a URL on any other domain.
  private func withHostsOfURLs(_ subjects: [CheckSubject]) throws -> [CheckSubject] {
    // If no domain is given, the links are only for the check of the Android app.
    if manifest.manifest != nil && subjects.isEmpty { return [] }
    var result = subjects
    for url in url {
      guard let host = hostOfURL(url) else {
        if subjects.isEmpty { throw ValidationError("give the domain that serves \(url)") }
        continue
      }
      let subject = try parsing(CheckSubject(host))
      if !result.contains(where: { $0.target.host == subject.target.host }) {
        result.append(subject)
      }
    }
    return result
  }

  /// Throws an error if a file, link or option applies to none of the checked domains.
  private func refuseUnused(
    _ subjects: [CheckSubject], _ requirements: Requirements, _ others: [String]
  ) throws {
    let hosts = Set(subjects.map(\.target.host))
    for cases in requirements.cases {
      let isUsed = cases.expectations(on: .apple).contains {
        hostOfURL($0.url).map(hosts.contains) ?? true
      }
      if !isUsed {
        throw ValidationError(
          "\(cases.source.path): no line is about a checked domain; also check the domain of the "
            + "URLs, or write paths instead of URLs")
      }
    }
    for text in client.server.resolve {
      let host = try parsing(ClientSettings.Resolution(text).host)
      let known = hosts.union(others).union(
        hosts.compactMap(RelatedHostChecks.sibling)
          + hosts.compactMap(RelatedHostChecks.wildcardRoot)
          + (try cdn.flatMap(cdnAddress).map { [$0.target.host] } ?? []))
      if !known.contains(host) {
        throw ValidationError(
          "--resolve \(text): \(host) is not checked; add the host to the domains")
      }
    }
  }

  private func readCases(_ path: String) throws -> CaseFile {
    let file = CaseFile(
      try readInput(path, limit: CaseLimits.fileBytes, orFailWith: .usage))
    for diagnostic in file.diagnostics { printError(diagnostic.line) }
    if !file.diagnostics.isEmpty { throw ExitCode.usage }
    if file.expectations(on: .apple).isEmpty {
      throw failure(
        "\(path) contains no expectations", .usage)
    }
    return file
  }
}
