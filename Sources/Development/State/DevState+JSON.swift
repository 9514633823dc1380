internal import AppSiteAssociation
internal import Diagnostics
internal import HTTP

/// The state as JSON for the inspector's page. A member without a value is null; members are never
/// omitted.
extension DevFacts {
  func json(total: Int) -> JSONTree {
    [
      "version": version?.name.json ?? .null,
      "versionSince": version.map { InternetDate.text(milliseconds: $0.since).json } ?? .null,
      "file": file, "public": publicName, "entitlement": entitlement?.json ?? .null,
      "entitlements": entitlements.json, "fetch": fetched, "siblings": siblings.found.json,
      "apps": (version?.links.apps ?? []).json,
      "links": .array(
        links.map { link in
          [
            "url": link.url.json, "opens": link.opens?.json ?? .null,
            "android": android.opensJSON(link.url),
          ]
        }),
      "android": android?.name.json ?? .null, "total": total.json,
    ]
  }

  private var file: JSONTree {
    let lines = LineIndex(source.bytes)
    let text = String(decoding: source.bytes.prefix(DevLimits.textBytes), as: UTF8.self)
    return [
      "path": path?.json ?? .null, "text": text.json,
      "omittedBytes": max(0, source.bytes.count - DevLimits.textBytes).json,
      "isServed": isServed.json, "changes": changes.json,
      "diagnostics": .array(diagnostics.map { $0.json(in: source, lines) }),
    ]
  }

  private var publicName: JSONTree {
    [
      "host": site.host?.json ?? .null, "origin": site.origin?.json ?? .null,
      "tunnel": site.tunnel.json, "state": site.state.rawValue.json,
      "message": site.message?.json ?? .null, "problem": site.problem?.json ?? .null,
    ]
  }

  private var fetched: JSONTree {
    let (state, sentence) = headline
    return [
      "state": state.rawValue.json, "sentence": sentence.json, "device": json(device),
      "cdn": json(cdn),
    ]
  }

  private func json(_ fetch: SeenFetch?) -> JSONTree {
    guard let fetch else { return .null }
    return [
      "time": InternetDate.text(milliseconds: fetch.time).json, "version": fetch.version.json,
      "sentence": fetch.sentence(current: version?.name).json,
    ]
  }
}

extension Diagnostic {
  fileprivate func json(in source: SourceText, _ lines: LineIndex) -> JSONTree {
    var diagnostic = self
    if location?.path != source.path { diagnostic.location = nil }
    return JSONTree(
      diagnostic.members(
        .severity, .code, .message, .line, .column, .endLine, .endColumn, .help, .note,
        in: source, lines
      ).map { ($0, $1 ?? .null) })
  }
}

extension RequestRecord {
  var json: JSONTree { json(withHeads: false) }

  /// - Parameter withHeads: Whether to add the heads of request and response.
  func json(withHeads: Bool) -> JSONTree {
    [
      "number": number.json, "time": InternetDate.text(milliseconds: time).json,
      "class": fetcher.json, "method": method.json, "path": path.json,
      "kind": kind.rawValue.json, "status": status.json, "bytes": bytes.json,
      "version": version?.json ?? .null, "fault": fault?.json ?? .null, "agent": agent.json,
      "client": client?.json ?? .null,
      "requestHead": withHeads ? requestHead.json : nil,
      "responseHead": withHeads ? responseHead.json : nil,
    ]
  }
}
