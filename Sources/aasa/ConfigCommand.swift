internal import ArgumentParser
internal import Server
internal import Settings

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the current settings, and where each one is set.",
    usage: "aasa config [<options>]",
    discussion: """
      Takes every option of aasa serve except --validate-only, and prints the settings that aasa \
      serve would use.

      EXAMPLES:
        aasa config
        AASA_THREADS=2 aasa config --http 8080 --json
      """)

  @Flag(help: "print one JSON object") var json = false
  @Flag(help: "print the table of all settings as Markdown, without reading any file")
  var markdown = false
  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func validate() throws {
    if json && markdown { throw ValidationError("give --json or --markdown, not both") }
  }

  func run() throws {
    if markdown {
      print(Setting.markdown, terminator: "")
      return
    }
    let configuration = try options.resolve()
    if json {
      print(configuration.json)
    } else {
      for line in configuration.lines { print(line) }
      print(ConnectionLimit(configuration).sentence)
    }
  }
}
