internal import ArgumentParser
internal import Development
internal import Diagnostics

extension CodeSample: ExpressibleByArgument {}

struct CodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "Print the code that an app needs to receive links.",
    discussion: """
      Prints the app's code for links, the entitlement or intent filter, and test links.

      EXAMPLES:
        aasa code swiftui --path 'https://example.com/buy/*'
        aasa code kotlin --path 'https://example.com/buy/*'
        aasa code uikit --entitlements Shop.entitlements
      """)

  @Argument(help: ArgumentHelp("the app's framework: \(CodeSample.names)", valueName: "framework"))
  var framework: CodeSample
  @OptionGroup var path: PathOptions

  func run() throws {
    var plan = AssociationPlan()
    plan.setPaths(path.patterns.paths)
    var found = FoundIdentifiers(team: nil, bundle: nil)
    if let entitlements = path.entitlements { try found.read(entitlements: entitlements) }
    let hosts = plan.hostsOfPaths + found.hosts.filter { !plan.hostsOfPaths.contains($0) }
    if hosts.isEmpty {
      printError("note: replace example.com with your host, or pass full links with --path")
    }
    let code = LinkCode(
      sample: framework, hosts: hosts.isEmpty ? ["example.com"] : hosts, openings: plan.openings,
      excludesSome: plan.excludesSome)
    let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
    print(lines.map { escapingInvisible(String($0)) }.joined(separator: "\n"), terminator: "")
  }
}
