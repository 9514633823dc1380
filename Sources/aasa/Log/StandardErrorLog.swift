internal import Logging

/// Hands events of swift-log to the server's log. Events from one place in the program are one kind.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let log: ServerLog

  init(_ log: ServerLog) {
    self.log = log
    logLevel = log.level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
    let entry = LogEntry(event.level, .message("\(event.message)", metadata: metadata))
    log.tell(entry, .place(event.file, line: event.line))
  }
}
