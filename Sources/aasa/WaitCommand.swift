internal import ArgumentParser
internal import Checking
internal import Diagnostics
internal import Posix
internal import Settings

struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until a domain or Apple's CDN has the right file.",
    discussion: """
      Asks every address of the domain repeatedly. With --until cdn-matches, asks Apple's CDN \
      whenever its copy expires (after max-age minus Age), and with --file only the CDN. Files are compared by what they mean for users. After each \
      change, and at least once a minute, prints what is still missing.

      EXAMPLES:
        aasa wait example.com --until reachable --timeout 10m
        aasa wait example.com --until origin-matches --file site.json --interval 2s
        aasa wait a.example b.example --until reachable --url /buy/42
        aasa wait example.com --until cdn-matches   # the same file as the server's
        aasa wait example.com --until cdn-matches --file site.json --timeout 48h

      EXIT CODES:
        0 every domain has the right file
        2 wrong usage
        124 at least one domain did not have the right file in time
      """)

  @Argument(help: ArgumentHelp("hosts, such as example.com", valueName: "domain"))
  var domains: [String]
  @Option(
    help: ArgumentHelp(
      "the state to wait for: reachable (the server has a file without errors), origin-matches "
        + "(the server has the file of --file) or cdn-matches (Apple's CDN has the expected file)",
      valueName: "WHAT"))
  var until: WaitGoal
  @Option(
    help: ArgumentHelp(
      "the expected association file; origin-matches needs it (default for cdn-matches: the "
        + "server's file)",
      valueName: "FILE"))
  var file: String?
  @Option(
    help: ArgumentHelp(
      "the server's file must list this app in any service; with SERVICE:ID, in this service "
        + "(repeatable)",
      valueName: "ID"))
  var expect: [String] = []
  @Option(
    help: ArgumentHelp(
      "the server's file must let this URL or path open the app (repeatable)",
      valueName: "URL"))
  var url: [String] = []
  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "how long to wait (default: 10m; 48h for cdn-matches)", valueName: "TIME"))
  var patience: String?
  @Option(
    help: ArgumentHelp("the time between two checks of a server", valueName: "TIME"))
  var interval: String = "10s"
  @OptionGroup var server: ServerChoice
  @Option(help: ArgumentHelp("the CDN to ask instead of Apple's", valueName: "URL"))
  var cdn: String?
  @Flag(help: "print a JSON object for each state, one on each line") var json = false
  @Flag(help: "print nothing while waiting") var quiet = false

  func validate() throws {
    if domains.isEmpty { throw ValidationError("give a domain, such as example.com") }
    for domain in domains { _ = try parsing(CheckSubject(domain)) }
    if let cdn { _ = try parsing(CDNAddress(cdn)) }
    for text in expect {
      if let fault = Requirements.fault(ofApp: text) {
        throw ValidationError("--expect \(text): \(fault)")
      }
    }
    if until == .originMatches && file == nil {
      throw ValidationError("--until origin-matches needs --file")
    }
    if until == .reachable && file != nil {
      throw ValidationError(
        "--until reachable accepts any file; with --file, write --until origin-matches")
    }
    if until == .cdnMatches && file != nil && !(expect.isEmpty && url.isEmpty) {
      throw ValidationError(
        "--expect and --url check the server's file, but --file replaces that file: leave --file "
          + "out")
    }
    if let patience, milliseconds(ofDuration: patience, in: Self.patienceRange) == nil {
      throw ValidationError("--timeout \(patience) is not a time up to 720h, such as 48h")
    }
    if milliseconds(ofDuration: interval, in: Self.intervalRange) == nil {
      throw ValidationError("--interval \(interval) is not a time from 100ms to 1h, such as 5s")
    }
  }

  private static let patienceRange = 1...30 * 86_400_000
  private static let intervalRange = 100...3_600_000

  func run() throws {
    var requirements = Requirements(apps: expect, urls: url)
    if let file {
      guard let document = readAssociation(file) else { throw ExitCode.usage }
      requirements.file = document
    }
    let settings = try server.settings(timeout: nil)
    let address = try parsing(CDNAddress(cdn ?? CDNAddress.apple))
    let interval = milliseconds(ofDuration: interval, in: Self.intervalRange) ?? 10_000
    let waits = try domains.map { domain in
      Waiting(
        subject: try parsing(CheckSubject(domain)), settings: settings, cdn: address,
        isApple: cdn == nil,
        goal: until, requirements: requirements, interval: Int64(interval))
    }
    let patience = patience ?? (until == .cdnMatches ? "48h" : "10m")
    let limit = milliseconds(ofDuration: patience, in: Self.patienceRange) ?? 0
    var round = WaitRound(Array(zip(domains, waits)), limit: Int64(limit)) {
      domain, state, isLast in
      report(domain, state, isLast: isLast, patience)
    }
    if !round.run() { throw ExitCode(124) }
  }

  private func report(_ domain: String, _ state: Waiting.State, isLast: Bool, _ patience: String) {
    if json {
      let object: JSONTree = [
        "domain": domain.json, "reached": state.isReached.json, "state": state.words.json,
        "timedOut": isLast.json,
      ]
      if state.isReached || isLast || !quiet { writeToStandard(1, "\(object)\n") }
    } else if state.isReached {
      writeToStandard(1, escapingInvisible("\(domain): \(state.words)") + "\n")
    } else if isLast {
      printError("error: \(domain): the goal was not reached within \(patience): \(state.words)")
    } else if !quiet {
      printError("waiting: \(domain): \(state.words)")
    }
  }
}

extension WaitGoal: ExpressibleByArgument {}
