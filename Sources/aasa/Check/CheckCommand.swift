internal import AppFiles
internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import Rules

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a live domain, and the copy in Apple's CDN.",
    discussion: """
      Resolves the name, connects to every address, verifies the certificate, requests the \
      association file at Apple's two paths without following redirects, and validates the \
      responses; asks Apple's CDN for its copy; checks port 80, www and the bare domain, the \
      parent domain, whose file applies to wildcards, and assetlinks.json. Prints the verdict \
      first, then each cause with its evidence, in the order to fix them.

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
          roots, HTTP/2 only), a device recorded an unknown state, or an
          assetlinks.json includes another list
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
      "the value of the build variable $(NAME) in entitlements, or ${NAME} in a manifest "
        + "(repeatable)",
      valueName: "NAME=VALUE"))
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "the association file or assetlinks.json that the domains must match (repeatable)",
      valueName: "FILE"))
  var file: [String] = []
  @Option(
    help: ArgumentHelp(
      "the domain's file must list this app in any service; with SERVICE:ID, in this service, for "
        + "example authsrv:ABCDE12345.com.example.app (repeatable)", valueName: "ID"))
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
    // Reject empty values, because an empty value usually comes from an unset variable in a build
    // pipeline.
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
    var domains = try DomainsToCheck(self)
    let isForAndroid = !android.android.isEmpty
    let manifest = try manifest.task(url, variables, needsLinks: !isForAndroid)
    let apps = try android.task(domains, manifest?.hosts ?? [], url)
    let tasks = ([manifest, apps, try deviceTask()] as [(any CheckTask)?]).compactMap(\.self)
    try refuseUnused(domains, tasks.flatMap(\.hosts))
    // If no option needs the association file, do not check it, because a domain may serve only
    // Android's file.
    if isForAndroid && !requiresAssociation { domains.subjects = [] }
    var context = try client.context(cdn: cdn, google: android.google, verdict.policy)
    (context.parallel, context.form) = (parallel, format.choice)
    let results = tasks.map { $0.results(context) }
    let output = CheckOutput(
      count: domains.subjects.count, format: format.choice, failsOn: context.policy.threshold,
      isQuiet: quiet, others: domains.faults + results.flatMap(\.subjects),
      advice: results.compactMap(\.advice).first)
    CheckRun(domains.subjects, domains.requirements, context).run { output.add($0, $1) }
    let code = output.end()
    if code == 0 && device == nil && domains.subjects.isEmpty && tasks.allSatisfy(\.hosts.isEmpty) {
      throw failure("nothing was checked: there is no domain", .usage)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// Reads the file in which a device recorded the state of its domains. Returns nil if the user
  /// gave no such file.
  private func deviceTask() throws -> DeviceCheck? {
    guard let device else { return nil }
    let text = DeviceText(
      try readWhole(device, limit: DeviceText.Limits.bytes, "a file of device records").bytes)
    if text.records.isEmpty {
      throw failure(
        "\(inputName(device)): no device records were found; pass the whole output of adb shell "
          + "pm get-app-links, or the file swcutil_show.txt of a sysdiagnose", .usage)
    }
    return DeviceCheck(text, named: inputName(device))
  }

  private var requiresAssociation: Bool {
    !expect.isEmpty || !file.isEmpty || !cases.isEmpty || !entitlements.isEmpty || !url.isEmpty
  }

  var variables: [String: String] {
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

  static func names(in argument: String) -> [String] {
    // Do not split a link, because it may contain commas.
    argument.contains("/")
      ? [argument] : argument.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  /// Throws an error if a file of expectations contains no line about a checked domain, or if a
  /// value of `--resolve` is for a host that is not checked.
  private func refuseUnused(
    _ domains: DomainsToCheck, _ others: [String]
  ) throws {
    let hosts = Set(domains.subjects.map(\.target.host))
    for cases in domains.requirements.cases {
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
}
