internal import Diagnostics
internal import HTTP

/// Returns requests in the HTTP Archive format 1.2, which browsers and proxies import.
func archive(_ records: [RequestRecord]) -> JSONTree {
  [
    "log": [
      "version": "1.2", "creator": ["name": "aasa", "version": programVersion.json],
      "entries": .array(records.map(entry)),
    ]
  ]
}

/// Returns one request as an entry of the archive. `aasa dev` records neither the bodies nor the
/// durations of requests. The format requires durations, so each duration is zero.
private func entry(_ record: RequestRecord) -> JSONTree {
  let request = Head(record.requestHead)
  let response = Head(record.responseHead)
  let words = request.firstLine.split(separator: " ", omittingEmptySubsequences: false)
  let target = words.count > 1 ? String(words[1]) : record.path
  let url = "https://" + (request.value("host") ?? "localhost") + target
  let reason = response.firstLine.split(separator: " ", maxSplits: 2).dropFirst(2).first
  return [
    "startedDateTime": InternetDate.text(milliseconds: record.time).json, "time": 0,
    "request": [
      "method": record.method.json, "url": url.json, "httpVersion": "HTTP/1.1", "cookies": [],
      "headers": request.json, "queryString": [], "headersSize": -1, "bodySize": -1,
    ],
    "response": [
      "status": record.status.json, "statusText": String(reason ?? "").json,
      "httpVersion": "HTTP/1.1", "cookies": [], "headers": response.json,
      "content": [
        "size": record.bytes.json, "mimeType": response.value("content-type")?.json ?? "",
      ],
      "redirectURL": "", "headersSize": -1, "bodySize": record.bytes.json,
    ],
    "cache": [:], "timings": ["send": 0, "wait": 0, "receive": 0],
  ]
}

/// The parsed lines of a stored head.
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

  var json: JSONTree {
    .array(fields.map { ["name": $0.name.json, "value": $0.value.json] })
  }
}
