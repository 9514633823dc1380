package import Diagnostics
internal import Posix

extension ReportStyle {
  /// The style for standard output; nil if standard output is not a terminal.
  package static let ofOutput: ReportStyle? = {
    guard standardOutputIsTerminal else { return nil }
    let environment = environmentVariables()
    let forbidsColor = environment["TERM"] == "dumb" || environment["NO_COLOR"]?.isEmpty == false
    return ReportStyle(width: max(60, terminalWidth() ?? 80), usesColor: !forbidsColor)
  }()
}
