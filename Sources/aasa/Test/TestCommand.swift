internal import AppSiteAssociation
package import ArgumentParser

/// `aasa test`
package struct TestCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Check that association files say what is expected of them.",
    discussion: """
      A file of expectations has one on each line: a URL, or a path on the domain, then what is expected:
        https://example.com/buy/42  opens ABCDE12345.com.example.app
        /account                    blocked
        /help                       browser   # no rule of any app matches
      `blocked` and `browser` may name an app too. CSV with the fields url,expectation,app works as well.

      EXAMPLES:
        aasa test app.cases --file site.json
        aasa test app.cases --file domains/    # each host's file is found as aasa serve finds it
        aasa test app.cases --file site.json --domain example.com
        aasa test app.cases --host example.com    # what is served there
        aasa test app.cases --host example.com --origin 192.0.2.1:443

      EXIT CODES:
        0 all expectations are met, 1 some are not, 2 wrong usage, or a file cannot be read or fetched
      """)

  @Argument(help: "the files of expectations, - for standard input", completion: .file()) var cases:
    [String]
  @Option(
    help: ArgumentHelp(
      "an association file, or a folder of domains (default: domains)", valueName: "PATH"),
    completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp(
      "ask a server for its file, without following redirects: example.com, or a URL without path",
      valueName: "HOST"))
  var host: String?
  @Option(
    help: ArgumentHelp("the host that the file is served for, and of paths", valueName: "HOST"))
  var domain: String?
  @OptionGroup var client: ClientOptions
  @Flag(help: "print one JSON object") var json = false

  package init() {}

  package func validate() throws {
    guard !cases.isEmpty else { throw ValidationError("name a file of expectations") }
    if let domain, Domain(domain) == nil {
      throw ValidationError("--domain \(domain) is no host name")
    }
    if try target == nil { try client.refuseUnused() }
  }

  /// The server that is asked; nil when files are read.
  private var target: HostTarget? {
    get throws {
      if let host {
        if file != nil { throw ValidationError("give --file or --host, not both") }
        return try HostTarget(host)
      }
      return try file.flatMap { $0.contains("://") ? try HostTarget($0) : nil }
    }
  }

  private func files() throws -> AssociationFiles {
    let files: AssociationFiles?
    if let target = try target {
      files = AssociationFiles(host: target, domain: domain, try client.settings())
    } else {
      files = AssociationFiles(path: file ?? "domains", domain: domain)
    }
    guard let files else { throw ExitCode.usage }
    return files
  }

  package func run() throws {
    var testing = ExpectationTesting(try files())
    for path in cases { testing.run(path) }
    print(json ? testing.json : testing.text, terminator: json ? "\n" : "")
    if testing.exitCode != 0 { throw ExitCode(testing.exitCode) }
  }
}
