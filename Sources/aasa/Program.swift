internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// The entry point of the program.
@main
enum Program {
  static func main() {
    AASA.exit(withError: ExitCode(run()))
  }

  /// Runs one command. Returns the exit code: 0 for success, 1 if something was found or failed, 2
  /// for wrong usage or configuration.
  ///
  /// Help goes to `output`, errors in the arguments to `errors`. Never inlined, because values that
  /// `main` holds at its exit are never freed.
  ///
  /// - Parameter given: The arguments; nil for those of the process.
  @inline(never)
  static func run(
    _ given: [String]? = nil, output: (String) -> Void = { print($0) },
    errors: (String) -> Void = { writeToStandard(2, $0 + "\n") }
  ) -> Int32 {
    let arguments = given ?? Array(CommandLine.arguments.dropFirst())
    // A stop signal during the start waits until the server can handle it.
    let waits = given == nil && ["serve", "issuer"].contains(arguments.first)
    if waits, !arguments.contains("--validate-only") { Signal.blockAll() }
    var running: (any ParsableCommand.Type)?
    do {
      var command = try AASA.parseAsRoot(arguments)
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
      } else if let running, error is ValidationError {
        // The error came from running the command. ArgumentParser no longer knows which command
        // that was.
        message = "Error: \(error)\nUsage: \(AASA.usageString(for: running))"
      }
      // ArgumentParser quotes arguments as they are.
      errors(
        message.split(separator: "\n", omittingEmptySubsequences: false)
          .map { escapingInvisible(String($0)) }.joined(separator: "\n"))
      // ArgumentParser's own code for wrong usage is 64.
      return code == .validationFailure ? ExitCode.usage.rawValue : code.rawValue
    }
  }
}

/// The message for a mistyped command; nil if the arguments begin with a command or an option.
private func commandHint(_ arguments: [String]) -> String? {
  var path = ["aasa"]
  var commands = AASA.configuration.subcommands
  for word in arguments {
    var names = commands.compactMap { $0.configuration.commandName }
    if path.count == 1 { names.append("help") }
    if commands.isEmpty || word.hasPrefix("-") { return nil }
    let name = path.joined(separator: " ")
    guard names.contains(word) else {
      let hint = nearest(to: word, among: names).map { "; did you mean \(name) \($0)?" } ?? ""
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

/// `aasa`: the overview of all commands.
struct AASA: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aasa",
    abstract: "Serve Apple App Site Association files for many domains over HTTP and HTTPS.",
    discussion: """
      EXAMPLES:
        aasa serve                          # with Config/server.json
        aasa serve --http 8080 --https none # behind a proxy that does TLS
        aasa serve --validate-only          # what starting would report
        aasa config                         # the settings in force, and why
        aasa match site.json https://example.com/buy/42
        aasa diff old.json new.json         # what changes for users
        aasa test app.cases --file site.json
        aasa convert site.json --to components
        aasa merge a.json b.json -o site.json
        aasa sign aasa.json --certificate fullchain.pem --key privkey.pem -o aasa
        aasa hosts add a.example --file links.hosts
        aasa validate domains/              # what is wrong with association files
        aasa check example.com              # is it right, as seen from outside?
        aasa onboard links.example.com      # what a customer's host lacks
        aasa status example.com             # who has fetched which version
        aasa confirm 1f4a09c2               # a loss that is held back is intended
        aasa acme status                    # the server's own certificates
        aasa explain A044                   # what a code means
        aasa init --app TEAM.bundle -o FILE # write a first file
        aasa dev --app TEAM.bundle          # try links on a laptop, through a tunnel

      EXIT CODES:
        0 good, 1 something was found or failed, 2 wrong usage or configuration
      """,
    version: "aasa \(programVersion)",
    subcommands: [
      ServeCommand.self, ValidateCommand.self, MatchCommand.self, TestCommand.self,
      DiffCommand.self, CheckCommand.self, WaitCommand.self, OnboardCommand.self, DevCommand.self,
      ExplainCommand.self,
      InitCommand.self,
      ConvertCommand.self, MergeCommand.self, SchemaCommand.self,
      SignCommand.self, HostsCommand.self, StatusCommand.self, ConfirmCommand.self,
      AcmeCommand.self,
      IssuerCommand.self, HealthcheckCommand.self, ConfigCommand.self, ManualCommand.self,
      VersionCommand.self,
    ])
}

extension ExitCode {
  /// The command found a fault, or failed.
  static let found = ExitCode(1)
  /// Wrong usage or configuration.
  static let usage = ExitCode(2)
}
