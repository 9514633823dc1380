import Foundation
import Synchronization

/// A running program, whose output is gathered, so that it never waits for us.
final class ChildProcess: Sendable {
  let identifier: pid_t
  private let input: Mutex<Int32>
  private let state = Mutex(State())
  private let end = DispatchGroup()

  struct State: Sendable {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// As in a shell: 128 and the number for a signal.
    var exitCode: Int32?
    /// The pipes; -1 when all is read.
    fileprivate var descriptors: [Int32] = [-1, -1]

    /// Takes what has been written and not yet read.
    ///
    /// - Parameter closes: closes pipes that have ended: only the thread that waits for them may.
    fileprivate mutating func gather(closes: Bool = false) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      for index in descriptors.indices where descriptors[index] >= 0 {
        var count = 0
        repeat {
          count = read(descriptors[index], &buffer, buffer.count)
          if count > 0 {
            if index == 0 { output += buffer[..<count] } else { errors += buffer[..<count] }
          }
        } while count > 0 || count < 0 && errno == EINTR
        if closes && (count == 0 || errno != EAGAIN) {
          close(descriptors[index])
          descriptors[index] = -1
        }
      }
    }
  }

  /// Between the making of a pipe and the start of a child no other child may be started: it would
  /// inherit the pipe and keep it open.
  private static let starting = Mutex(())

  /// - Parameters:
  ///   - environment: added to that of the tests, without the program's own variables in it. There
  ///     is not an admin listener unless it is asked for: all servers would want the same port.
  ///   - folder: in which it runs.
  ///   - hasInput: leaves its standard input open, for `send`.
  init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    folder: String? = nil, hasInput: Bool = false
  ) throws {
    var all = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AASA_") }
    all["AASA_ADMIN"] = "none"
    // Most tests read the rest of standard output.
    if arguments.contains("serve") { all["AASA_ACCESS_LOG"] = "none" }
    all.merge(environment) { $1 }
    // Not every system can start a child in another folder; a shell can.
    let moving = folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
    let (identifier, pipes) = try Self.starting.withLock { _ in
      try Self.start(moving + [path] + arguments, all, hasInput: hasInput)
    }
    self.identifier = identifier
    input = Mutex(pipes.input)
    for end in [pipes.output, pipes.errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    state.withLock { $0.descriptors = [pipes.output, pipes.errors] }
    end.enter()
    Thread { [self] in gather() }.start()
  }

  /// With everything that it has written so far.
  var now: State {
    state.withLock { state in
      state.gather()
      return state
    }
  }
  var isRunning: Bool { now.exitCode == nil }

  /// Writes to its standard input.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    input.withLock { descriptor in
      if descriptor >= 0 { _ = write(descriptor, bytes, bytes.count) }
    }
  }

  func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  func signal(_ number: Int32) {
    // Not after its end, when the number may already be another's.
    state.withLock { if $0.exitCode == nil { kill(identifier, number) } }
  }

  /// Waits for its end; one that does not end is killed.
  func waitForExit(within duration: Duration = patience) throws -> Int32 {
    defer { closeInput() }
    let (seconds, attoseconds) = duration.components
    _ = end.wait(timeout: .now() + Double(seconds) + Double(attoseconds) / 1e18)
    if let code = now.exitCode { return code }
    signal(SIGKILL)
    throw Failure("process \(identifier) did not end within \(duration)")
  }

  // MARK: Starting

  private struct Pipes {
    var input: Int32 = -1
    var output: Int32 = -1
    var errors: Int32 = -1
  }

  private static func start(
    _ arguments: [String], _ environment: [String: String], hasInput: Bool
  ) throws -> (pid_t, Pipes) {
    let output = try makePipe()
    let errors = try makePipe()
    let input = hasInput ? try makePipe() : (reading: open("/dev/null", O_RDONLY), writing: -1)
    defer { for end in [output.writing, errors.writing, input.reading] { close(end) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var identifier: pid_t = 0
    let fault = posix_spawn(&identifier, arguments[0], &actions, &attributes, &words, &variables)
    guard fault == 0 else {
      for end in [output.reading, errors.reading, input.writing] where end >= 0 { close(end) }
      throw Failure("cannot start \(arguments[0]): \(String(cString: strerror(fault)))")
    }
    return (
      identifier, Pipes(input: input.writing, output: output.reading, errors: errors.reading)
    )
  }

  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  // MARK: Gathering

  private func gather() {
    var descriptors = state.withLock { $0.descriptors }
    while descriptors != [-1, -1] {
      var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&entries, nfds_t(entries.count), -1)
      descriptors = state.withLock { state in
        state.gather(closes: true)
        return state.descriptors
      }
    }
    var information = siginfo_t()
    // Its number stays ours until it has been taken under the lock.
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      waitpid(identifier, &status, 0)
      let signal = status & 0x7F
      state.exitCode = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
    end.leave()
  }
}

/// A program that ran to its end.
struct Finished: Sendable, CustomStringConvertible {
  let arguments: [String]
  let exitCode: Int32
  let output: [UInt8]
  let errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
  var description: String {
    "\(arguments.joined(separator: " ").prefix(400)): exit code \(exitCode)\n\(text)\(errors)"
  }
}

/// Runs a program to its end, with `input` on its standard input.
@discardableResult
func run(
  _ path: String, _ arguments: [String], environment: [String: String] = [:],
  folder: String? = nil, input: String? = nil
) throws -> Finished {
  let child = try ChildProcess(
    path, arguments, environment: environment, folder: folder, hasInput: input != nil)
  if let input {
    child.send(input)
    child.closeInput()
  }
  let code = try child.waitForExit()
  let state = child.now
  let faults =
    path == Server.program ? try OutputSchema.faults(in: state.output, of: arguments) : []
  if let fault = faults.first {
    throw Failure("\(arguments): the output is not what its schema says: \(fault)")
  }
  return Finished(
    arguments: arguments, exitCode: code, output: state.output,
    errors: String(decoding: state.errors, as: UTF8.self))
}
