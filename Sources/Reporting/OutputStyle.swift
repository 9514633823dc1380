package import Diagnostics
internal import Posix

extension ReportStyle {
  /// The style for standard output; nil if standard output is not a terminal.
  package static let ofOutput = standardOutputIsTerminal ? ofTerminal : nil
  /// The style for standard error; nil if standard error is not a terminal.
  package static let ofErrors = standardErrorIsTerminal ? ofTerminal : nil

  private static var ofTerminal: ReportStyle {
    let environment = environmentVariables()
    let forbidsColor = environment["TERM"] == "dumb" || environment["NO_COLOR"]?.isEmpty == false
    return ReportStyle(width: max(60, terminalWidth() ?? 80), usesColor: !forbidsColor)
  }
}
