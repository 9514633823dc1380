internal import Bytes

extension Diagnostic {
  /// The diagnostic on one line, for logs: `path:line:column: error: message (help: …) [J004]`.
  package var line: String {
    var text = ""
    if let location {
      text += location.path
      if let place = location.place { text += ":\(place.line):\(place.column)" }
      text += ": "
    }
    text += "\(severity.rawValue): \(message)"
    if let help { text += "; \(help)" }
    if let note { text += " (\(note))" }
    return escapingControls(text + " [\(code)]")
  }

  /// The message, the help and the note, each on its own line.
  var paragraphs: String {
    [message, help.map { "help: " + $0 }, note.map { "note: " + $0 }].compactMap(\.self)
      .joined(separator: "\n")
  }
}

/// Returns `text` with control characters written as `\u{…}`, so that a file's name or content can
/// neither forge a log line nor control a terminal.
package func escapingControls(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isControl) else { return text }
  return escaped(text) { $0.isControl ? "\\u{" + String($0.value, radix: 16) + "}" : nil }
}

/// Pads `text` with spaces to `width` characters.
package func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Escapes text for a cell of a Markdown table.
package func markdownCell(_ text: String) -> String {
  var result = ""
  for character in escapingControls(text) {
    if "\\`*_{}[]<>|#&!~".contains(character) { result += "\\" }
    result.append(character)
  }
  return result
}

/// Formats text as code in a table cell, so that GitHub does not turn it into a link.
package func markdownCode(_ text: String) -> String {
  if text.contains("`") { return markdownCell(text) }
  return "`"
    + escapingControls(text).split(separator: "|", omittingEmptySubsequences: false)
    .joined(separator: "\\|") + "`"
}

/// Replaces the characters for which `escape` returns a text.
func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if let escape = escape(scalar) {
      result += escape
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
