extension ScriptedServer.Step {
  /// A whole answer with its length.
  package static func answer(
    _ status: String, type: String? = "application/json", fields: [String] = [], _ body: String
  ) -> Self {
    answer(status, type: type, fields: fields, body: Array(body.utf8))
  }

  /// The same with status 200.
  package static func answer(
    type: String? = "application/json", fields: [String] = [], _ body: String
  ) -> Self {
    answer("200 OK", type: type, fields: fields, body: Array(body.utf8))
  }

  package static func answer(
    _ status: String = "200 OK", type: String? = "application/json", fields: [String] = [],
    body: [UInt8]
  ) -> Self {
    var lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"]
    if let type { lines.append("Content-Type: \(type)") }
    lines += fields
    return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  package static func redirect(to location: String, status: String = "301 Moved Permanently")
    -> Self
  {
    answer(status, type: "text/html", fields: ["Location: \(location)"], "<html>moved</html>")
  }
}

/// The path of a request's first line.
package func path(of request: String) -> String {
  let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
  return words.count > 1 ? String(words[1]) : ""
}
