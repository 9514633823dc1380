internal import AppSiteAssociation
internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import Rules
internal import Settings

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Check files against your own list of links.",
    usage: "aasa test [<cases> ...] [<options>]",
    discussion: """
      Each line of a file of expectations has a path on the domain, or a URL, then \
      the expected result:
        /buy/42                      opens ABCDE12345.com.example.app
        /account                     blocked
        https://example.com/help     browser   # no rule of any app matches
        /sell  opens  ios:ABCDE12345.com.example.app android:com.example.app
      An app after `blocked` or `browser` limits the line to this app. CSV with
      the fields url,expectation,app works as well. Put the \
      expectations for example.com.json into example.com.cases beside it; aasa serve also checks \
      these expectations. --ca, --origin, --resolve and --timeout apply only to --host.

      EXAMPLES:
        aasa test                              # all of Config/domains
        aasa test example.com.cases            # against example.com.json beside it
        aasa test app.cases --file site.json
        aasa test app.cases --file domains/    # each host's file
        aasa test app.cases --file site.json --domain example.com
        aasa test app.cases --host example.com    # what is served there
        aasa test app.cases --host example.com --origin 192.0.2.1:443

      EXIT CODES:
        0 all expectations are met
        1 some expectations are not met
        2 wrong usage, a file cannot be read or fetched, or nothing was checked
      """)

  @Argument(
    help: ArgumentHelp(
      "the files of expectations, - for standard input (default: .cases files in or beside "
        + "--file)"),
    completion: .file())
  var cases: [String] = []
  @Option(
    help: ArgumentHelp(
      "an association file, or a folder of domains (default: the file beside a single .cases file, "
        + "else Config/domains or domains)", valueName: "PATH"),
    completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp(
      "instead of --file: test the file that this host serves, without following redirects; a name "
        + "such as example.com, or a URL without a path",
      valueName: "HOST"))
  var host: String?
  @Option(
    help: ArgumentHelp(
      "the host to assume for the file, and for lines with only a path (default: the host of "
        + "--host)", valueName: "HOST"))
  var domain: String?
  @OptionGroup var client: ClientOptions
  @OptionGroup(title: "Verdict") var verdict: VerdictOptions
  @OptionGroup var format: FormatOptions

  func validate() throws {
    if host != nil && cases.isEmpty {
      throw ValidationError("give a file of expectations")
    }
    if let path = cases.first(where: { $0.hasSuffix(".json") }) {
      throw ValidationError(
        "\(path) is not a file of expectations; to test it, run aasa test --file \(path)")
    }
    try verdict.refuseCDN()
    if let domain, Domain(domain) == nil {
      throw ValidationError("--domain \(domain) is not a host name")
    }
    if try target == nil { try client.refuseUnused() }
  }

  /// The server from which to fetch the file; nil if the user gave files.
  private var target: HostTarget? {
    get throws {
      if let host {
        if file != nil { throw ValidationError("give --file or --host, not both") }
        return try parsing(HostTarget(host))
      }
      return try file.flatMap { $0.contains("://") ? try parsing(HostTarget($0)) : nil }
    }
  }

  /// The path of the association file or domains folder to read if the user gave no server.
  private var path: String { file ?? TestDefaults.file(for: cases) }

  private func files() throws -> AssociationFiles {
    let files: AssociationFiles?
    if let target = try target {
      files = AssociationFiles(host: target, domain: domain, try client.settings())
    } else {
      files = AssociationFiles(path: path, domain: domain)
    }
    guard let files else { throw ExitCode.usage }
    return files
  }

  func run() throws {
    let isFolder = (try? status(path))?.kind == .directory
    let (policy, fault) = verdict.policy(in: isFolder ? path : folderName(of: path))
    if let fault { printError(fault.line) }
    var testing = ExpectationTesting(try files(), ignoring: policy.ignored)
    let cases = cases.isEmpty && host == nil ? TestDefaults.cases(for: path) : cases
    for file in cases { testing.run(file) }
    if cases.isEmpty {
      printError("error: there are no expectations for \(path); write \(FilesBeside(path).cases)")
    }
    printReport(testing.rendered(as: format.choice), as: format.choice)
    if testing.exitCode != 0 { throw ExitCode(testing.exitCode) }
  }
}
