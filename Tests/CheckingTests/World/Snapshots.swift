import Foundation
import Testing

/// Compares a report with the one that a person has read and kept, in `Tests/Corpus/reports`. With
/// UPDATE_SNAPSHOTS=1 it is kept instead, to be read with `git diff`.
func expectKept(
  _ report: String, as name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let folder = tests.appending(path: "Corpus/reports")
  let file = folder.appending(path: name + ".txt")
  if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(report.utf8).write(to: file)
    return
  }
  let kept = try? String(contentsOf: file, encoding: .utf8)
  #expect(
    report == kept,
    "the report differs from \(file.lastPathComponent); read it, then keep it with UPDATE_SNAPSHOTS=1",
    sourceLocation: location)
}

extension String {
  /// The report with the parts that depend on the time and the port made equal.
  var normalized: String {
    replacing(":\(CheckWorld.port)", with: ":PORT").replacing(
      "Host: 127.0.0.1:9999", with: "Host: CDN"
    )
    .replacing(":9999/", with: ":CDN/")
    .replacing(/until \d{4}-\d\d-\d\d/, with: "until DAY")
    .replacing(/on \d{4}-\d\d-\d\d/, with: "on DAY")
    .replacing(/before \d{4}-\d\d-\d\d/, with: "before DAY")
    .replacing(/in \d+ days/, with: "in N days")
    .replacing(/for \d+ more days/, with: "for N more days")
    .replacing(/took \d+\.\d s/, with: "took N s")
  }
}
