internal import Bytes

extension [SubjectReport] {
  /// The diagnostics in SARIF 2.1.0 (OASIS Standard), for code scanning.
  package func sarif(version: String) -> String {
    let rules = Set(flatMap { $0.diagnostics.map(\.kind) }).sorted { $0.code < $1.code }
    var indexes: [Kind: Int] = [:]
    for (index, rule) in rules.enumerated() { indexes[rule] = index }
    let results = flatMap { file in
      let lines = file.source.map { LineIndex($0.bytes) }
      return file.diagnostics.map { result($0, file, lines, indexes[$0.kind] ?? 0).minified }
    }
    let driver: JSONTree = [
      "name": "aasa", "version": version.json, "rules": .lines(rules.map(\.sarif.minified)),
    ]
    let run: JSONTree = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .lines(results),
    ]
    let report: JSONTree = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    return "\(report)\n"
  }
}

extension Kind {
  fileprivate var sarif: JSONTree {
    [
      "id": code.json, "name": name.json, "shortDescription": ["text": what.json],
      "help": ["text": page.json], "defaultConfiguration": ["level": severity.rawValue.json],
    ]
  }
}

private func result(
  _ diagnostic: Diagnostic, _ file: SubjectReport, _ lines: LineIndex?, _ ruleIndex: Int
) -> JSONTree {
  let locations = diagnostic.location.map { location -> JSONTree in
    let region = location.place.map { place -> JSONTree in
      let region = Region(place, file.source(of: diagnostic), lines)
      return [
        "startLine": region.startLine.json, "startColumn": region.startColumn.json,
        "endLine": region.endLine.json, "endColumn": region.endColumn.json,
        "byteOffset": place.range.lowerBound.json, "byteLength": place.range.count.json,
      ]
    }
    let artifact: JSONTree = ["uri": uri(ofPath: location.path).json]
    return [["physicalLocation": ["artifactLocation": artifact, "region": region]]]
  }
  return [
    "ruleId": diagnostic.code.json, "ruleIndex": ruleIndex.json,
    "level": diagnostic.severity.rawValue.json,
    "message": ["text": diagnostic.paragraphs.joined(separator: "\n").json],
    "locations": locations,
  ]
}

/// The URI reference of a path (RFC 3986 4.2); relative paths stay relative.
private func uri(ofPath path: String) -> String {
  (path.hasPrefix("/") ? "file://" : "") + path.percentEncodedPath
}
