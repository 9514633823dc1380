/// The format of logs.
package enum LogFormat: String, Sendable, CaseIterable {
  /// Text for people, except that an access log not going to a terminal is JSON.
  case auto
  /// One line for each event, for people.
  case text
  /// One JSON object on each line.
  case json
}

/// How much of a client's address the access log shows.
package enum LogAddresses: String, Sendable, CaseIterable {
  case full
  /// The first 24 bits of an IPv4 address or the first 48 of an IPv6 address: a network, not a
  /// person.
  case truncated
  case none
}

/// The least severe level that the server's log shows.
package enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warning, error
}
