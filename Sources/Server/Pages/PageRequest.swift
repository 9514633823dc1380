package import HTTP
package import Hosting
package import Posix

/// What a listener of pages is asked.
package struct PageRequest: Sendable {
  package let method: Method
  /// As it was sent.
  package let path: String
  /// What follows the question mark; empty without one.
  package let query: String
  /// The host that is asked, in lower case, without port and brackets; empty in HTTP/1.0 only.
  package let host: String
  /// The port that stands beside it.
  package let port: UInt16?
  package let fetcher: FetcherClass
  /// Request line and fields as they were sent, up to the empty line.
  package let head: [UInt8]
  /// Without its framing.
  package internal(set) var content: [UInt8] = []
  /// Who is connected: a client, or the proxy that it comes through.
  package let peer: PeerAddress?
  /// The connection ends after the answer.
  package let endsConnection: Bool

  package init(
    _ method: Method = .get, path: String, query: String = "", host: String = "localhost",
    port: UInt16? = nil, fields: [(String, String)] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
    self.port = port
    fetcher = .other
    let lines = ["GET \(path) HTTP/1.1"] + fields.map { "\($0.0): \($0.1)" }
    head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    peer = nil
    endsConnection = false
  }

  /// The request whose head was read from the first `end` bytes.
  init(
    _ parsed: borrowing RequestHead, _ bytes: Span<UInt8>, end: Int, peer: PeerAddress?
  ) {
    func text(_ range: Range<Int>) -> String {
      String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }
    method = parsed.method
    path = text(parsed.target.path)
    query = parsed.target.query.map(text) ?? ""
    host = text(parsed.host).lowercased()
    port = parsed.hostPort
    fetcher = parsed.fetcherClass(in: bytes)
    head = (0..<end).map { bytes[$0] }
    self.peer = peer
    endsConnection = !parsed.allowsReuse || parsed.minorVersion == 0
  }

  /// Path and query.
  package var target: String { query.isEmpty ? path : path + "?" + query }

  /// The values of all fields of that name, in lower case, joined by commas; nil without one.
  package func field(_ name: String) -> String? {
    let values = String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst()
      .compactMap { line -> String? in
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
          return nil
        }
        let value = line[line.index(after: colon)...]
        return String(value.drop(while: { $0 == " " || $0 == "\t" }))
      }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }

  /// The values of a parameter of the query, percent-encoded bytes decoded, in their order.
  package func values(of name: String) -> [String] {
    query.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts[0] == name ? percentDecoded(parts.count > 1 ? parts[1] : "") : nil
    }
  }
}

/// RFC 3986 section 2.1; what is not an encoding stays as it is.
private func percentDecoded(_ text: Substring) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexadecimal),
      let low = rest.dropFirst().first.flatMap(hexadecimal)
    {
      bytes.append(high << 4 | low)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func hexadecimal(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x57
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x37
  default: nil
  }
}
