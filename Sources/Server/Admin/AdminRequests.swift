internal import HTTP
internal import Posix

/// From a parsed head to what is asked: the admin listener's own conditions.
struct AdminRequests: Sendable {
  /// Names by which it may be asked, in lower case.
  let hosts: [String]

  /// Whether a request is one that is answered; else what is answered to it.
  func judge(
    _ head: borrowing RequestHead, _ bytes: Span<UInt8>, end: Int
  ) -> (request: AdminRequest?, refusal: AdminAnswer?) {
    // A page from elsewhere can make a browser ask its own name, which then leads here (DNS
    // rebinding): the browser still says the name.
    if !isKnown(host: bytes, head.host) {
      return (
        nil,
        AdminAnswer(
          .misdirectedRequest,
          text:
            "this host is not known here: ask by an address or localhost, or name it with --admin-host"
        )
      )
    }
    guard head.method == .get || head.method == .head else {
      return (nil, AdminAnswer(.methodNotAllowed, text: "only GET and HEAD are answered here"))
    }
    guard head.body == .none else {
      return (nil, AdminAnswer(.contentTooLarge, text: "no content is taken here"))
    }
    let query = head.target.query.map { text(bytes, $0) } ?? ""
    return (
      AdminRequest(
        path: text(bytes, head.target.path), query: query,
        accept: fieldValues("accept", bytes, end: end)),
      nil
    )
  }

  /// An address, `localhost`, a name from the configuration; or none at all, in HTTP/1.0.
  private func isKnown(host bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let host = text(bytes, range).lowercased()
    // What has a colon is an IPv6 address, for the head has been parsed.
    return host.isEmpty || host == "localhost" || host.contains(":") || hosts.contains(host)
      || SocketAddress(literal: host, port: 0) != nil
  }

  private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { bytes[$0] }, as: UTF8.self)
  }

  /// The values of a field that the parser has no name for, for only here it means something.
  private func fieldValues(_ name: String, _ bytes: Span<UInt8>, end: Int) -> String {
    String(decoding: (0..<end).map { bytes[$0] }, as: UTF8.self).split(separator: "\r\n")
      .compactMap { line -> String? in
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
          return nil
        }
        return String(line[line.index(after: colon)...])
      }.joined(separator: ",")
  }
}
