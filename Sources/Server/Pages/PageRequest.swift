internal import Bytes
package import Catalog
package import HTTP
internal import Settings

/// A request to a page listener.
package struct PageRequest: Sendable {
  package let method: Method
  /// The path as the client sent it.
  package let path: String
  /// The query: the part after the question mark; empty if the target has no query.
  package let query: String
  /// The host in lower case, without port and brackets; empty if an HTTP/1.0 request contains no
  /// host.
  package let host: String
  /// The port that follows the host; nil if the request contains no port.
  package let port: UInt16?
  package let fetcher: FetcherClass
  /// The request line and the fields as the client sent them, including the empty line at the end.
  package let head: [UInt8]
  /// The content without its framing.
  package internal(set) var content: [UInt8] = []
  /// Whether the connection ends after the response.
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
    endsConnection = false
  }

  /// Makes the request from its parsed head. The head is the first `end` bytes.
  init(_ parsed: borrowing RequestHead, _ bytes: Span<UInt8>, end: Int) {
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
    endsConnection = !parsed.allowsReuse || parsed.minorVersion == 0
  }

  /// Makes a request from the received bytes of a refused request, so that the inspector can show
  /// the request. Only the first line is parsed.
  init(refused bytes: [UInt8]) {
    let words = bytes.prefix { $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed }
      .split(separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false)
    method = .unknown
    path = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
    query = ""
    host = ""
    port = nil
    fetcher = .other
    head = bytes
    endsConnection = true
  }

  /// The path and the query, joined with a question mark.
  package var target: String { query.isEmpty ? path : path + "?" + query }

  /// Returns the values of all fields with this name, joined by commas; nil if the request has no
  /// such field. `name` must be in lower case.
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

  /// Returns all values of a query parameter, percent-decoded, in the order of the query.
  package func values(of name: String) -> [String] {
    query.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts[0] == name
        ? parts.count > 1 ? String(decoding: parts[1].utf8.percentDecoded, as: UTF8.self) : "" : nil
    }
  }
}
