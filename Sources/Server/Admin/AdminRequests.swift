internal import HTTP
internal import Posix

/// Decides which requests the admin listener accepts, by their host and method.
struct AdminRequests: Sendable {
  /// The host names that clients may use for the listener, in lower case.
  let hosts: [String]

  /// Returns the response to a refused request; nil if the request is accepted.
  func refusal(_ request: PageRequest) -> PageAnswer? {
    // This check prevents DNS rebinding. A malicious page can point its own host name at this
    // listener's address, and make a browser send requests to this name. The browser then sends the
    // page's name as the host.
    if !isKnown(request.host) {
      return refusal(
        .misdirectedRequest,
        "the admin address does not accept this host: use an IP address or localhost, or add the "
          + "host with --admin-host"
      )
    }
    guard request.method == .get || request.method == .head else {
      return refusal(.methodNotAllowed, "only GET and HEAD are answered here")
    }
    return nil
  }

  private func refusal(_ status: Status, _ text: String) -> PageAnswer {
    var answer = PageAnswer(status, text: text)
    answer.closes = true
    return answer
  }

  /// Whether the host is an address, `localhost`, a name from the configuration, or absent
  /// (HTTP/1.0).
  private func isKnown(_ host: String) -> Bool {
    // A host with a colon is an IPv6 address, because the parser accepts colons only in IPv6
    // addresses.
    host.isEmpty || host == "localhost" || host.contains(":") || hosts.contains(host)
      || SocketAddress(literal: host, port: 0) != nil
  }
}
