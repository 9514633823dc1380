import Logging
import Synchronization

/// The lines of the server's log.
final class Messages: Sendable {
  fileprivate let all = Mutex<[String]>([])

  var lines: [String] { all.withLock { $0 } }

  var log: Logger { Logger(label: "test") { _ in Keeping(messages: self) } }
}

private struct Keeping: LogHandler {
  let messages: Messages
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { messages.all.withLock { $0.append("\(event.message)") } }
}
