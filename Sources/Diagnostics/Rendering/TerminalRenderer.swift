internal import Bytes

/// Renders diagnostics for people, each with its source line and a mark below the range.
package struct TerminalRenderer: Sendable {
  /// Whether to use colors. Only the caller knows whether the output is a terminal.
  package var usesColor: Bool
  /// The maximum width in columns of excerpts, and of sentences if they are wrapped.
  package var width: Int
  private var wraps = false

  package init(usesColor: Bool = false, width: Int = 100) {
    self.usesColor = usesColor
    self.width = width
  }

  /// Makes a renderer for a terminal.
  package init(_ style: ReportStyle) {
    self.init(usesColor: style.usesColor, width: style.width)
    wraps = true
  }

  /// All diagnostics of a file, each followed by an empty line.
  package func render(_ file: SubjectReport) -> String {
    let lines = file.source.map { LineIndex($0.bytes) }
    var text = ""
    for diagnostic in file.diagnostics {
      text += render(diagnostic, in: file.source(of: diagnostic), lines) + "\n"
    }
    if file.omitted > 0 {
      let name = escapingInvisible(file.path)
      text +=
        bold(
          "\(name): \(file.omitted.counting("more diagnostic is", "more diagnostics are")) not shown"
        ) + "\n\n"
    }
    return text
  }

  package func render(
    _ diagnostic: Diagnostic, in source: SourceText?, _ lines: LineIndex? = nil
  ) -> String {
    var text = color(diagnostic.severity, "\(diagnostic.severity.rawValue)[\(diagnostic.code)]")
    let start = diagnostic.severity.rawValue.count + diagnostic.code.count + 4
    text += bold(": " + wrapped(diagnostic.message, from: start, margin: 2)) + "\n"
    var margin = "   "
    if let location = diagnostic.location {
      var name = escapingInvisible(location.path)
      if let place = location.place {
        name += ":\(place.line):\(place.column)"
        margin = String(repeating: " ", count: String(place.line).count + 1)
      }
      text += "\(margin.dropLast())\(blue("-->")) \(name)\n"
      if let place = location.place, let source {
        let excerpt = Excerpt(
          place, source, lines ?? LineIndex(source.bytes), width: max(20, width - margin.count - 2))
        text += "\(margin)\(blue("|"))\n"
        text += "\(blue(String(place.line))) \(blue("|")) \(excerpt.line)\n"
        let mark = color(diagnostic.severity, excerpt.mark)
        text += "\(margin)\(blue("|")) \(excerpt.space)\(mark)\n"
      }
    }
    for (name, part) in [("help", diagnostic.help), ("note", diagnostic.note)] {
      guard let part else { continue }
      let start = margin.count + name.count + 4
      text += "\(margin)\(blue("=")) \(bold(name)): "
      text += wrapped(part, from: start, margin: margin.count + 4) + "\n"
    }
    return text
  }

  private func wrapped(_ text: String, from start: Int, margin: Int) -> String {
    let text = escapingInvisible(text)
    return wraps ? text.broken(at: width, from: start, margin: margin) : text
  }

  private func color(_ severity: Diagnostic.Severity, _ text: String) -> String {
    switch severity {
    case .error: paint(text, "1;31")
    case .warning: paint(text, "1;33")
    case .note: paint(text, "1;36")
    }
  }

  private func bold(_ text: String) -> String { paint(text, "1") }
  private func blue(_ text: String) -> String { paint(text, "1;34") }

  private func paint(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
