internal import LibC
internal import Synchronization

/// A child process that runs another program. The program leads its own process group, so that the
/// program and all its children can be killed together. The program's standard input is empty.
/// `read` returns what the program writes to standard output and standard error.
///
/// A guard process, which is a shell in a separate process group, reads from a pipe. Only the
/// parent process has the pipe open for writing. When the parent process ends, even by SIGKILL, the
/// pipe closes, and the guard kills the program's group.
package final class ChildProgram: Sendable {
  package let identifier: Int32
  private let output: FileDescriptor
  private let guardIdentifier: Int32
  /// Our end of the guard's pipe. Nothing is written to the pipe. When this end is closed, the
  /// guard kills the program's group.
  private let leash: FileDescriptor
  /// Whether the program has ended and `wait` has collected its status. From then on, another
  /// process may get the program's process ID.
  private let isOver = Mutex(false)

  /// Starts the program at `path`.
  ///
  /// Throws the error of `posix_spawn`, whose text contains the path.
  package init(_ path: String, _ arguments: [String]) throws(SystemError) {
    let ends = try FileDescriptor.pipe()
    output = FileDescriptor(owning: ends.reading)
    let writing = FileDescriptor(owning: ends.writing)
    let leashEnds = try FileDescriptor.pipe()
    leash = FileDescriptor(owning: leashEnds.writing)
    let held = FileDescriptor(owning: leashEnds.reading)
    identifier = try spawn(path, arguments, output: writing.rawValue)
    do throws(SystemError) {
      guardIdentifier = try spawn(
        "/bin/sh", ["-c", "read -r line; kill -s KILL -- -\(identifier)"], input: held.rawValue)
    } catch {
      _ = killGroup(identifier, SIGKILL)
      _ = reap(identifier)
      throw error
    }
  }

  /// Waits for output or for the program's end. Returns no bytes after the end, even if the
  /// program's children keep the streams open.
  package func read(atMost count: Int = 4_096) -> [UInt8] {
    while !output.waitUntilReady(forWriting: false, until: Deadline(afterMilliseconds: 200)) {
      if hasEnded { return [] }
    }
    var bytes = [UInt8](repeating: 0, count: count)
    let number = output.rawValue
    let (received, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
      retrying { unsafe readBytes(number, buffer.baseAddress, buffer.count) }
    }
    return code == 0 ? Array(bytes.prefix(received)) : []
  }

  /// Whether the program has ended. Does not wait.
  private var hasEnded: Bool {
    var information = unsafe siginfo_t()
    let (_, code) = retrying {
      unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | WNOHANG)
    }
    // If the program is still running, waitid(2) leaves the structure unchanged, so all its fields
    // are zero.
    let sender = unsafe information.si_signo
    return code != 0 || sender == SIGCHLD
  }

  /// Asks the program and its children to exit (SIGTERM).
  package func terminate() { signal(SIGTERM) }

  /// Kills the program and its children (SIGKILL).
  package func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    isOver.withLock { isOver in
      if !isOver { _ = killGroup(identifier, number) }
    }
  }

  /// Waits for the program's end, then kills the other processes in the program's group. Call it
  /// once.
  ///
  /// Returns how the program ended, in words for the middle of a sentence, such as `with exit code
  /// 1`.
  package func wait() -> String {
    var information = unsafe siginfo_t()
    // The program's process ID is also the ID of its group. The system does not use this ID again
    // before the program is reaped below.
    _ = retrying {
      unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
    }
    let status = isOver.withLock { isOver in
      _ = killGroup(identifier, SIGKILL)
      // Kill the guard before its status is collected. Until then, no other group can have the
      // guard's process ID.
      _ = killGroup(guardIdentifier, SIGKILL)
      _ = reap(guardIdentifier)
      isOver = true
      return reap(identifier)
    }
    let number = status & 0x7F
    return number == 0 ? "with exit code \(status >> 8 & 0xFF)" : "by signal \(number)"
  }
}

/// Finds a program by name as a shell does; nil if there is no such program.
///
/// - Parameter path: Folders separated by colons, as in the variable PATH.
package func programPath(_ name: String, searching path: String) -> String? {
  path.split(separator: ":").lazy.map { $0 + "/" + name }.first {
    unsafe access($0, X_OK) == 0 && (try? status($0).kind) == .regular
  }
}

private func killGroup(_ group: Int32, _ number: Int32) -> Int32 { kill(-group, number) }

/// Waits for the end of a child, and returns its status.
private func reap(_ child: Int32) -> Int32 {
  var status: Int32 = 0
  _ = retrying { unsafe waitpid(child, &status, 0) }
  return status
}

private func readBytes(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, bytes, count)
}

private func spawn(
  _ path: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil
) throws(SystemError) -> Int32 {
  #if os(Linux)
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #else
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
  #endif
  _ = unsafe posix_spawn_file_actions_init(&actions)
  _ = unsafe posix_spawnattr_init(&attributes)
  defer {
    _ = unsafe posix_spawn_file_actions_destroy(&actions)
    _ = unsafe posix_spawnattr_destroy(&attributes)
  }
  if let input {
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  for number: Int32 in 1...2 {
    if let output {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, output, number)
    } else {
      _ = unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
  }
  // The child starts without blocked or ignored signals.
  var signals = sigset_t()
  _ = unsafe sigemptyset(&signals)
  _ = unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  _ = unsafe sigfillset(&signals)
  _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  _ = unsafe posix_spawnattr_setpgroup(&attributes, 0)
  _ = unsafe posix_spawnattr_setflags(
    &attributes,
    Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))

  var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
  unsafe words.append(nil)
  defer { for index in unsafe words.indices { unsafe free(words[index]) } }
  var identifier: pid_t = 0
  let code = unsafe posix_spawn(
    &identifier, path, &actions, &attributes, words, aasa_environment())
  guard code == 0 else { throw SystemError("posix_spawn", path, code: code) }
  return identifier
}
