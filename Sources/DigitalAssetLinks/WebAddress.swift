internal import Rules

/// An http or https address.
struct WebAddress {
  /// The scheme in lower case.
  let scheme: String
  /// The host in lower case.
  let host: String
  private let port: Int?
  /// Whether a colon follows the host, and no number that a port can have.
  private let hasFaultyPort: Bool
  private let hasUser: Bool
  /// Whether the address is only a scheme, a host and a port, perhaps with a slash at its end.
  let isBare: Bool

  /// Nil if the text is no such address, or if its host is a wildcard.
  private init?(_ text: String) {
    let bytes = Array(text.utf8)
    scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let parts = try? URLParts(bytes.span), let range = parts.host
    else { return nil }
    host = String(decoding: bytes[range], as: UTF8.self).lowercased()
    if host.contains("*") { return nil }
    port = parts.port
    hasFaultyPort = range.upperBound < parts.path.lowerBound && (parts.port ?? 0) == 0
    hasUser = range.lowerBound > scheme.utf8.count + "://".utf8.count
    let rest = String(decoding: bytes[parts.path.lowerBound...], as: UTF8.self)
    isBare = !hasUser && ["", "/"].contains(rest)
  }

  /// A site, or another list of statements; nil if the text is no address that clients could ask.
  init?(site text: String) {
    self.init(text)
    guard host.contains("."), !hasUser, !hasFaultyPort else { return nil }
  }

  /// An address with an origin; nil if it is not https, or if its host is not a whole one.
  init?(origin text: String) {
    self.init(text)
    guard scheme == "https", host.contains(".") || host == "localhost" else { return nil }
  }

  /// The scheme, host and port in the form that browsers compare.
  var origin: String {
    "\(scheme)://\(host)" + (port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
  }
}
