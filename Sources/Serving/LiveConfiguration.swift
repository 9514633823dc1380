internal import Diagnostics
internal import Keeping
internal import Posix
internal import Server
internal import Settings
internal import Synchronization

/// The settings in force. After SIGHUP, this class reads server.json again, and applies the
/// settings that can change while the server runs.
final class LiveConfiguration: Sendable {
  private struct State {
    var inForce: Configuration
    /// The new values of settings that take effect only after a restart, keyed by setting.
    var waiting: [String: String] = [:]
    var isWanted = false
    var isReading = false
  }

  private let source: SettingSources
  private let hosting: @Sendable (Configuration) -> HostingOptions
  private let requests: MaintenanceRequests
  private let server: Server
  private let log: ServerLog
  private let state: Mutex<State>
  /// The threads that read server.json for `faultOfNextStart`.
  private let reading = HangTolerantPool()

  /// - Parameters:
  ///   - source: The sources of the configuration.
  ///   - hosting: Makes the options of `Maintenance` from a configuration.
  init(
    _ configuration: Configuration, from source: SettingSources, _ requests: MaintenanceRequests,
    _ server: Server, _ log: ServerLog,
    hosting: @escaping @Sendable (Configuration) -> HostingOptions
  ) {
    state = Mutex(State(inForce: configuration))
    self.source = source
    self.hosting = hosting
    self.requests = requests
    self.server = server
    self.log = log
  }

  var current: Configuration { state.withLock { $0.inForce } }

  /// The fault of server.json that would prevent the next start; nil if the server could start.
  /// Each access reads server.json. If the file system does not answer, the result is a fault that
  /// says so.
  var faultOfNextStart: String? {
    let inForce = current
    guard let next = reading.result(inForce.file, { self.resolution(after: inForce) }) else {
      return Diagnostic(
        .fileSystemSilent, "the file system does not answer", at: .init(path: inForce.file),
        help: "check the mount"
      ).line
    }
    return next.configuration == nil ? next.errors.first?.line : nil
  }

  private func resolution(
    after inForce: Configuration
  ) -> (configuration: Configuration?, errors: [Diagnostic]) {
    let resolution = source.resolution(file: inForce.file.isEmpty ? nil : inForce.file)
    return (resolution.configuration, resolution.diagnostics.filter { $0.severity == .error })
  }

  /// Reads server.json and then all other files again. Uses a separate thread, so that the caller
  /// does not wait for a slow file system.
  func reload() {
    let isReading = state.withLock { state in
      state.isWanted = true
      defer { state.isReading = true }
      return state.isReading
    }
    if isReading { return }
    do throws(SystemError) {
      _ = try Thread(named: "settings") { [self] in
        while takeWanted() { read() }
      }
    } catch {
      state.withLock { $0.isReading = false }
      log.report(error: "server.json cannot be read again: \(error)")
    }
  }

  private func takeWanted() -> Bool {
    state.withLock { state in
      state.isReading = state.isWanted
      state.isWanted = false
      return state.isReading
    }
  }

  /// Called only by the thread that reads the settings.
  private func read() {
    let (inForce, waiting) = state.withLock { ($0.inForce, $0.waiting) }
    let resolution = self.resolution(after: inForce)
    guard let next = resolution.configuration else {
      for var fault in resolution.errors {
        fault.note = fault.note ?? "all settings stay as they are"
        log.report(LogEntry(fault), nil)
      }
      return requests.reload()
    }
    let reload = inForce.taking(next, waiting: waiting)
    state.withLock { $0.waiting = reload.waiting }
    for diagnostic in reload.diagnostics { log.report(LogEntry(diagnostic), nil) }
    if reload.changed.isEmpty { return requests.reload() }
    state.withLock { $0.inForce = reload.configuration }
    log.level = reload.configuration.logLevel.loggerLevel
    server.take(reload.configuration.connections)
    requests.reload(hosting(reload.configuration))
    // Log the change last, because the new settings must be in force before the log says so.
    let name = next.file.split(separator: "/").last ?? "server.json"
    log.announce("\(name): \(listed(reload.changed.map(\.key))) changed\n")
  }
}

/// Joins words to a list for a sentence: `a, b and c`.
private func listed(_ words: [String]) -> String {
  if words.count < 2 { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
}
