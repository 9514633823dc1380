internal import Bytes

// All output of untrusted text uses one of these functions, depending on the format. For JSON,
// `JSONTree` escapes the text.

/// Returns `text` with invisible characters written as `\u{…}`. So the name or the content of a
/// file can neither imitate another line of the output, nor control a terminal, nor hide or reorder
/// text.
package func escapingInvisible(_ text: String) -> String {
  // Return plain ASCII text immediately, because most text is plain ASCII.
  guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
    text.unicodeScalars.contains(where: \.isInvisible)
  else { return text }
  return escaped(text) { $0.isInvisible ? "\\u{" + String($0.value, radix: 16) + "}" : nil }
}

/// Escapes text for a cell of a Markdown table.
package func markdownCell(_ text: String) -> String {
  escaped(escapingInvisible(text)) {
    "\\`*_{}[]<>|#&!~".unicodeScalars.contains($0) ? "\\\($0)" : nil
  }
}

/// Formats text as code in a cell of a Markdown table, so that GitHub does not make a link of the
/// text.
package func markdownCode(_ text: String) -> String {
  if text.contains("`") { return markdownCell(text) }
  return "`" + escaped(escapingInvisible(text)) { $0 == "|" ? "\\|" : nil } + "`"
}

/// Escapes text for HTML and XML: for the content of elements, and for attribute values in quotes.
/// Characters that XML 1.0 forbids or discourages (2.2) become U+FFFD.
package func escapingMarkup(_ text: String) -> String {
  escaped(text) { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\t", "\n", "\r": "&#\(scalar.value);"
    case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
    default: scalar.isControl ? "\u{FFFD}" : nil
    }
  }
}

/// Escapes the message of a GitHub workflow command. A line end would end the message, and `%`
/// begins an escape.
func escapingCommandMessage(_ lines: [String]) -> String {
  lines.map { escapingInvisible($0).replacing("%", with: "%25") }.joined(separator: "%0A")
}

/// Escapes a property of a GitHub workflow command, in which `:` and `,` are separators too.
func escapingCommandProperty(_ text: String) -> String {
  escapingCommandMessage([text]).replacing(":", with: "%3A").replacing(",", with: "%2C")
}

/// Replaces each character with the text that `escape` returns. A character for which `escape`
/// returns nil stays unchanged.
private func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
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
