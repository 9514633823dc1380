package import Diagnostics
internal import JSON

extension Rule {
  /// The rule as the file has it, on one line, at most 120 characters of it.
  package func line(in source: SourceText) -> String {
    let text = String(decoding: source.bytes[self.source.range], as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 120 ? line : line.prefix(119) + "…"
  }
}
