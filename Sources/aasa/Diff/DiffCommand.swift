internal import AppSiteAssociation
package import ArgumentParser

/// `aasa diff`
package struct DiffCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell what changes for users between two association files.",
    discussion: """
      Compares what the files mean: white space, the order of keys, comments and other ways of saying \
      the same are no differences. For each kind of link that is decided otherwise there is an example, \
      found from the languages of the patterns, and the rules that decide it.

      EXAMPLES:
        aasa diff old.json new.json
        git show HEAD:site.json | aasa diff --json - site.json

      EXIT CODES:
        0 the same for users, 1 different, 2 wrong usage or a file cannot be read
      """)

  @Argument(help: "the association file before, - for standard input", completion: .file()) var old:
    String
  @Argument(help: "the association file after, - for standard input", completion: .file()) var new:
    String
  @Option(help: ArgumentHelp("write examples as URLs on this host", valueName: "HOST"))
  var domain: String?
  @Flag(help: "print one JSON object") var json = false

  package init() {}

  package func validate() throws {
    if old == "-" && new == "-" {
      throw ValidationError("only one of the files can be standard input")
    }
    if let domain, Domain(domain) == nil || domain.hasPrefix("*") {
      throw ValidationError("--domain \(domain) is no host name")
    }
  }

  package func run() throws {
    guard let before = readAssociation(old), let after = readAssociation(new) else {
      throw ExitCode.usage
    }
    let report = DifferenceReport(before, after, host: domain)
    print(json ? report.json : report.text, terminator: json ? "\n" : "")
    if !report.isSame { throw ExitCode.found }
  }
}
