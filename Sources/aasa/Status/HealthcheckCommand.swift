internal import ArgumentParser
internal import Posix
internal import Reporting

struct HealthcheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "healthcheck",
    abstract: "Ask the running server whether it is ready.",
    usage: "aasa healthcheck [<options>]",
    discussion: """
      Requests /readyz from the admin listener, and prints the response. Use this command for \
      Docker's HEALTHCHECK and for probes.

      EXAMPLES:
        aasa healthcheck
        aasa healthcheck --live
        aasa healthcheck --admin 127.0.0.1:12272 --timeout 2

      EXIT CODES:
        0 ready (or alive)
        1 not ready (or not alive), or no answer
        2 wrong usage
      """)

  @Flag(help: "ask whether the server is alive, not whether it is ready") var live = false
  @Option(
    help: ArgumentHelp("the time limit in seconds for the whole command", valueName: "SECONDS"))
  var timeout = 3
  @OptionGroup var admin: AdminOptions

  func validate() throws {
    guard (1...60).contains(timeout) else {
      throw ValidationError("--timeout must be from 1 to 60 seconds")
    }
  }

  func run() throws {
    Signal.ignoreBrokenPipes()
    do throws(AdminFault) {
      let client = AdminClient(addresses: try admin.addresses(), timeout: Int64(timeout) * 1000)
      let answer = try client.get(live ? "/livez" : "/readyz")
      let text = answer.text.hasSuffix("\n") ? answer.text : answer.text + "\n"
      writeToStandard(answer.status == 200 ? 1 : 2, text)
      if answer.status != 200 { throw .notReady }
    } catch {
      for line in error.lines { printError(line) }
      throw ExitCode.found
    }
  }
}
