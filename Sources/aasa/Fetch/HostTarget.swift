internal import ArgumentParser
internal import Client
internal import Posix

/// A server that is asked for its association file.
struct HostTarget: Sendable {
  let scheme: FetchRequest.Scheme
  /// In lower case; IPv6 without brackets.
  let host: String
  let port: UInt16?

  /// Reads `example.com`, `example.com:8443`, `https://example.com`, `http://localhost:8080`.
  init(_ text: String) throws {
    var rest = text[...]
    var scheme = FetchRequest.Scheme.https
    let lower = text.lowercased()
    if lower.hasPrefix("https://") {
      rest = rest.dropFirst(8)
    } else if lower.hasPrefix("http://") {
      scheme = .http
      rest = rest.dropFirst(7)
    } else if lower.contains("://") {
      throw ValidationError("\(text): a server is asked by https:// (or http://)")
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains("/") else {
      throw ValidationError(
        "\(text): give the host alone; the file is at the two paths where Apple looks for it")
    }
    // A whole name ends with a dot (RFC 1034 section 3.1); certificates and files have none.
    guard let (host, port) = hostAndPort(rest),
      let request = FetchRequest(scheme, host: host.hasSuffix(".") ? String(host.dropLast()) : host)
    else {
      throw ValidationError("\(text) is no host; write for example example.com")
    }
    self.scheme = scheme
    self.host = request.host
    self.port = port
  }

  func request(path: String) -> FetchRequest? {
    FetchRequest(scheme, host: host, port: port, path: path)
  }

  /// Whether it is a name that links can have: neither an address nor `localhost`.
  var isPublicName: Bool {
    host.contains(".") && SocketAddress(literal: host, port: 0) == nil
  }
}
