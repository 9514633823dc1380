internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Development
internal import Diagnostics
internal import Posix
internal import Settings

/// The command `aasa dev`, with which a developer tries links on a phone through a tunnel.
struct DevCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dev",
    abstract: "Try links with your phone, through a tunnel.",
    discussion: """
      Serves one association file on 127.0.0.1 for every host name, and runs cloudflared or ngrok, \
      which gives this server a public name. Prints what to paste into the app. Rereads the file \
      when it is saved; if the file then has errors, reports them and keeps serving the previous \
      version. Also serves an assetlinks.json, webauthn, passkey-endpoints or page.html beside the \
      file. At other paths, serves a test page, which a phone shows only if the app did not open. \
      The inspector, a page that only this machine can open, shows each request, tries URLs, and \
      asks Apple's CDN.

      EXAMPLES:
        aasa dev --app K27TX9P4QD.org.swift.shop --path '/buy/*'
        aasa dev apple-app-site-association --cases app.cases
        aasa dev site.json --tunnel 'tailscale funnel {port}'
        aasa dev site.json --tunnel none --host dev.example.com   # your own tunnel

      EXIT CODES:
        0 ended by Ctrl-C
        1 the port of --port is in use, or a system call fails
        2 wrong usage
      """)

  @Argument(
    help: ArgumentHelp(
      "the association file (default: with --app, a file made from --app and --path; otherwise "
        + "apple-app-site-association, here or in .well-known)",
      valueName: "FILE"), completion: .file())
  var file: String?
  @OptionGroup var app: AppOptions
  @OptionGroup var patterns: PatternOptions
  @Option(
    help: ArgumentHelp("the tunnel's port, on 127.0.0.1", valueName: "PORT"))
  var port: UInt16 = 4_042
  @Option(
    help: ArgumentHelp(
      "the inspector's port, on 127.0.0.1; if it is in use, a free port", valueName: "PORT"))
  var inspectorPort: UInt16 = 4_041
  @Option(
    help: ArgumentHelp(
      "auto (cloudflared, else ngrok), cloudflared, ngrok, none, or a command that prints the "
        + "https:// URL; {port} in the command stands for the tunnel's port", valueName: "TUNNEL"))
  var tunnel = "auto"
  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "the tunnel's public host name, if you know it in advance",
      valueName: "HOST"))
  var hosts: [String] = []
  @Option(
    help: ArgumentHelp(
      "show Safari's banner for this App Store app on the test page", valueName: "ID"))
  var appStoreId: String?
  @Option(
    help: ArgumentHelp(
      "the file of expectations, as in aasa test; the inspector adds lines to this file (default: "
        + "NAME.cases beside NAME.json; with --app: aasa.cases)",
      valueName: "FILE"), completion: .file())
  var cases: String?
  @Option(
    help: ArgumentHelp("the CDN to ask instead of Apple's, or none", valueName: "URL"))
  var cdn: String?
  @OptionGroup var client: ClientOptions

  func validate() throws {
    if file != nil && !app.apps.isEmpty {
      throw ValidationError("give either a file or --app, not both")
    }
    if app.apps.isEmpty && !patterns.paths.isEmpty {
      throw ValidationError("--path needs --app TEAM.bundle")
    }
    if let appStoreId, !appStoreId.isDecimal {
      throw ValidationError("--app-store-id \(appStoreId) is not a number such as 375380948")
    }
    if let cdn { _ = try cdnAddress(cdn) }
    if hosts.count > 1 {
      throw ValidationError(
        "--host is given \(hosts.count) times; give --host once, because the tunnel has one public "
          + "name")
    }
    if let host = hosts.first {
      let target = try parsing(HostTarget(host))
      guard target.isPublicName, target.port == nil else {
        throw ValidationError("--host \(host) is not a public name such as dev.example.com")
      }
    }
  }

  func run() throws {
    let environment = environmentVariables()
    var plan = DevPlan(
      source: try source(),
      tunnel: try parsing(TunnelChoice(tunnel, searching: environment["PATH"] ?? "")),
      client: try client.settings())
    plan.port = port
    plan.inspectorPort = inspectorPort
    plan.host = try hosts.first.map { try parsing(HostTarget($0).host) }
    plan.appStoreID = appStoreId
    plan.cases = cases ?? (plan.source.path.map { FilesBeside($0).cases } ?? "aasa.cases")
    plan.cdn = try cdnAddress(cdn ?? CDNAddress.apple)
    let faults = plan.faults
    for diagnostic in faults { printError(diagnostic.line) }
    if !faults.isEmpty { throw ExitCode.usage }
    let code = develop(plan, environment)
    if code != 0 { throw ExitCode(code) }
  }

  private func source() throws -> DevPlan.Source {
    if !app.apps.isEmpty {
      var association = AssociationPlan()
      association.apps = app.apps
      association.services = ["applinks"]
      association.setPaths(patterns.paths)
      return .made(association.text)
    }
    let usual = ["apple-app-site-association", ".well-known/apple-app-site-association"]
    guard let path = file ?? usual.first(where: { !isMissing($0) }) else {
      throw failure(
        "there is no \(usual[0]) here; give a file, make one with aasa init, or let aasa dev"
          + " make one: aasa dev --app TEAM.bundle --path '/buy/*'", .usage)
    }
    let kind = try mapping(status(path).kind) { (error: SystemError) in
      failure(
        "cannot read \(path): \(error.reason); create the file with aasa init -o \(path), or let "
          + "aasa dev make one: aasa dev --app TEAM.bundle", .usage)
    }
    guard kind == .regular else {
      throw failure("\(path) is not a file; give the association file itself", .usage)
    }
    return .file(path)
  }
}
