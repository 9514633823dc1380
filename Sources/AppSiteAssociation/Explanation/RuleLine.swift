package import Diagnostics
internal import JSON

extension Rule {
  /// The text of the rule in the file, on one line, cut to 120 characters.
  package func line(in source: SourceText) -> String {
    let text = String(decoding: source.bytes[self.source.range], as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 120 ? line : line.prefix(119) + "…"
  }
}
