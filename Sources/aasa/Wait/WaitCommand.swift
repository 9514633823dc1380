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
      Asks again and again, at every address of the domain; Apple's CDN no sooner than its copy \
      may change (max-age less Age). Files are compared by what they mean for users. A line tells \
      what is still missing: when that changes, and once a minute.

      EXAMPLES:
        aasa wait example.com --until reachable --timeout 10m
        aasa wait example.com --until origin-matches --file site.json --interval 2s
        aasa wait a.example b.example --until reachable --url /buy/42
        aasa wait example.com --until cdn-matches          # as the server's file
        aasa wait example.com --until cdn-matches --file site.json --timeout 48h

      EXIT CODES:
        0 it is so for every domain, 124 it was not within the time, 2 wrong usage
      """)

  @Argument(help: ArgumentHelp("hosts, such as example.com", valueName: "domain"))
  var domains: [String]
  @Option(help: ArgumentHelp("reachable, origin-matches or cdn-matches", valueName: "WHAT"))
  var until: WaitGoal
  @Option(
    help: ArgumentHelp(
      "the association file that is waited for (for cdn-matches default: the server's)",
      valueName: "FILE"))
  var file: String?
  @Option(
    help: ArgumentHelp(
      "the server's file must name this app (repeatable)", valueName: "ID"))
  var expect: [String] = []
  @Option(
    help: ArgumentHelp(
      "the server's file must permit this URL, or path, to open the app (repeatable)",
      valueName: "URL"))
  var url: [String] = []
  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "how long to wait (default: 10m; 48h for cdn-matches)", valueName: "TIME"))
  var patience: String?
  @Option(
    help: ArgumentHelp("the time between two looks at a server", valueName: "TIME"))
  var interval: String = "10s"
  @OptionGroup var client: WaitClientOptions
  @Option(help: ArgumentHelp("ask this instead of Apple's CDN", valueName: "URL")) var cdn: String?
  @Flag(help: "print a JSON object for each state, one on each line") var json = false
  @Flag(help: "say nothing while waiting") var quiet = false

  package init() {}

  package func validate() throws {
    if domains.isEmpty { throw ValidationError("name a domain, such as example.com") }
    for domain in domains { _ = try CheckSubject(domain) }
    if let cdn { _ = try CDNAddress(cdn) }
    if until == .originMatches && file == nil {
      throw ValidationError("--until origin-matches needs --file: what is waited for?")
    }
    if until == .reachable && file != nil {
      throw ValidationError("--until reachable takes any file; write origin-matches with --file")
    }
    if until == .cdnMatches && file != nil && !(expect.isEmpty && url.isEmpty) {
      throw ValidationError("--expect and --url are about the server's file: leave --file out")
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
  /// Milliseconds after which a state is reported again.
  static let heartbeat: Int64 = 60_000

  package func run() throws {
    var wishes = Wishes(apps: expect, urls: url)
    if let file {
      guard let document = readAssociation(file) else { throw ExitCode.usage }
      wishes.file = document
    }
    let settings = try client.options.settings()
    let address = try CDNAddress(cdn ?? CDNAddress.apple)
    let interval = milliseconds(ofDuration: interval, in: Self.intervalRange) ?? 10_000
    let waits = try domains.map { domain in
      Waiting(
        subject: try CheckSubject(domain), settings: settings, cdn: address, isApple: cdn == nil,
        goal: until, wishes: wishes, interval: Int64(interval))
    }
    let patience = patience ?? (until == .cdnMatches ? "48h" : "10m")
    let limit = milliseconds(ofDuration: patience, in: Self.patienceRange) ?? 0
    var round = WaitRound(Array(zip(domains, waits)), limit: Int64(limit)) {
      domain, state, isLast in
      tell(domain, state, isLast: isLast, patience)
    }
    if !round.run() { throw ExitCode(124) }
  }

  private func tell(_ domain: String, _ state: Waiting.State, isLast: Bool, _ patience: String) {
    if json {
      let object = jsonObject([
        ("domain", jsonString(domain)), ("reached", state.isReached ? "true" : "false"),
        ("state", jsonString(state.words)), ("timedOut", isLast ? "true" : "false"),
      ])
      if state.isReached || isLast || !quiet { writeToStandard(1, object + "\n") }
    } else if state.isReached {
      writeToStandard(1, escapingControls("\(domain): \(state.words)") + "\n")
    } else if isLast {
      printError(escapingControls("error: \(domain): not within \(patience): \(state.words)"))
    } else if !quiet {
      printError(escapingControls("waiting: \(domain): \(state.words)"))
    }
  }
}

/// Asks for several domains until all have what is waited for, or time is over.
private struct WaitRound {
  private struct Entry {
    /// As the user wrote it.
    let domain: String
    let waiting: Waiting
    var state: Waiting.State?
    /// Moments of the monotonic clock, in milliseconds.
    var nextLook: Int64 = 0
    var lastReport: Int64 = 0

    var isReached: Bool { state?.isReached ?? false }
  }

  private var entries: [Entry]
  private let deadline: Deadline
  private let tell: (String, Waiting.State, _ isLast: Bool) -> Void

  init(
    _ waits: [(String, Waiting)], limit: Int64,
    tell: @escaping (String, Waiting.State, Bool) -> Void
  ) {
    entries = waits.map { Entry(domain: $0, waiting: $1) }
    deadline = Deadline(afterMilliseconds: limit)
    self.tell = tell
  }

  /// Whether all was reached.
  mutating func run() -> Bool {
    while true {
      for index in entries.indices where !entries[index].isReached { look(index) }
      let open = entries.filter { !$0.isReached }
      if open.isEmpty { return true }
      if deadline.isOver { break }
      let now = Clock.monotonicMilliseconds()
      let next = open.map { min($0.nextLook, $0.lastReport + WaitCommand.heartbeat) }.min() ?? now
      let pause = min(next - now, deadline.millisecondsLeft)
      Thread.pause(milliseconds: Int32(clamping: max(pause, 1)))
    }
    for entry in entries {
      guard let state = entry.state, !state.isReached else { continue }
      tell(entry.domain, state, true)
    }
    return false
  }

  private mutating func look(_ index: Int) {
    let before = entries[index].state
    var now = Clock.monotonicMilliseconds()
    if now >= entries[index].nextLook {
      let state = entries[index].waiting.ask()
      now = Clock.monotonicMilliseconds()
      entries[index].state = state
      entries[index].nextLook = now + state.pause
    }
    guard let state = entries[index].state else { return }
    let isOld = now - entries[index].lastReport >= WaitCommand.heartbeat
    if state.isReached || state.words != before?.words || isOld {
      entries[index].lastReport = now
      tell(entries[index].domain, state, false)
    }
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
  @Option(
    help: ArgumentHelp(
      "connect to this address for this host and port (repeatable)", valueName: "HOST:PORT:IP"))
  var resolve: [String] = []

  var options: ClientOptions {
    get throws {
      var options = try ClientOptions.parse([])
      options.ca = ca
      options.origin = origin
      options.resolve = resolve
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
