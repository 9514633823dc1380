internal import Diagnostics
internal import Issuance
internal import Logging
internal import Posix
internal import Server
internal import Settings

/// The reason why a server does not start.
package struct StartFault: Error {
  /// The log entries that describe the reason.
  package let entries: [LogEntry]
  /// The exit code: 2 if a setting is wrong, otherwise 1.
  let exitCode: Int32

  init(_ diagnostic: Diagnostic, exitCode: Int32 = 1) {
    entries = [LogEntry(diagnostic)]
    self.exitCode = exitCode
  }

  /// Makes the fault of a setting whose value is the path of an unusable file.
  init(_ setting: String, _ path: String, _ reason: String) {
    // Omit the general help of the kind, because the reason describes the fault of this file.
    self.init(
      Diagnostic(
        .settingFileUnusable, "the file of \(setting) cannot be used: \(reason)",
        at: .init(path: path)
      ).withoutHelp, exitCode: 2)
  }

  init(_ error: any Error) {
    switch error {
    case let fault as StartFault: self = fault
    case let fault as StateFault: self.init(fault.diagnostic)
    case ServerError.accessLog(let error): self.init(diagnostic(ofAccessLog: error))
    case let error as ServerError: self.init(sentences: faults(of: error))
    default: self.init(sentences: ["\(error)"])
    }
  }

  private init(sentences: [String]) {
    entries = sentences.map { LogEntry(.error, .message($0, metadata: [:])) }
    exitCode = 1
  }
}

/// Calls `work` with a new log. If `work` throws an error, logs the error. Returns the exit code.
///
/// - Parameter failure: The exit code for a fault; nil to use the exit code of the fault.
func withLog(
  _ configuration: Configuration, failure: Int32? = nil, _ work: (ServerLog) throws -> Int32
) -> Int32 {
  let log: ServerLog
  do throws(SystemError) {
    log = try ServerLog(configuration.logFormat, configuration.logLevel)
  } catch {
    writeToStandard(2, escapingInvisible("error: \(error)") + "\n")
    return failure ?? 1
  }
  defer { log.close() }
  do {
    return try work(log)
  } catch {
    let fault = StartFault(error)
    log.report(fault)
    return failure ?? fault.exitCode
  }
}
