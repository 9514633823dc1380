package import Client
internal import Posix

/// A server from which an association file is fetched.
package struct HostTarget: Sendable {
  package let scheme: FetchRequest.Scheme
  /// In lower case; IPv6 without brackets; international names in the form `xn--`.
  package let host: String
  package let port: UInt16?

  /// Parses `example.com`, `bücher.example`, `example.com:8443`, `https://example.com`,
  /// `http://localhost:8080`.
  package init(_ text: String) throws(UsageFault) {
    var rest = text.withoutMarks[...]
    var scheme = FetchRequest.Scheme.https
    let lower = rest.lowercased()
    if lower.hasPrefix("https://") {
      rest = rest.dropFirst(8)
    } else if lower.hasPrefix("http://") {
      scheme = .http
      rest = rest.dropFirst(7)
    } else if lower.contains("://") {
      throw UsageFault("\(text): write https:// (or http://)")
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains("/") else {
      throw UsageFault(
        "\(text): give the host alone; the file is at the two paths that Apple requests")
    }
    guard let ascii = InternationalName.ascii(String(rest)) else {
      throw UsageFault("\(text) has letters that no domain can have; write it as xn--")
    }
    // An absolute name ends with a dot (RFC 1034 section 3.1); certificates and files omit it.
    guard let (host, port) = hostAndPort(ascii),
      let request = FetchRequest(
        scheme, host: host.hasSuffix(".") ? String(host.dropLast()) : host),
      !request.host.split(separator: ".", omittingEmptySubsequences: false).contains("")
    else {
      throw UsageFault("\(text) is not a host; write for example example.com")
    }
    self.host = request.host
    // The scheme's default port is left out.
    self.port = port == (scheme == .https ? 443 : 80) ? nil : port
    // A link to a public name means its HTTPS server, because devices use no other.
    let isPublic = Self.isPublicName(request.host)
    self.scheme = isPublic && self.port == nil ? .https : scheme
  }

  package func request(path: String) -> FetchRequest? {
    FetchRequest(scheme, host: host, port: port, path: path)
  }

  /// Whether links can have this name: neither an address nor `localhost`.
  package var isPublicName: Bool { Self.isPublicName(host) }

  private static func isPublicName(_ host: String) -> Bool {
    host.contains(".") && SocketAddress(literal: host, port: 0) == nil
  }
}

extension String {
  /// Without the white space, quotation marks and angle brackets that come with pasted text.
  var withoutMarks: String {
    let marks: Set<Character> = ["\"", "'", "“", "”", "‘", "’", "<", ">"]
    func isAround(_ character: Character) -> Bool {
      character.isWhitespace || marks.contains(character)
    }
    let start = drop(while: isAround)
    return String(start.reversed().drop(while: isAround).reversed())
  }
}
