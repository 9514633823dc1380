package import HTTP

/// What the admin listener is asked.
package struct AdminRequest: Sendable {
  /// As it was sent.
  package let path: String
  /// What follows the question mark; empty without one.
  package let query: String
  /// The values of all Accept fields, joined by commas; empty without one.
  package let accept: String

  package init(path: String, query: String = "", accept: String = "") {
    self.path = path
    self.query = query
    self.accept = accept
  }

  /// The values of a parameter of the query, percent-encoded bytes decoded, in their order.
  package func values(of name: String) -> [String] {
    query.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts[0] == name ? percentDecoded(parts.count > 1 ? parts[1] : "") : nil
    }
  }
}

/// What it answers.
package struct AdminAnswer: Sendable {
  package var status: Status
  package var contentType: String
  package var body: [UInt8]

  package init(_ status: Status = .ok, contentType: String, _ body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// A text for people.
  package init(_ status: Status = .ok, text: String) {
    self.init(status, contentType: "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// Status line, fields and body.
  ///
  /// - Parameter isHead: without the body, which its length still tells of.
  func bytes(isHead: Bool, closes: Bool, now: Int64) -> [UInt8] {
    var fields = [
      ("Content-Type", contentType), ("Content-Length", String(body.count)),
      // How things stand is not for keeping.
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
    if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
    if closes { fields.append(("Connection", "close")) }
    var head = ResponseHead(status: status)
    for (name, value) in fields {
      do throws(FieldFault) {
        try head.add(name, value)
      } catch {
        preconditionFailure("the field \(name) cannot be sent")
      }
    }
    let start = head.bytes + DateField(now: now).bytes + [0x0D, 0x0A]
    return isHead ? start : start + body
  }
}

/// RFC 3986 section 2.1; what is no encoding stays as it is.
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
