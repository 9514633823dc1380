internal import AppSiteAssociation
internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// `aasa explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a diagnostic's code, with a wrong and a right example.",
    discussion: """
      It also knows reasons of Apple's CDN, states of Android, and some messages of systems.

      EXAMPLES:
        aasa explain A044
        aasa explain SWCERR00301 legacy_failure
        aasa explain 'RP ID cannot be validated'
        aasa explain --list
      """)

  @Argument(
    help: ArgumentHelp("such as A044, J010 or T010", valueName: "code"),
    completion: .list(Kinds.all.map(\.code)))
  var codes: [String] = []
  @Flag(help: "print all codes, one line each, grouped by subject") var list = false

  func validate() throws {
    if codes.isEmpty && !list { throw ValidationError("name a code, or give --list") }
  }

  func run() throws {
    if list { print(Kinds.list, terminator: codes.isEmpty ? "" : "\n") }
    var isMissing = false
    var pages: [String] = []
    for code in codes {
      if let kind = Kinds.kind(of: code.uppercased()) {
        pages.append(kind.page)
        continue
      }
      isMissing = true
      printError("error: " + escapingControls(unknownCode(code)))
    }
    if !pages.isEmpty { print(pages.joined(separator: "\n"), terminator: "") }
    if isMissing { throw ExitCode.usage }
  }
}

/// The message for an unknown code.
func unknownCode(_ code: String) -> String {
  let near = nearest(to: code, among: Kinds.all.map(\.code))
  return "there is no code \(code); "
    + (near.map { "did you mean \($0)?" } ?? "aasa explain --list prints all")
}
