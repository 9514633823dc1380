internal import ArgumentParser
internal import Diagnostics

extension OutputFormat: ExpressibleByArgument {}

struct FormatOptions: ParsableArguments {
  @Option(help: ArgumentHelp(OutputFormat.words, valueName: "FORMAT"))
  var format: OutputFormat?
  @Flag(help: "the same as --format json") var json = false

  func validate() throws {
    if json, let format, format != .json {
      throw ValidationError("give --json or --format \(format.rawValue), not both")
    }
  }

  var choice: OutputFormat { json ? .json : format ?? .text }
}
