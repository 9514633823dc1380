internal import Bytes

extension [FileDiagnostics] {
  /// The diagnostics in SARIF 2.1.0 (OASIS Standard), for code scanning.
  ///
  /// - Parameters:
  ///   - kinds: Those that occur are written.
  package func sarif(version: String, kinds: [DiagnosticKind]) -> String {
    let used = Set(flatMap { $0.diagnostics.map(\.code) })
    var rules = kinds.filter { used.contains($0.code) }
    // Every code has a rule, so that every result can refer to one.
    let known = Set(rules.map(\.code))
    for code in used.sorted() where !known.contains(code) {
      rules.append(DiagnosticKind(code, code, code, code, nil))
    }
    rules.sort { $0.code < $1.code }
    var indexes: [String: Int] = [:]
    for (index, rule) in rules.enumerated() { indexes[rule.code] = index }
    let results = flatMap { file in
      let lines = file.source.map { LineIndex($0.bytes) }
      return file.diagnostics.map { result($0, file, lines, indexes[$0.code] ?? 0) }
    }
    let driver = JSONText.object([
      ("name", "\"aasa\""), ("version", JSONText.string(version)),
      ("rules", JSONText.lines(rules.map(\.sarif))),
    ])
    let run = JSONText.object([
      ("tool", JSONText.object([("driver", driver)])),
      ("columnKind", "\"unicodeCodePoints\""), ("results", JSONText.lines(results)),
    ])
    return JSONText.object([
      ("$schema", "\"https://json.schemastore.org/sarif-2.1.0.json\""),
      ("version", "\"2.1.0\""), ("runs", JSONText.array([run])),
    ]) + "\n"
  }
}

extension DiagnosticKind {
  fileprivate var sarif: String {
    JSONText.object([
      ("id", JSONText.string(code)), ("name", JSONText.string(name)),
      ("shortDescription", JSONText.object([("text", JSONText.string(what))])),
      ("help", JSONText.object([("text", JSONText.string(page))])),
      (
        "defaultConfiguration",
        JSONText.object([("level", JSONText.string(severity.rawValue))])
      ),
    ])
  }
}

private func result(
  _ diagnostic: Diagnostic, _ file: FileDiagnostics, _ lines: LineIndex?, _ ruleIndex: Int
) -> String {
  let message = [
    diagnostic.message, diagnostic.help.map { "help: " + $0 },
    diagnostic.note.map { "note: " + $0 },
  ].compactMap(\.self).joined(separator: "\n")
  let location = diagnostic.location.map { location in
    let region = location.place.map { place in
      let region = Region(place, file.source(of: diagnostic), lines)
      return JSONText.object([
        ("startLine", String(region.startLine)), ("startColumn", String(region.startColumn)),
        ("endLine", String(region.endLine)), ("endColumn", String(region.endColumn)),
        ("byteOffset", String(place.range.lowerBound)),
        ("byteLength", String(place.range.count)),
      ])
    }
    let artifact = JSONText.object([("uri", JSONText.string(uri(ofPath: location.path)))])
    let physical = JSONText.object([("artifactLocation", artifact), ("region", region)])
    return JSONText.array([JSONText.object([("physicalLocation", physical)])])
  }
  return JSONText.object([
    ("ruleId", JSONText.string(diagnostic.code)), ("ruleIndex", String(ruleIndex)),
    ("level", JSONText.string(diagnostic.severity.rawValue)),
    ("message", JSONText.object([("text", JSONText.string(message))])), ("locations", location),
  ])
}

/// A URI reference of a path (RFC 3986 4.2): relative paths stay relative.
private func uri(ofPath path: String) -> String {
  var result = path.hasPrefix("/") ? "file://" : ""
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      result += byte.percentEncoded
    }
  }
  return result
}
