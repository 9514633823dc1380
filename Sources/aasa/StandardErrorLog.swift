internal import Diagnostics
package import Logging
internal import Posix

/// The server's log on the standard error stream: one line for each event.
package struct StandardErrorLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel = Logger.Level.info

  package init() {}

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    writeToStandard(2, escapingControls("\(event.level): \(event.message)") + "\n")
  }
}
