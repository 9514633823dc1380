package import Diagnostics
internal import Foundation
package import Testing

/// Compares a report with the one that a person has read and kept, in `Tests/Corpus/reports`. With
/// UPDATE_SNAPSHOTS=1 it is kept instead, to be read with `git diff`.
package func expectKept(
  _ report: String, as name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let folder = tests.appending(path: "Corpus/reports")
  let file = folder.appending(path: name + ".txt")
  if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(report.utf8).write(to: file)
    return
  }
  let kept = try? String(contentsOf: file, encoding: .utf8)
  #expect(
    report == kept,
    "the report differs from \(file.lastPathComponent); read it, then keep it with UPDATE_SNAPSHOTS=1",
    sourceLocation: location)
}

/// Compares a report, as a terminal of 80 columns shows it, with the screen that a person has read
/// and kept.
package func expectScreen(
  _ report: String, _ name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let screen = ReportStyle.screen.styled(report)
  let long = screen.split(separator: "\n").filter {
    $0.count > 80 && !$0.contains(#/^ *[<>] |^try it: /#)
  }
  #expect(long.isEmpty, sourceLocation: location)
  try expectKept(screen, as: "screens/" + name, at: location)
}

extension ReportStyle {
  /// A terminal of 80 columns without colors.
  package static let screen = ReportStyle(width: 80, usesColor: false)
}
