internal import Logging

/// Passes events of swift-log to the server's log. Events from the same place in the program count
/// as one kind.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  /// The server log's own level, which may change.
  var logLevel: Logger.Level {
    get { log.level }
    set { log.level = newValue }
  }
  private let log: ServerLog

  init(_ log: ServerLog) {
    self.log = log
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
    let entry = LogEntry(event.level, .message("\(event.message)", metadata: metadata))
    log.report(entry, .place(event.file, line: event.line))
  }
}
