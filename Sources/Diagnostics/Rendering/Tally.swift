internal import Bytes

/// Counts files by their highest severity.
package struct Tally {
  private var files: [String: Diagnostic.Severity?] = [:]

  package init() {}

  /// Counts a file. If the file was counted before, counts it once, with the highest severity of
  /// all calls.
  ///
  /// - Parameter worst: The highest severity; nil if there are no findings.
  package mutating func add(_ worst: Diagnostic.Severity?, in path: String) {
    let earlier = files[path] ?? nil
    files[path] = .some([earlier, worst].compactMap(\.self).max())
  }

  /// The numbers of files in a sentence, for example `2 files: 1 with errors, 1 clean`.
  package var summary: String {
    let parts = [
      (Diagnostic.Severity.error, "with errors"), (.warning, "with warnings"),
      (.note, "with notes only"), (nil, "clean"),
    ].map { severity, words in (files.values.count { $0 == severity }, words) }
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let count = files.count
    return count.counting("file") + (words.isEmpty ? "" : ": " + words) + "\n"
  }
}
