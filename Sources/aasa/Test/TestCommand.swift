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

      EXIT CODES:
        0 all expectations are met, 1 some are not, 2 wrong usage or a file cannot be read
      """)

  @Argument(help: "the files of expectations, - for standard input") var cases: [String]
  @Option(help: ArgumentHelp("an association file, or a folder of domains", valueName: "PATH"))
  var file = "domains"
  @Option(
    help: ArgumentHelp("the host that the file is served for, and of paths", valueName: "HOST"))
  var domain: String?
  @Flag(help: "print one JSON object") var json = false

  package init() {}

  package func validate() throws {
    guard !cases.isEmpty else { throw ValidationError("name a file of expectations") }
    if let domain, Domain(domain) == nil {
      throw ValidationError("--domain \(domain) is no host name")
    }
  }

  package func run() throws {
    guard var testing = ExpectationTesting(path: file, domain: domain) else { throw ExitCode.usage }
    for path in cases { testing.run(path) }
    print(json ? testing.json : testing.text, terminator: json ? "\n" : "")
    if testing.exitCode != 0 { throw ExitCode(testing.exitCode) }
  }
}
