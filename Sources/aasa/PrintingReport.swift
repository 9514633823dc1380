internal import Diagnostics
internal import Posix

extension ReportStyle {
  /// The style of the standard output; nil if it is not a terminal.
  static let ofOutput: ReportStyle? = {
    guard standardOutputIsTerminal else { return nil }
    let environment = environmentVariables()
    let forbidsColor = environment["TERM"] == "dumb" || environment["NO_COLOR"]?.isEmpty == false
    return ReportStyle(width: max(60, terminalWidth() ?? 80), usesColor: !forbidsColor)
  }()
}

/// Prints a report. Only text, which is for people, is styled.
func printReport(_ text: String, as format: OutputFormat = .text) {
  writeToStandard(1, format == .text ? ReportStyle.ofOutput?.styled(text) ?? text : text)
}
