internal import AppSiteAssociation
package import ArgumentParser
internal import Diagnostics
internal import Posix

/// `aasa explain`
package struct ExplainCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tell what a diagnostic's code means, with a wrong and a right example.",
    discussion: """
      EXAMPLES:
        aasa explain A044
        aasa explain --list
      """)

  @Argument(help: ArgumentHelp("such as A044 or J010", valueName: "code")) var codes: [String] = []
  @Flag(help: "print all codes, one line each") var list = false

  package init() {}

  package func validate() throws {
    if codes.isEmpty && !list { throw ValidationError("name a code, or give --list") }
  }

  package func run() throws {
    if list {
      let width = RulePage.all.map(\.name.count).max() ?? 0
      for page in RulePage.all {
        let name = page.name + String(repeating: " ", count: width - page.name.count)
        let severity = page.severity.rawValue
        print(
          page.code, severity + String(repeating: " ", count: 7 - severity.count), name, page.what,
          separator: "  ")
      }
    }
    var isMissing = false
    var pages: [String] = []
    for code in codes {
      if let page = RulePage.page(of: code.uppercased()) {
        pages.append(page.text)
        continue
      }
      isMissing = true
      let near = nearest(to: code, among: RulePage.all.map(\.code))
      printError(
        "error: there is no code \(escapingControls(code)); "
          + (near.map { "did you mean \($0)?" } ?? "aasa explain --list prints all"))
    }
    if !pages.isEmpty { print(pages.joined(separator: "\n"), terminator: "") }
    if isMissing { throw ExitCode.usage }
  }
}
