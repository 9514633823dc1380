internal import Catalog
package import Diagnostics
internal import HTTP
internal import Logging
package import Settings

/// One event of the server's log. The log shows the event as a line of text or as a JSON object.
package struct LogEntry: Sendable {
  enum Content: Sendable {
    /// A fault in the user's files or settings, or on this machine.
    case diagnostic(Diagnostic)
    /// An event of the server.
    case message(String, metadata: Logger.Metadata)
    /// The number of diagnostics with this code that were not logged.
    case more(Int, code: String)
    /// The number of events of one kind that were not logged. `to` is the message of an event of
    /// this kind that was logged.
    case alike(Int, to: String)
  }

  /// The kind of an event. Events of the same kind are counted together.
  enum Kind: Sendable, Hashable {
    case code(String)
    /// The position in the source code at which the event is logged.
    case place(String, line: UInt)
    /// All kinds that are not counted separately, because `EventRates` has reached its maximum
    /// number of kinds.
    case others
  }

  let level: Logger.Level
  let content: Content

  init(_ level: Logger.Level, _ content: Content) {
    self.level = level
    self.content = content
  }

  package init(_ diagnostic: Diagnostic) {
    self.init(diagnostic.severity.logLevel, .diagnostic(diagnostic))
  }

  /// The message, without the level and the metadata. For `more`, only the code.
  var message: String {
    switch content {
    case .diagnostic(let diagnostic): diagnostic.message
    case .message(let message, _), .alike(_, let message): message
    case .more(_, let code): code
    }
  }

  /// Returns the entry as one line with its line end. Control characters are escaped.
  ///
  /// - Parameter time: Milliseconds since 1970. The text format omits the time, because log
  ///   collectors add it.
  package func line(as format: LogFormat, time: Int64) -> String {
    (format == .json ? json(time).description : escapingInvisible(text)) + "\n"
  }

  private var text: String {
    switch content {
    case .diagnostic(let diagnostic): diagnostic.line
    case .message(let message, let metadata):
      "\(level): \(message)" + Self.sorted(metadata).map { " \($0.key)=\($0.value)" }.joined()
    case .more(let count, let code): "… and \(count) more of this kind [\(code)]"
    case .alike(let count, let message): "\(level): … and \(count) more like this: \(message)"
    }
  }

  private func json(_ time: Int64) -> JSONTree {
    let members: [(String, JSONTree?)] =
      switch content {
      case .diagnostic(let diagnostic):
        diagnostic.members(.message, .code, .file, .line, .column, .help, .note)
      case .message(let message, let metadata):
        [("message", message.json)] + Self.sorted(metadata).map { ($0.key, $0.value.json) }
      case .more(let count, let code):
        [("message", "more of this kind"), ("code", code.json), ("repeated", count.json)]
      case .alike(let count, let message):
        [("message", message.json), ("repeated", count.json)]
      }
    let time = InternetDate.text(milliseconds: time).json
    return JSONTree([("time", time), ("level", level.rawValue.json)] + members)
  }

  private static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: String)] {
    metadata.map { (key: $0.key, value: $0.value.description) }.sorted { $0.key < $1.key }
  }
}

extension Diagnostic.Severity {
  fileprivate var logLevel: Logger.Level {
    switch self {
    case .note: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

extension LogLevel {
  var loggerLevel: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
