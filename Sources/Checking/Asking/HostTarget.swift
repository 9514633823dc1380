internal import AppSiteAssociation
internal import Bytes
package import Client
internal import Posix
internal import Rules

/// The scheme, host and port of a server from which files are fetched.
package struct HostTarget: Sendable, Hashable {
  package let scheme: FetchRequest.Scheme
  /// The host in lower case. An IPv6 address is without brackets, and an international name is in
  /// the form `xn--`.
  package let host: String
  package let port: UInt16?

  /// Parses a host as a user writes it: `example.com`, `bücher.example`, `example.com:8443`,
  /// `https://example.com` or `http://localhost:8080`.
  package init(_ text: String) throws(UsageFault) {
    var rest = text.withoutMarks[...]
    let given = FetchRequest.Scheme(takenFrom: &rest)
    if given == nil, rest.contains("://") {
      throw UsageFault("\(text): write https:// (or http://)")
    }
    let scheme = given ?? .https
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains("/") else {
      throw UsageFault(
        "\(text): give only the host, without a path")
    }
    guard let ascii = InternationalName.ascii(String(rest)) else {
      throw UsageFault(
        "\(text) contains letters that aasa cannot convert to ASCII; write the "
          + "domain in the form xn--")
    }
    // A host name may end with a dot, which makes it absolute (RFC 1034 section 3.1). Remove the
    // dot, because names in certificates and files do not end with a dot.
    guard let (host, port) = hostAndPort(ascii),
      let request = FetchRequest(
        scheme, host: host.hasSuffix(".") ? String(host.dropLast()) : host),
      !request.host.split(separator: ".", omittingEmptySubsequences: false).contains("")
    else {
      throw UsageFault("\(text) is not a host; write a host such as example.com")
    }
    self.host = request.host
    // Do not store the default port of the scheme.
    self.port = port == (scheme == .https ? 443 : 80) ? nil : port
    // For a public name without a port, always use HTTPS, because devices use only HTTPS.
    let isPublic = Self.isPublicName(request.host)
    self.scheme = isPublic && self.port == nil ? .https : scheme
  }

  package func request(path: String) -> FetchRequest? {
    FetchRequest(scheme, host: host, port: port, path: path)
  }

  /// Whether the host is a name that public links can contain. An IP address and `localhost` are
  /// not such names.
  package var isPublicName: Bool { Self.isPublicName(host) }

  private static func isPublicName(_ host: String) -> Bool {
    host.contains(".") && SocketAddress(literal: host, port: 0) == nil
  }
}

extension String {
  /// The text without white space, quotation marks and angle brackets at its beginning and end.
  /// Text that a user copied often contains these characters.
  var withoutMarks: String {
    let marks: Set<Character> = ["\"", "'", "“", "”", "‘", "’", "<", ">"]
    func isAround(_ character: Character) -> Bool {
      character.isWhitespace || marks.contains(character)
    }
    let start = drop(while: isAround)
    return String(start.reversed().drop(while: isAround).reversed())
  }
}

/// The address of Apple's CDN, or of a server that replaces the CDN.
package struct CDNAddress: Sendable {
  package let target: HostTarget
  /// The path of the CDN's URL, to which a request adds the domain. The path ends with a slash.
  let path: String

  /// The address of Apple's CDN, as observed in the field.
  package static let apple = "https://app-site-association.cdn-apple.com/a/v1"

  /// Parses the URL of a CDN, such as the URL in `apple`.
  package init(_ text: String) throws(UsageFault) {
    let bytes = Array(text.utf8)
    guard let parts = try? URLParts(bytes.span), parts.host != nil, parts.query == nil,
      parts.fragment == nil
    else {
      throw UsageFault("--cdn \(text) is not a URL such as \(Self.apple)")
    }
    target = try HostTarget(String(decoding: bytes[..<parts.path.lowerBound], as: UTF8.self))
    let path = String(decoding: bytes[parts.path], as: UTF8.self)
    self.path = path.hasSuffix("/") ? path : path + "/"
  }

  package func request(for host: String) -> FetchRequest? { target.request(path: path + host) }
}

/// The error for an argument of the command that cannot be used.
package struct UsageFault: Error {
  /// The message: one sentence that begins with the argument.
  package let message: String

  package init(_ message: String) { self.message = message }
}
