internal import Diagnostics
internal import Posix
internal import Reporting

/// Prints a report. Styles are used only for text, because it is for people.
func printReport(_ text: String, as format: OutputFormat = .text) {
  writeToStandard(1, format == .text ? ReportStyle.ofOutput?.styled(text) ?? text : text)
}
