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
    return escapingInvisible(text + " [\(code)]")
  }

  /// The message and, if the diagnostic has them, the help and the note, each as a separate text.
  var paragraphs: [String] {
    [message, help.map { "help: " + $0 }, note.map { "note: " + $0 }].compactMap(\.self)
  }
}

/// Pads `text` with spaces to `width` characters.
package func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
