internal import Checking
internal import Diagnostics
internal import HTTP
internal import Posix
internal import Synchronization

/// Runs the tunnel program while `aasa dev` runs. If the program ends, starts it again. When `aasa
/// dev` exits, kills the program's process group.
final class Tunnel: Sendable {
  private let choice: TunnelChoice
  private let port: UInt16
  /// The public name that the user gave; nil if the user gave no name. If the user gave a name, the
  /// tunnel program's output is not searched for a name.
  private let fixedHost: String?
  private let state: DevState
  private let check: PublicCheck
  private let child = Mutex<ChildProgram?>(nil)
  private let thread: StoppableThread

  init(
    _ choice: TunnelChoice, port: UInt16, fixedHost: String?, state: DevState, check: PublicCheck
  ) throws(SystemError) {
    thread = try StoppableThread()
    self.choice = choice
    self.fixedHost = fixedHost
    self.port = port
    self.state = state
    self.check = check
  }

  func start() throws(SystemError) {
    guard let program = choice.program(port: port) else {
      if let fixedHost { check.start(fixedHost) }
      return
    }
    try thread.start(named: "tunnel") { [self] in run(program) }
  }

  /// Asks the tunnel program to end. Kills the program if it does not end within
  /// `DevLimits.ending`.
  func stop() {
    check.stop()
    thread.stop()
    child.withLock { $0 }?.terminate()
    if thread.hasEnded(withinMilliseconds: DevLimits.ending) { return }
    kill()
    _ = thread.hasEnded(withinMilliseconds: DevLimits.ending)
  }

  /// Kills the tunnel program immediately.
  func kill() { child.withLock { $0 }?.kill() }

  // MARK: The thread that runs the tunnel program

  private func run(_ program: (path: String, arguments: [String])) {
    var pause = DevLimits.firstPause
    while !thread.isStopping {
      let began = Clock.monotonicMilliseconds()
      let (reason, hadName) = runOnce(program)
      if thread.isStopping { return }
      if Clock.monotonicMilliseconds() - began > DevLimits.goodLife { pause = DevLimits.firstPause }
      let seconds = "\(pause / 1_000) s"
      check.stop()
      state.changeSite { site in
        site.host = fixedHost
        site.origin = fixedHost.map { "https://" + $0 }
        site.problem = nil
        site.state = hadName ? .starting : .failed
        site.message = "\(choice.programName) \(reason); starting it again in \(seconds)"
      }
      if !thread.pause(milliseconds: pause) { return }
      pause = min(pause * 2, DevLimits.longestPause)
    }
  }

  /// Runs the tunnel program once. Returns how the program ended, as a part of a sentence, and
  /// whether the tunnel had a public name.
  private func runOnce(
    _ program: (path: String, arguments: [String])
  ) -> (reason: String, hadName: Bool) {
    let child: ChildProgram
    do throws(SystemError) {
      child = try ChildProgram(program.path, program.arguments)
    } catch {
      return ("cannot be started: \(error.reason)", false)
    }
    self.child.withLock { $0 = child }
    // If `stop` was called before the child process existed, end the child process now.
    if thread.isStopping { child.terminate() }
    if let fixedHost { opened("https://" + fixedHost) }
    var output = TunnelOutput(choice)
    var hadName = fixedHost != nil
    while true {
      let bytes = child.read()
      let origin = bytes.isEmpty ? output.end() : output.take(bytes)
      if let origin, fixedHost == nil {
        hadName = true
        opened(origin)
      }
      if bytes.isEmpty { break }
    }
    let end = child.wait()
    self.child.withLock { $0 = nil }
    let words = visibleText(output.lastLine.utf8, limit: DevLimits.shownBytes)
    return ("ended \(end)" + (words.isEmpty ? "" : " (\(words))"), hadName)
  }

  private func opened(_ origin: String) {
    guard !thread.isStopping, let target = try? HostTarget(origin) else { return }
    state.changeSite { site in
      site.host = target.host
      site.origin = origin
      site.state = .open
      site.message = nil
      site.problem = nil
    }
    check.start(target.host)
  }
}
