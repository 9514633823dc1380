package import ArgumentParser
internal import Client
internal import Diagnostics
internal import Hosting
internal import JSON
internal import Posix

/// `aasa wait`
package struct WaitCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until a domain, or Apple's CDN, has the right file: a gate for releases.",
    discussion: """
      Asks again and again, the server every ten seconds, Apple's CDN no sooner than its copy may \
      change (max-age less Age). Files are compared by what they mean for users.

      EXAMPLES:
        aasa wait example.com --until reachable --timeout 10m
        aasa wait example.com --until origin-matches --file site.json
        aasa wait example.com --until cdn-matches          # as the server's file
        aasa wait example.com --until cdn-matches --file site.json --timeout 48h

      EXIT CODES:
        0 it is so, 124 it was not within the time, 2 wrong usage
      """)

  @Argument(help: "a host, such as example.com") var domain: String
  @Option(help: ArgumentHelp("reachable, origin-matches or cdn-matches", valueName: "WHAT"))
  var until: WaitGoal
  @Option(
    help: ArgumentHelp(
      "the association file that is waited for (for cdn-matches default: the server's)",
      valueName: "FILE"))
  var file: String?
  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp("how long it is waited (default: 48h)", valueName: "TIME"))
  var patience: String = "48h"
  @OptionGroup var client: WaitClientOptions
  @Option(help: ArgumentHelp("ask this instead of Apple's CDN", valueName: "URL")) var cdn: String?
  @Flag(help: "say nothing while waiting") var quiet = false

  package init() {}

  package func validate() throws {
    _ = try HostTarget(domain)
    if let cdn { _ = try CDNAddress(cdn) }
    if until == .originMatches && file == nil {
      throw ValidationError("--until origin-matches needs --file: what is waited for?")
    }
    if until == .reachable && file != nil {
      throw ValidationError("--until reachable takes any file; write origin-matches with --file")
    }
    guard milliseconds(ofDuration: patience, in: 1...30 * 86_400_000) != nil else {
      throw ValidationError("--timeout \(patience) is no time up to 720h, such as 48h")
    }
  }

  package func run() throws {
    var wanted: Document?
    if let file {
      guard let document = readAssociation(file) else { throw ExitCode.usage }
      wanted = document
    }
    let patience = milliseconds(ofDuration: patience, in: 1...30 * 86_400_000) ?? 0
    var waiting = Waiting(
      target: try HostTarget(domain), settings: try client.options.settings(),
      cdn: try CDNAddress(cdn ?? CDNAddress.apple), isApple: cdn == nil, goal: until,
      wanted: wanted)
    let deadline = Deadline(afterMilliseconds: Int64(patience))
    var told = ""
    while true {
      let state = waiting.ask()
      if state.isReached {
        writeToStandard(1, escapingControls("\(domain): \(state.words)") + "\n")
        return
      }
      if !quiet, state.words != told {
        printError(escapingControls("waiting: \(domain): \(state.words)"))
      }
      told = state.words
      // What cannot change before the end need not be waited for, but for the clock of the CDN.
      let pause = min(state.pause, deadline.millisecondsLeft)
      if deadline.isOver { break }
      Thread.pause(milliseconds: Int32(clamping: max(pause, 1)))
    }
    printError(
      escapingControls("error: \(domain): not within \(self.patience): \(told)"))
    throw ExitCode(124)
  }
}

/// How the server is asked, without the time for one answer: `--timeout` is that for all.
struct WaitClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "trust the certificates of this PEM file, instead of the system's", valueName: "FILE"))
  var ca: String?
  @Option(
    help: ArgumentHelp(
      "connect to this address instead of the host's own: before DNS moves", valueName: "IP:PORT"))
  var origin: String?

  var options: ClientOptions {
    get throws {
      var options = try ClientOptions.parse([])
      options.ca = ca
      options.origin = origin
      return options
    }
  }
}

/// What is waited for.
enum WaitGoal: String, ExpressibleByArgument, CaseIterable, Sendable {
  case reachable
  case originMatches = "origin-matches"
  case cdnMatches = "cdn-matches"
}
