internal import AppSiteAssociation
internal import Diagnostics
internal import HTTP

/// The state as JSON for the inspector's page. Absent values are null, never missing.
extension DevFacts {
  func json(total: Int) -> String {
    jsonObject([
      ("version", jsonText(version?.name)),
      ("versionSince", version.map { jsonTime($0.since) } ?? "null"),
      ("file", file), ("public", publicName), ("entitlement", jsonText(entitlement)),
      ("entitlements", jsonArray(entitlements.map(jsonString))),
      ("fetch", fetched), ("siblings", jsonArray(siblings.found.map(jsonString))),
      ("apps", jsonArray((version?.links.apps ?? []).map(jsonString))),
      (
        "links",
        jsonArray(
          links.map { link in
            jsonObject([
              ("url", jsonString(link.url)), ("opens", jsonText(link.opens)),
              ("android", android.opensJSON(link.url)),
            ])
          })
      ), ("android", jsonText(android?.name)),
      ("total", String(total)),
    ])
  }

  private var file: String {
    let lines = LineIndex(source.bytes)
    return jsonObject([
      ("path", jsonText(path)),
      (
        "text",
        jsonString(String(decoding: source.bytes.prefix(DevLimits.textBytes), as: UTF8.self))
      ),
      ("omittedBytes", String(max(0, source.bytes.count - DevLimits.textBytes))),
      ("isServed", String(isServed)), ("changes", jsonArray(changes.map(jsonString))),
      ("diagnostics", jsonArray(diagnostics.map { $0.json(in: source, lines) })),
    ])
  }

  private var publicName: String {
    jsonObject([
      ("host", jsonText(site.host)), ("origin", jsonText(site.origin)),
      ("tunnel", jsonString(site.tunnel)), ("state", jsonString(site.state.rawValue)),
      ("message", jsonText(site.message)), ("problem", jsonText(site.problem)),
    ])
  }

  private var fetched: String {
    let (state, sentence) = headline
    return jsonObject([
      ("state", jsonString(state.rawValue)), ("sentence", jsonString(sentence)),
      ("device", json(device)), ("cdn", json(cdn)),
    ])
  }

  private func json(_ fetch: SeenFetch?) -> String {
    guard let fetch else { return "null" }
    return jsonObject([
      ("time", jsonTime(fetch.time)), ("version", jsonString(fetch.version)),
      ("sentence", jsonString(fetch.sentence(current: version?.name))),
    ])
  }
}

extension Diagnostic {
  fileprivate func json(in source: SourceText, _ lines: LineIndex) -> String {
    var diagnostic = self
    if location?.path != source.path { diagnostic.location = nil }
    return jsonObject(
      diagnostic.members(
        .severity, .code, .message, .line, .column, .endLine, .endColumn, .help, .note,
        in: source, lines
      ).map { ($0, $1 ?? "null") })
  }
}

extension RequestRecord {
  private var members: [(String, String?)] {
    [
      ("number", String(number)), ("time", jsonTime(time)), ("class", jsonString(fetcher)),
      ("method", jsonString(method)), ("path", jsonString(path)),
      ("kind", jsonString(kind.rawValue)), ("status", String(status)), ("bytes", String(bytes)),
      ("version", jsonText(version)), ("fault", jsonText(fault)), ("agent", jsonString(agent)),
      ("client", jsonText(client)),
    ]
  }

  var json: String { jsonObject(members) }

  /// The record with the heads of request and response.
  var detailJSON: String {
    jsonObject(
      members + [
        ("requestHead", jsonString(requestHead)), ("responseHead", jsonString(responseHead)),
      ])
  }
}

/// Returns a text or null.
func jsonText(_ text: String?) -> String { text.map(jsonString) ?? "null" }

/// Returns a time in milliseconds since 1970, in the format of RFC 3339.
func jsonTime(_ milliseconds: Int64) -> String {
  jsonString(InternetDate.text(milliseconds: milliseconds))
}
