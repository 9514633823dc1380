package import HTTP

/// The answer of a page listener.
package struct PageAnswer: Sendable {
  package var status: Status
  package var contentType: String
  /// Additional fields. A field with an invalid name or value is omitted.
  package var fields: [(name: String, value: String)] = []
  package var body: [UInt8]
  /// Whether the connection closes afterwards even if the client wants to keep it.
  package var closes = false

  package init(_ status: Status = .ok, contentType: String, _ body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// An answer with text for people.
  package init(_ status: Status = .ok, text: String) {
    self.init(status, contentType: "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// Returns the status line and fields, with the empty line.
  ///
  /// - Parameters:
  ///   - isEndless: Whether the body ends only with the connection.
  ///   - now: Seconds since 1970.
  package func head(isEndless: Bool = false, closes: Bool, now: Int64) -> [UInt8] {
    var all = [("Content-Type", contentType)]
    if !isEndless { all.append(("Content-Length", String(body.count))) }
    // Caches must not store a page whose content changes.
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

/// The reply to a request: an answer, or a stream.
package enum PageReply: Sendable {
  case now(PageAnswer)
  /// An answer's head, followed by an endless body.
  case stream(PageAnswer, PageStream)
}
