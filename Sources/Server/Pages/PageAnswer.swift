package import HTTP

/// The response of a page listener.
package struct PageAnswer: Sendable {
  package var status: Status
  package var contentType: String
  /// Additional fields of the response. A field with an invalid name or value is left out.
  package var fields: [(name: String, value: String)] = []
  package var body: [UInt8]
  /// Whether to close the connection after this response, even if the client wants to keep it open.
  package var closes = false

  package init(_ status: Status = .ok, contentType: String, _ body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// A response in plain text.
  package init(_ status: Status = .ok, text: String) {
    self.init(status, contentType: "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// Returns the status line and the fields, including the empty line at the end.
  ///
  /// - Parameters:
  ///   - isEndless: Whether the body ends only when the connection ends, so that its length is
  ///     unknown.
  ///   - now: Seconds since 1970.
  package func head(isEndless: Bool = false, closes: Bool, now: Int64) -> [UInt8] {
    var all = [("Content-Type", contentType)]
    if !isEndless { all.append(("Content-Length", String(body.count))) }
    // Caches must not store this response, because the next response may differ.
    all += [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
    if status == .methodNotAllowed && !fields.contains(where: { $0.name == "Allow" }) {
      all.append(("Allow", "GET, HEAD"))
    }
    all += fields.map { ($0.name, $0.value) }
    if closes || isEndless { all.append(("Connection", "close")) }
    var head = ResponseHead(status: status)
    for (name, value) in all {
      do throws(FieldFault) {
        try head.add(name, value)
      } catch {
        continue
      }
    }
    return head.bytes + DateField(now: now).bytes + [0x0D, 0x0A]
  }
}

/// The reply to a request: a response, or a stream.
package enum PageReply: Sendable {
  case now(PageAnswer)
  /// A response with a body that does not end: its head, and the stream of its body.
  case stream(PageAnswer, PageStream)
}
