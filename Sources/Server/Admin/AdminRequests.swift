internal import HTTP
internal import Posix

/// Whom the admin listener answers, and to what.
struct AdminRequests: Sendable {
  /// Names by which it may be asked, in lower case.
  let hosts: [String]

  /// What is answered to a request that is none for here; nil for one that is.
  func refusal(_ request: PageRequest) -> PageAnswer? {
    // A page from elsewhere can make a browser ask its own name, which then leads here (DNS
    // rebinding): the browser still says the name.
    if !isKnown(request.host) {
      return refusal(
        .misdirectedRequest,
        "this host is not known here: ask by an address or localhost, or name it with --admin-host")
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

  /// An address, `localhost`, a name from the configuration; or none at all, in HTTP/1.0.
  private func isKnown(_ host: String) -> Bool {
    // What has a colon is an IPv6 address, for the head has been parsed.
    host.isEmpty || host == "localhost" || host.contains(":") || hosts.contains(host)
      || SocketAddress(literal: host, port: 0) != nil
  }
}
