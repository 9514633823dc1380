/// The look of reports on a terminal: long lines are wrapped at words, and severities and outcomes of
/// links have colors.
package struct ReportStyle: Sendable {
  package let width: Int
  package let usesColor: Bool

  package init(width: Int, usesColor: Bool) {
    self.width = width
    self.usesColor = usesColor
  }

  package func styled(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { painted(wrapped($0)) }
      .joined(separator: "\n")
  }

  private func wrapped(_ line: Substring) -> String {
    let indentation = line.prefix { $0 == " " }
    // Do not wrap lines of an HTTP exchange, or commands for the user to copy.
    let isKept =
      "<>".contains(line.dropFirst(indentation.count).first ?? " ") || line.hasPrefix("try it: ")
    if line.count <= width || isKept { return String(line) }
    // Indent the wrapped lines of a row to the column where the row's text begins.
    let column = Self.column(of: line)
    let start = line.prefix(column ?? indentation.count)
    return start
      + line.dropFirst(start.count).broken(
        at: width, from: start.count, margin: column ?? indentation.count + 2)
  }

  /// Returns the column where the text of a row begins. A row is a line with a name, two or more
  /// spaces, and a text. Nil for lines of other forms.
  private static func column(of line: Substring) -> Int? {
    let row = line.prefixMatch(of: /^ *\S(?: ?\S)* {2,}/)?.output
    return row.flatMap { $0.count <= 24 ? $0.count : nil }
  }

  private static let colors = [
    "error": "1;31", "warning": "1;33", "note": "1;36", "help": "1", "opens": "1;32",
    "blocked": "1;31", "browser": "1;33",
  ]

  /// Colors the word for the severity, the word `help`, the outcomes of links, and the code at the end
  /// of a verdict. The first two are at the beginning of the line, or after the file name and the
  /// position. An outcome is after the identifier of an app, or after the outcome in another file.
  private func painted(_ line: String) -> String {
    guard usesColor else { return line }
    let severity = line.firstMatch(of: /^ *(?:\S.*?: )?(error|warning|note|help):/).map { [$0.1] }
    let words =
      severity
      ?? line.matches(of: /(?:: |→ )(opens|blocked|browser)(?=:|,| |$)|(\[[A-Z]\d{3}\])$/)
      .compactMap { $0.1 ?? $0.2 }
    var text = line
    for word in words.reversed() {
      text.replaceSubrange(
        word.startIndex..<word.endIndex,
        with: "\u{1B}[\(Self.colors[String(word)] ?? "1;31")m\(word)\u{1B}[0m")
    }
    return text
  }
}

extension StringProtocol {
  /// The text with line breaks between words, so that each line has at most `width` columns.
  ///
  /// - Parameters:
  ///   - start: The number of columns before the first word.
  ///   - margin: The number of spaces before each line after the first.
  func broken(at width: Int, from start: Int, margin: Int) -> String {
    var (text, column, isFirst) = ("", start, true)
    for word in split(separator: " ") {
      if !isFirst && column + 1 + word.count > width {
        text += "\n" + String(repeating: " ", count: margin)
        (column, isFirst) = (margin, true)
      }
      text += isFirst ? String(word) : " " + word
      column += word.count + (isFirst ? 0 : 1)
      isFirst = false
    }
    return text
  }
}
