internal import Bytes

/// The parts of a URL (RFC 3986 section 3), as ranges of its bytes.
package struct URLParts: Sendable, Equatable {
  /// The maximum length of a URL, in bytes. Browsers have far lower limits.
  package static let longest = 1_048_576

  /// The host; nil for a reference within the domain, such as `/buy?a=1`.
  package var host: Range<Int>?
  package var port: Int?
  package var path: Range<Int>
  /// The query without its `?`; nil if the URL has none.
  package var query: Range<Int>?
  /// The fragment without its `#`; nil if the URL has none.
  package var fragment: Range<Int>?

  /// Splits a URL whose scheme is `http` or `https` in any case, or a reference that begins with
  /// `//`, `/`, `?` or `#`.
  package init(_ url: Span<UInt8>) throws(URLFault) {
    guard !url.isEmpty else { throw .empty }
    guard url.count <= URLParts.longest else { throw .tooLong(url.count) }
    for index in url.indices where url[index] < 0x20 || url[index] == 0x7F {
      throw .controlCharacter(at: index)
    }
    var index = try schemeEnd(of: url)
    host = nil
    port = nil
    if index + 1 < url.count, url[index] == UInt8(ascii: "/"), url[index + 1] == UInt8(ascii: "/") {
      let start = index + 2
      index = start
      while index < url.count, !isPathMark(url[index]) { index += 1 }
      let authority = try Authority(url, in: start..<index)
      host = authority.host
      port = authority.port
    } else if index > 0 {
      throw .noHost
    }
    let pathStart = index
    while index < url.count, url[index] != UInt8(ascii: "?"), url[index] != UInt8(ascii: "#") {
      index += 1
    }
    path = pathStart..<index
    query = nil
    if index < url.count, url[index] == UInt8(ascii: "?") {
      let start = index + 1
      while index < url.count, url[index] != UInt8(ascii: "#") { index += 1 }
      query = start..<index
    }
    fragment = index < url.count ? index + 1..<url.count : nil
  }
}

private func isPathMark(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
}

/// Returns the offset after the colon of the scheme; 0 for a reference without a scheme.
///
/// scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ), RFC 3986 section 3.1
private func schemeEnd(of url: Span<UInt8>) throws(URLFault) -> Int {
  if isPathMark(url[0]) { return 0 }
  var end = 0
  while end < url.count, url[end].isLetter || (end > 0 && isSchemeByte(url[end])) { end += 1 }
  guard end > 0, end < url.count, url[end] == UInt8(ascii: ":") else { throw .noScheme }
  var isHTTP = end == 4 || (end == 5 && url[4] | 0x20 == UInt8(ascii: "s"))
  if isHTTP {
    for (index, byte) in "http".utf8.enumerated() where url[index] | 0x20 != byte { isHTTP = false }
  }
  guard isHTTP else {
    var name = ""
    for index in 0..<min(end, 64) { name.unicodeScalars.append(Unicode.Scalar(url[index])) }
    // A scheme with a dot is probably a host: in `example.com:443/path`, the author left out the
    // scheme.
    throw name.contains(".") ? .noScheme : .otherScheme(name)
  }
  return end + 1
}

private func isSchemeByte(_ byte: UInt8) -> Bool {
  byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    || byte == UInt8(ascii: ".")
}

/// authority = [ userinfo "@" ] host [ ":" port ], RFC 3986 section 3.2
private struct Authority {
  var host: Range<Int>
  var port: Int?

  init(_ url: Span<UInt8>, in range: Range<Int>) throws(URLFault) {
    // Use the last `@`, as browsers do. Otherwise, text before this `@` could be mistaken for the
    // host.
    var start = range.lowerBound
    for index in range where url[index] == UInt8(ascii: "@") { start = index + 1 }
    for index in range.lowerBound..<start
    where !isHostByte(url[index]) && url[index] != UInt8(ascii: ":")
      && url[index] != UInt8(ascii: "@")
    {
      throw .badHost(at: index)
    }
    var end = start
    if end < range.upperBound, url[end] == UInt8(ascii: "[") {
      while end < range.upperBound, url[end] != UInt8(ascii: "]") { end += 1 }
      guard end < range.upperBound else { throw .badHost(at: start) }
      end += 1
    } else {
      while end < range.upperBound, url[end] != UInt8(ascii: ":") {
        guard isHostByte(url[end]) else { throw .badHost(at: end) }
        end += 1
      }
    }
    guard end > start else { throw .noHost }
    host = start..<end
    guard end < range.upperBound else { return }
    guard url[end] == UInt8(ascii: ":") else { throw .badHost(at: end) }
    port = try Self.port(url, in: end + 1..<range.upperBound)
  }

  /// Reads a port: port = *DIGIT. Nil if there are no digits.
  private static func port(_ url: Span<UInt8>, in range: Range<Int>) throws(URLFault) -> Int? {
    if range.isEmpty { return nil }
    var value = 0
    for index in range {
      guard url[index].isDigit, value <= 65535 else { throw .badPort(at: range.lowerBound) }
      value = value * 10 + Int(url[index] - UInt8(ascii: "0"))
    }
    guard value <= 65535 else { throw .badPort(at: range.lowerBound) }
    return value
  }
}

/// Whether a byte can be part of a host: reg-name = *( unreserved / pct-encoded / sub-delims ), or
/// a byte of a non-ASCII character.
private func isHostByte(_ byte: UInt8) -> Bool {
  if byte >= 0x80 || byte.isLetter || byte.isDigit { return true }
  switch byte {
  case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
    UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
    UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
    UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
    return true
  default: return false
  }
}

/// Why a text is not a URL that the rules of an association file can match.
package enum URLFault: Error, Sendable, Equatable {
  case empty
  /// The URL has this many bytes, which is more than `URLParts.longest`.
  case tooLong(Int)
  /// The URL has a control character at this byte offset.
  case controlCharacter(at: Int)
  /// The text begins with neither a scheme nor a path.
  case noScheme
  /// The URL has this scheme, which is neither `http` nor `https`.
  case otherScheme(String)
  /// The URL has no `//` after the scheme, or no host after the `//`.
  case noHost
  /// The URL has a byte at this offset that cannot be part of a host.
  case badHost(at: Int)
  case badPort(at: Int)

  /// The message: one sentence that starts in lower case and has no full stop.
  package var message: String {
    switch self {
    case .empty: "the URL is empty"
    case .tooLong(let count):
      "the URL has \(count) bytes, more than the limit of \(URLParts.longest)"
    case .controlCharacter(let index):
      "byte \(index + 1) of the URL is a control character; write it percent-encoded"
    case .noScheme:
      "the URL has no scheme; begin the URL with https:// or, for a path on the domain, with /"
    case .otherScheme(let scheme):
      "the scheme is \(scheme): association files are for http and https only"
    case .noHost: "the URL has no host; write https://HOST/PATH"
    case .badHost(let index): "byte \(index + 1) of the URL cannot be part of a host"
    case .badPort(let index): "the URL's port, at byte \(index + 1), is not a number up to 65535"
    }
  }
}

/// The domain that serves a file: a host such as `example.com`, or `*.example.com`, which stands
/// for all subdomains of `example.com`.
package struct Domain: Sendable, Equatable {
  /// The host without `*.`, in lower case. An international name has its ASCII form, such as
  /// `xn--mnchen-3ya.de`.
  private let host: [UInt8]
  private let isWildcard: Bool
  private let port: Int?

  /// Parses `example.com`, `*.example.com` or `example.com:8443`. Nil if there is no host, or if
  /// the port is not a number.
  package init?(_ text: String) {
    var bytes = (InternationalName.ascii(text) ?? text).utf8.map(lowerCase)
    isWildcard = bytes.starts(with: "*.".utf8)
    if isWildcard { bytes.removeFirst(2) }
    if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(0x5D) {
      guard let number = Int(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) else {
        return nil
      }
      port = number
      bytes.removeSubrange(colon...)
    } else {
      port = nil
    }
    guard !bytes.isEmpty else { return nil }
    host = bytes
  }

  /// Whether the URL belongs to the domain, ignoring letter case. A reference without a host belongs
  /// to every domain. The port is compared only if the domain has a port; a URL without a port has
  /// port 443.
  package func contains(_ parts: URLParts, of url: Span<UInt8>) -> Bool {
    guard let range = parts.host else { return true }
    if let port, parts.port ?? 443 != port { return false }
    var isASCII = true
    for index in range where url[index] >= 0x80 { isASCII = false }
    if isASCII { return contains(url, in: range) }
    var bytes: [UInt8] = []
    for index in range { bytes.append(url[index]) }
    let name = String(decoding: bytes, as: UTF8.self)
    bytes = Array((InternationalName.ascii(name) ?? name).utf8)
    return contains(bytes.span, in: bytes.indices)
  }

  /// Whether the host in this part of the text belongs to the domain.
  private func contains(_ url: Span<UInt8>, in range: Range<Int>) -> Bool {
    let difference = range.count - host.count
    guard difference >= 0 else { return false }
    if isWildcard {
      // The wildcard must stand for at least one character before the dot.
      guard difference >= 2, url[range.lowerBound + difference - 1] == UInt8(ascii: ".") else {
        return false
      }
    } else if difference != 0 {
      return false
    }
    let start = range.lowerBound + difference
    for index in host.indices where lowerCase(url[start + index]) != host[index] { return false }
    return true
  }
}

private func lowerCase(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
