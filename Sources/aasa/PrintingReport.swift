internal import Diagnostics
internal import Posix
internal import Reporting

/// Prints a report. Uses colors and other styles only in the text format, because only this format
/// is for people.
func printReport(_ text: String, as format: OutputFormat = .text) {
  writeToStandard(1, format == .text ? ReportStyle.ofOutput?.styled(text) ?? text : text)
}
