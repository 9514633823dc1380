internal import Bytes
internal import Catalog
package import Checking
internal import Client
package import Diagnostics
internal import Keeping
internal import Posix
internal import Server
internal import TLS

/// The options of one run of `aasa dev`.
package struct DevPlan: Sendable {
  package enum Source: Sendable {
    case file(String)
    /// The text of an association file that was generated from the command line.
    case made(String)

    package var path: String? {
      if case .file(let path) = self { return path }
      return nil
    }
  }

  package let source: Source
  let tunnel: TunnelChoice
  let client: ClientSettings
  package var port: UInt16 = 0
  package var inspectorPort: UInt16 = 0
  /// The public name that the user gave; nil if the user gave no name.
  package var host: String?
  package var appStoreID: String?
  package var cases = ""
  /// The address of Apple's CDN; nil to send no request to the CDN.
  package var cdn: CDNAddress?

  package init(source: Source, tunnel: TunnelChoice, client: ClientSettings) {
    self.source = source
    self.tunnel = tunnel
    self.client = client
  }

  /// The errors in a file that was generated from the command line. Empty if the user gave a file,
  /// because the user can fix that file while `aasa dev` runs.
  package var faults: [Diagnostic] {
    if source.path != nil { return [] }
    let found = examine()
    return found.version == nil ? found.diagnostics.filter { $0.severity == .error } : []
  }
}

/// Runs `aasa dev` until a signal ends it. Returns the exit code.
package func develop(_ plan: DevPlan, _ environment: [String: String]) -> Int32 {
  // Block signals before any thread starts, so that every thread inherits the mask.
  Signal.blockAll()
  do throws(SystemError) {
    let site = try listen(plan.port, limits: .developmentSite)
    let inspector = try listenAnywhere(plan.inspectorPort)
    let running = try RunningPlan(plan, site, inspector, environment)
    try running.start()
    running.waitForEnd()
    // Exit without cleanup: a fetch may still be in progress, and a normal exit would free
    // OpenSSL's data during the fetch.
    exitImmediately(0)
  } catch {
    let help =
      error.isAddressInUse
      ? "; stop the program that uses this port, or choose another port with --port" : ""
    printError("error: \(error)\(help)")
    return 1
  }
}

private func listen(_ port: UInt16, limits: PageLimits) throws(SystemError) -> PageListener {
  try PageListener([SocketAddress(.loopbackIPv4, port: port)], limits: limits)
}

/// Opens the inspector's listener. If the given port is in use, chooses another port.
private func listenAnywhere(_ port: UInt16) throws(SystemError) -> PageListener {
  do throws(SystemError) {
    return try listen(port, limits: .inspector)
  } catch {
    guard error.isAddressInUse else { throw error }
    return try listen(0, limits: .inspector)
  }
}

/// The objects that do the work of `aasa dev`: two listeners, a file follower and a tunnel.
private struct RunningPlan {
  private let state: DevState
  private let terminal: DevTerminal
  private let site: PageListener
  private let inspector: PageListener
  private let follower: FileFollower
  private let tunnel: Tunnel
  private let publicSite: PublicSite
  private let inspectorPages: Inspector
  private let known: [FileStatus?]

  init(
    _ plan: DevPlan, _ site: PageListener, _ inspector: PageListener,
    _ environment: [String: String]
  ) throws(SystemError) {
    let port = site.addresses.first?.port ?? plan.port
    let inspectorPort = inspector.addresses.first?.port ?? plan.inspectorPort
    let terminal = DevTerminal(environment)
    var siblings = SiblingFiles(beside: plan.source.path)
    let paths = (plan.source.path.map { [$0] } ?? []) + [plan.cases] + siblings.paths
    known = paths.map { try? status($0) }
    let found = plan.examine()
    var facts = DevFacts(
      version: found.version, path: plan.source.path, source: found.source,
      diagnostics: found.diagnostics,
      site: PublicName(
        host: plan.host, origin: plan.host.map { "https://" + $0 }, tunnel: plan.tunnel.name,
        state: plan.tunnel.isNone ? (plan.host == nil ? .none : .open) : .starting,
        message: plan.host == nil || !plan.tunnel.isNone ? plan.tunnel.message(port) : nil))
    facts.cases = readCases(plan.cases)
    for diagnostic in siblings.read() { printError(diagnostic.line) }
    facts.siblings = siblings
    if let fault = facts.faultOfPage { printError(fault.line) }
    let state = DevState(facts) { terminal.report($0) }
    self.state = state
    self.terminal = terminal
    self.site = site
    self.inspector = inspector
    let mark = randomBytes(16).hexText
    publicSite = PublicSite(state: state, appStoreID: plan.appStoreID, ownMark: mark)
    inspectorPages = Inspector(
      state: state, port: inspectorPort, cdn: CDNComparison(client: plan.client, address: plan.cdn))
    follower = try FileFollower(paths) { path in
      if path == plan.cases {
        state.take(readCases(path))
      } else if path == plan.source.path {
        state.take(plan.examine())
        if let fault = state.facts.faultOfPage { printError(fault.line) }
      } else {
        var siblings = state.facts.siblings
        for diagnostic in siblings.read(path) { printError(diagnostic.line) }
        state.take(siblings)
        if let fault = state.facts.faultOfPage { printError(fault.line) }
      }
    }
    let check = PublicCheck(client: plan.client, ownMark: mark, state: state)
    tunnel = try Tunnel(
      plan.tunnel, port: port, fixedHost: plan.host, state: state, check: check)
    terminal.begin(facts, port: port, inspectorPort: inspectorPort, cases: plan.cases)
  }

  func start() throws(SystemError) {
    let (publicSite, inspectorPages) = (publicSite, inspectorPages)
    try site.start(
      named: "site", refused: { publicSite.note(refused: $0, $1) }, { publicSite.answer($0) })
    try inspector.start(named: "inspector") { inspectorPages.answer($0) }
    try follower.start(known: known)
    try tunnel.start()
  }

  /// Waits for a signal that ends the process, for example because the user presses Ctrl-C or
  /// closes the terminal. A second signal ends the process immediately.
  func waitForEnd() {
    while Signal.wait() == .user1 {}
    let (tunnel, waiting) = (tunnel, try? Thread(named: "ending", endAtOnce(tunnel)))
    tunnel.stop()
    follower.stop()
    site.stop()
    inspector.stop()
    _ = waiting
  }
}

private func endAtOnce(_ tunnel: Tunnel) -> @Sendable () -> Void {
  {
    while Signal.wait() == .user1 {}
    tunnel.kill()
    exitImmediately(1)
  }
}

extension DevPlan {
  /// Examines the association file of this run: the user's file, or the text that was generated
  /// from the command line.
  func examine() -> Examination {
    let now = Clock.wallMilliseconds()
    switch source {
    case .made(let text):
      return Examination(SourceText(path: "--app", bytes: Array(text.utf8)), now: now)
    case .file(let path):
      do throws(SystemError) {
        let file = try ForeignFile(
          reading: path, limit: DevLimits.fileBytes, in: parentFolder(path))
        return Examination(
          SourceText(path: path, bytes: file.content.bytes), of: file, now: now)
      } catch {
        return Examination(unreadable: SourceText(path: path, bytes: []), error)
      }
    }
  }
}

/// Reads the case file. If the file cannot be read, prints a warning and uses an empty list.
private func readCases(_ path: String) -> CaseList {
  do throws(SystemError) {
    let list = try CaseList(reading: path)
    for diagnostic in list.diagnostics { printError(diagnostic.line) }
    return list
  } catch {
    printError("warning: cannot read \(path): \(error.reason)")
    return CaseList(path: path)
  }
}
