internal import Checking
internal import Diagnostics
internal import HTTP
internal import Posix
internal import Synchronization

/// Runs the tunnel program for as long as `aasa dev` runs: starts it again when it ends, and ends
/// it at the end, with all its children.
final class Tunnel: Sendable {
  private struct Running {
    var child: ChildProgram?
    var isStopping = false
  }

  private let choice: TunnelChoice
  private let port: UInt16
  /// The public name, if it is known from the start: then the program's output does not matter.
  private let fixedHost: String?
  private let state: DevState
  private let check: PublicCheck
  private let running = Mutex(Running())
  private let thread = Mutex<Thread?>(nil)

  init(
    _ choice: TunnelChoice, port: UInt16, fixedHost: String?, state: DevState, check: PublicCheck
  ) {
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
    let started = try Thread(named: "tunnel") { [self] in run(program) }
    thread.withLock { $0 = started }
  }

  /// Asks the program to end, and kills it if it does not.
  func stop() {
    check.stop()
    let child = running.withLock { running -> ChildProgram? in
      running.isStopping = true
      return running.child
    }
    guard let thread = thread.withLock({ $0 }) else { return }
    child?.terminate()
    let deadline = Deadline(afterMilliseconds: DevLimits.ending)
    while isRunning, !deadline.isOver { Thread.pause(milliseconds: 10) }
    kill()
    thread.join()
  }

  /// Ends the program at once.
  func kill() { running.withLock { $0.child }?.kill() }

  private var isRunning: Bool { running.withLock { $0.child != nil } }
  private var isStopping: Bool { running.withLock { $0.isStopping } }

  // MARK: The thread

  private func run(_ program: (path: String, arguments: [String])) {
    var pause = DevLimits.firstPause
    while !isStopping {
      let began = Clock.monotonicMilliseconds()
      let (reason, hadName) = runOnce(program)
      if isStopping { return }
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
      let deadline = Deadline(afterMilliseconds: pause)
      while !deadline.isOver, !isStopping { Thread.pause(milliseconds: 20) }
      pause = min(pause * 2, DevLimits.longestPause)
    }
  }

  /// Returns how it ended, for a sentence, and whether it had a public name before.
  private func runOnce(
    _ program: (path: String, arguments: [String])
  ) -> (reason: String, hadName: Bool) {
    let child: ChildProgram
    do throws(SystemError) {
      child = try ChildProgram(program.path, program.arguments)
    } catch {
      return ("cannot be started: \(error.reason)", false)
    }
    let isTooLate = running.withLock { running in
      running.child = child
      return running.isStopping
    }
    if isTooLate { child.terminate() }
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
    running.withLock { $0.child = nil }
    let words = visibleText(output.lastLine.utf8, limit: DevLimits.shownBytes)
    return ("ended \(end)" + (words.isEmpty ? "" : " (\(words))"), hadName)
  }

  private func opened(_ origin: String) {
    guard !isStopping, let target = try? HostTarget(origin) else { return }
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
