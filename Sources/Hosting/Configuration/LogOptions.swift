/// How logs are written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// Text for people; an access log that does not go to a terminal is JSON.
  case auto
  /// One line for each event, for people.
  case text
  /// One JSON object on each line.
  case json
}

/// How much of a client's address the access log has.
package enum LogAddresses: String, Sendable, CaseIterable {
  case full
  /// The network: the first 24 bits of an IPv4 address, the first 48 of an IPv6 one.
  case truncated
  case none
}

/// The least severe events that the server's log has.
package enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warning, error
}
