internal import Bytes
package import Posix

/// A request to fetch a URL with GET, or with POST if there is content to send.
package struct FetchRequest: Sendable, Equatable {
  /// The content of a request.
  package struct Content: Sendable, Equatable {
    /// The media type of the content.
    package let type: String
    package let bytes: [UInt8]

    package init(type: String, _ bytes: [UInt8]) {
      self.type = type
      self.bytes = bytes
    }
  }

  package enum Scheme: String, Sendable {
    case http, https

    /// Removes `https://` or `http://`, in upper or lower case, from the beginning of a text.
    /// Returns nil if the text begins with neither.
    package init?(takenFrom text: inout Substring) {
      let start = text.prefix(8).lowercased()
      guard let scheme = [Self.https, .http].first(where: { start.hasPrefix($0.rawValue + "://") })
      else { return nil }
      self = scheme
      text = text.dropFirst(scheme.rawValue.count + 3)
    }
  }

  package var scheme: Scheme
  /// A host name in lower case, or an IP address. An IPv6 address has no brackets.
  package let host: String
  package let port: UInt16
  /// The request target: the path and the query.
  package var path: String
  package var content: Content?

  /// Returns nil if the host is invalid, or if the path cannot be sent unchanged.
  ///
  /// - Parameter port: The port; nil for the scheme's default.
  package init?(_ scheme: Scheme = .https, host: String, port: UInt16? = nil, path: String = "/") {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    let isHost = bare.utf8.allSatisfy { isHostNameByte($0) || $0 == UInt8(ascii: ":") }
    guard isHost, !bare.isEmpty, bare.utf8.count <= 253, path.hasPrefix("/"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    if bare.contains(":"), IPAddress(String(bare)) == nil { return nil }
    self.scheme = scheme
    self.host = bare.lowercased()
    self.port = port ?? (scheme == .https ? 443 : 80)
    self.path = path
  }

  /// The URL as text.
  package var url: String { "\(scheme.rawValue)://\(authority)\(path)" }

  /// The value of the Host field: the host, and the port unless it is the scheme's default.
  package var authority: String {
    let bracketed = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == .https ? 443 : 80) ? bracketed : "\(bracketed):\(port)"
  }
}

/// The options of a fetch.
package struct FetchOptions: Sendable {
  /// The maximum duration of the whole fetch, in milliseconds.
  package var timeout = ClientLimits.timeout
  package var userAgent = "aasa"
  /// Header fields to send after the client's own fields, unchanged and in this order. Values must
  /// not have line breaks.
  package var fields: [(name: String, value: String)] = []
  /// The address to connect to instead of the host's addresses, for example to check a server
  /// before DNS changes.
  package var origin: SocketAddress?
  /// Whether to continue if the server's certificate is not trusted. The caller can then inspect
  /// the server's response.
  package var goesOnUntrusted = false
  /// Whether to refuse addresses that the public internet cannot reach. If such addresses were
  /// allowed, the owner of a name could make this machine send requests into this machine's private
  /// network.
  package var isPublicOnly = false
  /// A proxy that opens tunnels with CONNECT. A fetch uses the proxy only for `https`, and only if
  /// `origin` is nil.
  package var proxy: ProxyAddress?

  package init() {}
}

/// An HTTP proxy, written as in HTTPS_PROXY.
package struct ProxyAddress: Sendable, Equatable {
  package let host: String
  package let port: UInt16
  /// The value of the field Proxy-Authorization; nil if the proxy's URL has no user.
  package let authorization: String?

  /// Parses `http://user:password@proxy.example:3128`. The scheme may be omitted. Returns nil for
  /// any other scheme.
  package init?(_ text: String) {
    var rest = text[...]
    if let end = rest.firstRange(of: "://") {
      guard rest[..<end.lowerBound].lowercased() == "http" else { return nil }
      rest = rest[end.upperBound...]
    }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = rest.lastIndex(of: "@") {
      authorization = "Basic " + Base64.encode(Array(rest[..<at].utf8))
      rest = rest[rest.index(after: at)...]
    } else {
      authorization = nil
    }
    guard let (host, port) = hostAndPort(rest) else { return nil }
    self.host = host
    self.port = port ?? 80
  }
}

extension ProxyAddress {
  /// Reads the proxy from the variable HTTPS_PROXY, or from ALL_PROXY if HTTPS_PROXY is not set.
  /// Returns nil if neither variable is set, or if NO_PROXY lists the host.
  package init?(for host: String, in variables: [String: String]) {
    func variable(_ name: String) -> String? {
      (variables[name] ?? variables[name.lowercased()]).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let text = variable("HTTPS_PROXY") ?? variable("ALL_PROXY") else { return nil }
    for entry in (variable("NO_PROXY") ?? "").split(separator: ",") {
      let name = entry.filter { $0 != " " }.lowercased()
      let bare = name.hasPrefix("*.") ? String(name.dropFirst()) : name
      if bare == "*" || host == bare || host == bare.drop(while: { $0 == "." })
        || host.hasSuffix(bare.hasPrefix(".") ? bare : "." + bare)
      {
        return nil
      }
    }
    self.init(text)
  }
}

/// Splits `host`, `host:port` or `[::1]:port` into host and port. Returns nil for any other text.
package func hostAndPort(_ text: some StringProtocol) -> (host: String, port: UInt16?)? {
  let text = String(text)
  if text.hasPrefix("[") {
    guard let close = text.firstIndex(of: "]") else { return nil }
    let host = String(text[text.index(after: text.startIndex)..<close])
    let rest = text[text.index(after: close)...]
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (host, port)
  }
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count <= 2, let host = parts.first, !host.isEmpty else { return nil }
  if parts.count == 1 { return (String(host), nil) }
  guard let port = UInt16(parts[1]), port > 0 else { return nil }
  return (String(host), port)
}

/// The limits of a request to another server.
package enum ClientLimits {
  /// The maximum duration of the whole fetch, in milliseconds: name lookup, connection, handshake,
  /// request and response. Apple does not document the limit of its own client, but observed
  /// failures suggest a similar value.
  package static let timeout: Int64 = 10_000
  /// The maximum number of addresses to try, one after another.
  package static let addresses = 16
  /// The minimum time to spend on one address, in milliseconds, if more addresses are left to try.
  static let leastPerAddress: Int64 = 250
  /// The maximum size of gzip content after decompression. This limit stops decompression bombs.
  package static let decodedBytes = 4_194_304
  /// The number of bytes to read at once.
  static let readBytes = 16_384
  /// The time for which resolved addresses are reused, in milliseconds.
  static let keptAddresses: Int64 = 60_000
}
