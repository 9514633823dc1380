/// How logs are written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// Text for people; an access log that does not go to a terminal is JSON.
  case auto
  /// One line for each event, for people.
  case text
  /// One JSON object on each line.
  case json
}

/// The least severe events that the server's log has.
package enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warning, error
}
