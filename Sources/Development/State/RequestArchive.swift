internal import Diagnostics

/// Returns requests in the HTTP Archive format 1.2, which browsers and proxies import.
func archive(_ records: [RequestRecord]) -> String {
  jsonObject([
    (
      "log",
      jsonObject([
        ("version", jsonString("1.2")),
        (
          "creator",
          jsonObject([("name", jsonString("aasa")), ("version", jsonString(programVersion))])
        ), ("entries", jsonArray(records.map(entry))),
      ])
    )
  ])
}

/// Durations are not measured and contents are not kept, for which the format requires zeros.
private func entry(_ record: RequestRecord) -> String {
  let request = Head(record.requestHead)
  let response = Head(record.responseHead)
  let words = request.firstLine.split(separator: " ", omittingEmptySubsequences: false)
  let target = words.count > 1 ? String(words[1]) : record.path
  let url = "https://" + (request.value("host") ?? "localhost") + target
  let reason = response.firstLine.split(separator: " ", maxSplits: 2).dropFirst(2).first
  return jsonObject([
    ("startedDateTime", jsonTime(record.time)), ("time", "0"),
    (
      "request",
      jsonObject([
        ("method", jsonString(record.method)), ("url", jsonString(url)),
        ("httpVersion", jsonString("HTTP/1.1")), ("cookies", "[]"), ("headers", request.json),
        ("queryString", "[]"), ("headersSize", "-1"), ("bodySize", "-1"),
      ])
    ),
    (
      "response",
      jsonObject([
        ("status", String(record.status)), ("statusText", jsonString(String(reason ?? ""))),
        ("httpVersion", jsonString("HTTP/1.1")), ("cookies", "[]"), ("headers", response.json),
        (
          "content",
          jsonObject([
            ("size", String(record.bytes)),
            ("mimeType", jsonString(response.value("content-type") ?? "")),
          ])
        ), ("redirectURL", jsonString("")), ("headersSize", "-1"),
        ("bodySize", String(record.bytes)),
      ])
    ), ("cache", "{}"),
    ("timings", jsonObject([("send", "0"), ("wait", "0"), ("receive", "0")])),
  ])
}

/// A stored head, as lines of text.
private struct Head {
  let firstLine: String
  private let fields: [(name: String, value: String)]

  init(_ text: String) {
    let lines = text.split(separator: "\n")
    firstLine = lines.first.map(String.init) ?? ""
    fields = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(value))
    }
  }

  func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

  var json: String {
    jsonArray(
      fields.map { jsonObject([("name", jsonString($0.name)), ("value", jsonString($0.value))]) })
  }
}
