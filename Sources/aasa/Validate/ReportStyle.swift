internal import Diagnostics
internal import Posix

/// The look of reports on a terminal: long lines are wrapped at words, and severities have colors.
struct ReportStyle {
  let width: Int
  let usesColor: Bool

  /// The style of the standard output; nil if it is not a terminal.
  static let ofOutput: ReportStyle? = {
    guard standardOutputIsTerminal else { return nil }
    let environment = environmentVariables()
    let forbidsColor = environment["TERM"] == "dumb" || environment["NO_COLOR"]?.isEmpty == false
    return ReportStyle(width: max(60, terminalWidth() ?? 80), usesColor: !forbidsColor)
  }()

  func styled(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(lines)
      .joined(separator: "\n")
  }

  private func lines(of line: Substring) -> [String] {
    let indentation = line.prefix { $0 == " " }
    // What a server sent stays as it is.
    if line.count <= width || "<>".contains(line.dropFirst(indentation.count).first ?? " ") {
      return [painted(String(line))]
    }
    var result: [String] = []
    var current = String(indentation)
    var isEmpty = true
    for word in line.split(separator: " ") {
      if !isEmpty && current.count + 1 + word.count > width {
        result.append(current)
        (current, isEmpty) = (indentation + "  ", true)
      }
      current += isEmpty ? String(word) : " " + word
      isEmpty = false
    }
    result.append(current)
    return [painted(result[0])] + result.dropFirst()
  }

  /// Colors the word that begins the line of a finding.
  private func painted(_ line: String) -> String {
    let start = line.drop { $0 == " " }
    let codes = [("error", "1;31"), ("warning", "1;33"), ("note", "1;36"), ("help", "1")]
    guard usesColor,
      let (word, code) = codes.first(where: { start.hasPrefix($0.0 + ":") })
    else { return line }
    return line.prefix(line.count - start.count) + "\u{1B}[\(code)m\(word)\u{1B}[0m"
      + start.dropFirst(word.count)
  }
}

/// Prints a report. Only text, which is for people, is styled.
func printReport(_ text: String, as format: OutputFormat = .text) {
  writeToStandard(1, format == .text ? ReportStyle.ofOutput?.styled(text) ?? text : text)
}
