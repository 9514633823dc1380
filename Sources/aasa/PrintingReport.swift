internal import Diagnostics
internal import Posix
internal import Reporting

/// Prints a report. Only text, which is for people, is styled.
func printReport(_ text: String, as format: OutputFormat = .text) {
  writeToStandard(1, format == .text ? ReportStyle.ofOutput?.styled(text) ?? text : text)
}
