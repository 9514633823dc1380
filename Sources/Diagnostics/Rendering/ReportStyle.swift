/// The look of reports on a terminal: long lines are wrapped at words, and severities have colors.
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

  /// Colors the word for the severity, or the word `help`. The word is at the beginning of the
  /// line, or after the file name and the position.
  private func painted(_ line: String) -> String {
    let codes = ["error": "1;31", "warning": "1;33", "note": "1;36", "help": "1"]
    guard usesColor, let word = line.firstMatch(of: /^(?: *|\S.*?: )(error|warning|note|help):/)?.1,
      let code = codes[String(word)]
    else { return line }
    return line[..<word.startIndex] + "\u{1B}[\(code)m\(word)\u{1B}[0m" + line[word.endIndex...]
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
