internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// The entry point of the program.
@main
enum Program {
  static func main() {
    AASA.exit(withError: ExitCode(run()))
  }

  /// Runs one command. Returns the exit code: 0 for success, 1 for a finding or a failure, 2 for
  /// wrong usage or configuration.
  ///
  /// Prints help with `output`, and errors in the arguments with `errors`. This function is never
  /// inlined, because the values of an inlined function would belong to `main`, and values in
  /// `main` are not freed at exit.
  ///
  /// - Parameter given: The arguments; nil to use the arguments of the process.
  @inline(never)
  static func run(
    _ given: [String]? = nil, output: (String) -> Void = { print($0) },
    errors: (String) -> Void = { writeToStandard(2, $0 + "\n") }
  ) -> Int32 {
    let arguments = given ?? Array(CommandLine.arguments.dropFirst())
    // Block signals, so that a signal during the start takes effect only when the server can handle
    // the signal.
    let waits = given == nil && ["serve", "issuer"].contains(arguments.first)
    if waits, !arguments.contains("--validate-only") { Signal.blockAll() }
    var running: (any ParsableCommand.Type)?
    do {
      var command = try ServerOptions.$isGrouped.withValue(false) {
        try AASA.parseAsRoot(arguments)
      }
      running = type(of: command)
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      var message = AASA.fullMessage(for: error)
      let code = AASA.exitCode(for: error)
      if code.isSuccess {
        output(message)
        return 0
      }
      if let hint = commandHint(arguments) {
        message = hint
      } else if running == nil, let cured = withCure(message, arguments) {
        message = cured
      } else if let running, error is ValidationError {
        // `run` threw this error. Add the command's usage, because ArgumentParser adds it only to
        // errors from parsing.
        message = "Error: \(error)\nUsage: \(AASA.usageString(for: running))"
      }
      // Escape the message, because ArgumentParser quotes arguments without escaping.
      errors(
        message.split(separator: "\n", omittingEmptySubsequences: false)
          .map { escapingInvisible(String($0)) }.joined(separator: "\n"))
      // Replace ArgumentParser's own exit code for wrong usage, which is 64.
      return code == .validationFailure ? ExitCode.usage.rawValue : code.rawValue
    }
  }
}

/// Returns the message for a mistyped command. Returns nil if the arguments begin with a valid
/// command or an option.
private func commandHint(_ arguments: [String]) -> String? {
  var path = ["aasa"]
  var commands = AASA.configuration.subcommands
  for word in arguments {
    var names = commands.compactMap { $0.configuration.commandName }
    if path.count == 1 { names.append("help") }
    if commands.isEmpty || word.hasPrefix("-") { return nil }
    let name = path.joined(separator: " ")
    guard names.contains(word) else {
      let list = path.count > 1 ? "; write one of \(names.joined(separator: ", "))" : ""
      let longer = names.filter { word.count > 2 && $0.hasPrefix(word) }
      let near = longer.count == 1 ? longer[0] : nearest(to: word, among: names)
      let hint = near.map { "; did you mean \(name) \($0)?" } ?? list
      return """
        Error: there is no command \(word)\(hint)
        Usage: \(name) <command>, see \(name) --help
        """
    }
    path.append(word)
    commands =
      commands.first { $0.configuration.commandName == word }?.configuration.subcommands ?? []
  }
  return nil
}

/// The program `aasa`, with all its commands.
struct AASA: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aasa",
    abstract: "Serve the files behind app links, and find what is wrong with them.",
    discussion: """
      To see the help of a command, run for example aasa init --help. To see what a code in a \
      message means, run for example aasa explain A044. For more, see the README.

      EXAMPLES:
        aasa init --app TEAM.bundle --path '/buy/*' -o site.json
        aasa dev site.json          # try it with your phone
        aasa check example.com      # does it serve a correct file?

      EXIT CODES:
        0 success, 1 problem or failure, 2 wrong usage; some commands have others
      """,
    version: "aasa \(programVersion)",
    groupedSubcommands: [
      CommandGroup(
        name: "Make and try",
        subcommands: [
          InitCommand.self, DevCommand.self, PageCommand.self, PasskeysCommand.self,
          CodeCommand.self,
        ]),
      CommandGroup(
        name: "Check",
        subcommands: [
          ValidateCommand.self, MatchCommand.self, TestCommand.self, DiffCommand.self,
          CheckCommand.self, WaitCommand.self, ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Serve",
        subcommands: [
          ServeCommand.self, StatusCommand.self, ConfirmCommand.self, HostsCommand.self,
          OnboardCommand.self, AcmeCommand.self, IssuerCommand.self, HealthcheckCommand.self,
          ConfigCommand.self,
        ]),
      CommandGroup(
        name: "Other",
        subcommands: [
          ConvertCommand.self, MergeCommand.self, SchemaCommand.self, SignCommand.self,
          ManualCommand.self, VersionCommand.self,
        ]),
    ])
}

extension ExitCode {
  /// The command found a fault, or it failed.
  static let found = ExitCode(1)
  /// Wrong usage or configuration.
  static let usage = ExitCode(2)
}
