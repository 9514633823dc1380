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
}

/// `text` with control characters written as `\u{…}`, so that a file name or a file's content
/// can neither forge a log line nor steer a terminal.
package func escapingControls(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
    return text
  }
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.properties.generalCategory == .control {
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
