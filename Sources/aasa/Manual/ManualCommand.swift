internal import ArgumentParser
internal import Diagnostics
internal import Posix

struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Print a page of the manual, or write all pages.",
    discussion: """
      The pages are made from what --help shows.

      EXAMPLES:
        aasa man serve | man -l -
        sudo aasa man --output /usr/local/share/man/man1
      """)

  @Argument(
    help: ArgumentHelp("the command whose page to print", valueName: "command"),
    completion: .list(commandNames()))
  var command: String?
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "write aasa.1 and a page for each command into this folder", valueName: "DIR"),
    completion: .directory)
  var output: String?

  func validate() throws {
    if command != nil && output != nil {
      throw ValidationError("--output writes all pages: leave the command out")
    }
  }

  func run() throws {
    let pages = manualPages()
    guard let output else { return try show(pages) }
    do throws(SystemError) {
      for page in pages {
        try writeFileAtomically(
          "\(output)/\(page.name).1", Array(page.text.utf8), replacing: true)
      }
    } catch {
      throw failure("cannot write into \(output): \(error.reason)")
    }
  }

  private func show(_ pages: [ManualPage]) throws {
    let name = command.map { "aasa-" + $0 } ?? "aasa"
    guard let page = pages.first(where: { $0.name == name }) else {
      let names = pages.map { $0.name.dropFirst("aasa-".count) }.filter { !$0.isEmpty }
      let wanted = command ?? ""
      let guess = nearest(to: wanted, among: names.map(String.init))
      throw failure(
        "there is no command `\(wanted)`"
          + (guess.map { "; did you mean `\($0)`?" } ?? ": see aasa --help"), .usage)
    }
    writeToStandard(1, page.text)
  }
}

private func commandNames() -> [String] {
  AASA.configuration.subcommands.compactMap { $0.configuration.commandName }
}
