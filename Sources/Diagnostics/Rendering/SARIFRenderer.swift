internal import Bytes

extension [FileDiagnostics] {
  /// The diagnostics in SARIF 2.1.0 (OASIS Standard), for code scanning.
  package func sarif(version: String) -> String {
    let rules = Set(flatMap { $0.diagnostics.map(\.kind) }).sorted { $0.code < $1.code }
    var indexes: [Kind: Int] = [:]
    for (index, rule) in rules.enumerated() { indexes[rule] = index }
    let results = flatMap { file in
      let lines = file.source.map { LineIndex($0.bytes) }
      return file.diagnostics.map { result($0, file, lines, indexes[$0.kind] ?? 0) }
    }
    let driver = jsonObject([
      ("name", "\"aasa\""), ("version", jsonString(version)),
      ("rules", jsonLines(rules.map(\.sarif))),
    ])
    let run = jsonObject([
      ("tool", jsonObject([("driver", driver)])),
      ("columnKind", "\"unicodeCodePoints\""), ("results", jsonLines(results)),
    ])
    return jsonObject([
      ("$schema", "\"https://json.schemastore.org/sarif-2.1.0.json\""),
      ("version", "\"2.1.0\""), ("runs", jsonArray([run])),
    ]) + "\n"
  }
}

extension Kind {
  fileprivate var sarif: String {
    jsonObject([
      ("id", jsonString(code)), ("name", jsonString(name)),
      ("shortDescription", jsonObject([("text", jsonString(what))])),
      ("help", jsonObject([("text", jsonString(page))])),
      ("defaultConfiguration", jsonObject([("level", jsonString(severity.rawValue))])),
    ])
  }
}

private func result(
  _ diagnostic: Diagnostic, _ file: FileDiagnostics, _ lines: LineIndex?, _ ruleIndex: Int
) -> String {
  let location = diagnostic.location.map { location in
    let region = location.place.map { place in
      let region = Region(place, file.source(of: diagnostic), lines)
      return jsonObject([
        ("startLine", String(region.startLine)), ("startColumn", String(region.startColumn)),
        ("endLine", String(region.endLine)), ("endColumn", String(region.endColumn)),
        ("byteOffset", String(place.range.lowerBound)),
        ("byteLength", String(place.range.count)),
      ])
    }
    let artifact = jsonObject([("uri", jsonString(uri(ofPath: location.path)))])
    let physical = jsonObject([("artifactLocation", artifact), ("region", region)])
    return jsonArray([jsonObject([("physicalLocation", physical)])])
  }
  return jsonObject([
    ("ruleId", jsonString(diagnostic.code)), ("ruleIndex", String(ruleIndex)),
    ("level", jsonString(diagnostic.severity.rawValue)),
    ("message", jsonObject([("text", jsonString(diagnostic.paragraphs))])), ("locations", location),
  ])
}

/// The URI reference of a path (RFC 3986 4.2); relative paths stay relative.
private func uri(ofPath path: String) -> String {
  (path.hasPrefix("/") ? "file://" : "") + path.percentEncodedPath
}
