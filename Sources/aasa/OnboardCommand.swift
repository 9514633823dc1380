internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Issuance
internal import JSON
internal import Keeping
internal import Posix
internal import Reporting
internal import Settings

struct OnboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "onboard",
    abstract: "Show what is left to do before a host's links work.",
    usage: "aasa onboard <host> [<options>]",
    discussion: """
      For a platform's control panel, and for anyone who sets up a host. Checks DNS, CAA, the \
      certificate, whether the host serves the file from the domains folder, and the copies at \
      Apple's CDN and Google. Reads the server's settings to find the domains folder. --address \
      is the address to which the host should point. With --acme and without --address, checks \
      the host as the server does before it orders a certificate. Changes nothing. Takes every \
      option of aasa serve except --validate-only.

      EXAMPLES:
        aasa onboard links.customer.example --address 192.0.2.10
        aasa onboard links.customer.example --domains domains --json

      EXIT CODES:
        0 the links work, as far as this machine can tell
        1 something is left to do
        2 wrong usage or configuration
        4 unknown: this machine cannot check the host
      """)

  @Argument(help: "the host, such as links.customer.example") var host: String
  @Option(
    help: ArgumentHelp("an address to which the host should point (repeatable)", valueName: "IP"))
  var address: [String] = []
  @Option(
    help: ArgumentHelp(
      "the CDN to ask instead of Apple's, or none (default: Apple's; with --origin, --resolve or "
        + "--ca: none)",
      valueName: "URL"))
  var cdn: String?
  @Option(
    help: ArgumentHelp(
      "the asset links service to ask instead of Google's, or none (default: Google's; with "
        + "--origin or --ca: none)", valueName: "URL"))
  var google: String?
  @OptionGroup var format: FormatOptions
  @OptionGroup(title: "Requests") var client: ClientOptions
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func validate() throws {
    // If the output format is JSON, `run` reports wrong usage as JSON.
    if format.choice == .json { return }
    _ = (
      try subject(), try expected(), try cdn.flatMap(cdnAddress), try google.flatMap(googleService)
    )
  }

  private func subject() throws -> CheckSubject {
    let subject = try parsing(CheckSubject(host))
    guard subject.target.isPublicName, subject.target.port == nil else {
      throw ValidationError("\(escapingInvisible(host)) is not a host with a public name")
    }
    return subject
  }

  private func expected() throws -> [SocketAddress] {
    try address.map { text in
      guard let address = SocketAddress(literal: text, port: 443) else {
        throw ValidationError("--address \(escapingInvisible(text)) is not an address")
      }
      return address
    }
  }

  func run() throws {
    do {
      try report()
    } catch {
      // If the error is an exit code other than `usage`, the report was printed before, so print
      // nothing else.
      let code = error as? ExitCode
      if format.choice == .json, code == nil || code == .usage {
        let fault = code == nil ? "\(error)" : "the settings or the domains folder cannot be used"
        print(["host": host.json, "exitCode": 2, "error": fault.json] as JSONTree)
      }
      throw error
    }
  }

  private func report() throws {
    let subject = try subject()
    let configuration = try options.resolve()
    let (folder, files, lists) = try places(of: subject.target.host, configuration)
    var requirements = Requirements()
    var fileFault: Diagnostic?
    if let path = files?.association {
      (requirements.file, fileFault) = Self.association(path)
    }
    let run = CheckRun([subject], requirements, try client.context(cdn: cdn, google: google))
    var plan = Onboarding.Plan(subject.target.host, run)
    plan.expected = try expected()
    // If the domains folder has no file for the host, omit the name checks, because they would
    // fail.
    plan.trials = folder != nil && files == nil ? [] : try trials(configuration.issuance)
    plan.caaIdentities = caaIdentities(configuration)
    (plan.folder, plan.files, plan.lists, plan.fileFault) = (folder, files, lists, fileFault)
    plan.resolver = configuration.issuance.resolver
    let onboarding = Onboarding(plan)
    let report = [onboarding.subject].rendered(
      as: format.choice, of: "onboard", failing: .error, text: onboarding.text + "\n",
      json: "\(onboarding.json)\n")
    printReport(report, as: format.choice)
    if onboarding.exitCode != 0 { throw ExitCode(onboarding.exitCode) }
  }

  /// Reads the association file in the domains folder. If the file cannot be used, returns the
  /// fault of the file.
  private static func association(_ path: String) -> (Document?, Diagnostic?) {
    do throws(SystemError) {
      let content = try readContent(path, limit: 16 * AppleLimits.fileBytes)
      var options = ValidationOptions()
      options.signedContent = { signedContent(of: $0, trust: nil, now: 0) }
      let file = AssociationFile(SourceText(path: path, bytes: content.bytes), options: options)
      return (file.document, file.fault)
    } catch {
      return (nil, unreadable(path, error))
    }
  }

  /// Returns checks that show whether the host's DNS records point to this server. Returns an empty
  /// array if the user gave the server's addresses with `--address`, or if the settings contain no
  /// CA or do not allow the challenge `http-01`.
  private func trials(_ settings: IssuanceOptions) throws -> [NameCheck] {
    let canTry = settings.challenges.contains(.http)
    if !address.isEmpty || settings.authorities.isEmpty || !canTry { return [] }
    return try options.trials().map(\.trial)
  }

  private func caaIdentities(_ configuration: Configuration) -> [CAAIdentity] {
    let state = StateFolder(configuration.issuance.state)
    let settings = configuration.issuance
    return settings.authorities.map(Authority.init(setting:)).map { authority in
      CAAIdentity(
        identities: authority.identities ?? [], account: state.account(at: authority).url,
        methods: settings.challenges)
    }
  }

  /// Returns the domains folder, and the host's files and lists in it. If the default folder is
  /// missing, returns nil for the folder and the files. Throws an error if a setting specifies the
  /// folder, but the folder is missing.
  private func places(
    of host: String, _ configuration: Configuration
  ) throws -> (folder: String?, ServedPaths?, Onboarding.NamingLists) {
    let path = configuration.domains
    do throws(SystemError) {
      let hosts = try readHosts(path)
      var lists = Onboarding.NamingLists()
      let entry = hosts.entry(serving: host)
      if let name = HostsList.host(host) {
        lists.all = hosts.lists(naming: name)
        lists.serving = entry.flatMap { $0.name == name ? nil : $0.hostsFile }
          .map { path + "/" + $0 }
      }
      return (path, entry.flatMap { hosts.files(of: $0) }, lists)
    } catch {
      if error.isNotFound, configuration.origin(of: \.hosting.domains) == .default {
        return (nil, nil, Onboarding.NamingLists())
      }
      throw failure("\(error)", .usage)
    }
  }
}
