/// The format of logs.
package enum LogFormat: String, Sendable, CaseIterable {
  /// Text for people, but JSON for an access log that does not go to a terminal.
  case auto
  /// One line for each event, for people.
  case text
  /// One JSON object on each line.
  case json
}

/// How much of a client's address the access log shows.
package enum LogAddresses: String, Sendable, CaseIterable {
  case full
  /// The first 24 bits of an IPv4 address, the first 48 of an IPv6 one: a network, not a person.
  case truncated
  case none
}

/// The least severe events in the server's log.
package enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warning, error
}
