/// A response as it came, read by rules that are simpler and stricter than a client's.
struct Response: Sendable {
  let version: String
  let status: Int
  let reason: String
  /// In their order, with their case.
  let fields: [(name: String, value: String)]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The values of all fields with this name; one that occurs twice gives two.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The value of a field that occurs once; nil when there is none, `(repeated)` when it repeats.
  subscript(name: String) -> String? {
    let values = values(name)
    return values.count > 1 ? "(repeated)" : values.first
  }

  /// Nil unless `bytes` begin with a whole head.
  static func head(in bytes: [UInt8]) throws -> (response: Response, length: Int)? {
    let terminator: [UInt8] = [13, 10, 13, 10]
    guard
      let end = (0..<max(0, bytes.count - 3)).first(where: {
        bytes[$0] == 13 && bytes[$0..<($0 + 4)].elementsEqual(terminator)
      })
    else { return nil }
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let statusLine = lines.removeFirst().split(separator: " ", maxSplits: 2)
    guard statusLine.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(statusLine[0]),
      let status = Int(statusLine[1])
    else {
      throw Failure("no status line: \(text)")
    }
    let fields = try lines.map { line in
      guard let colon = line.firstIndex(of: ":") else { throw Failure("no field: \(line)") }
      let value = line[line.index(after: colon)...]
      guard value.hasPrefix(" ") else { throw Failure("no space after the colon: \(line)") }
      return (name: String(line[..<colon]), value: String(value.dropFirst()))
    }
    let response = Response(
      version: String(statusLine[0]), status: status, reason: String(statusLine[2]),
      fields: fields)
    return (response, end + 4)
  }

  /// Reads all responses in `bytes`, of which nothing may be left.
  ///
  /// - Parameter methods: of the requests, in order; those not named are GET.
  static func all(in bytes: [UInt8], methods: [String] = []) throws -> [Response] {
    var rest = bytes
    var result: [Response] = []
    var methods = methods[...]
    while !rest.isEmpty {
      guard var (response, length) = try head(in: rest) else {
        throw Failure("half a response: \(String(decoding: rest, as: UTF8.self))")
      }
      let method = response.status < 200 ? "GET" : methods.popFirst() ?? "GET"
      let count = try response.bodyLength(method: method)
      guard rest.count >= length + count else { throw Failure("the body is cut off") }
      response.body = Array(rest[length..<(length + count)])
      length += count
      rest.removeFirst(length)
      result.append(response)
    }
    return result
  }

  /// RFC 9112 section 6.3, for a server that never uses a transfer coding.
  func bodyLength(method: String) throws -> Int {
    if method == "HEAD" || status < 200 || status == 204 || status == 304 { return 0 }
    guard let length = self["Content-Length"].flatMap({ Int($0) }) else {
      throw Failure("no Content-Length in \(self)")
    }
    return length
  }
}
