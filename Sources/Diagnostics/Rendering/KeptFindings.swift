/// Stores findings until the end, for output formats that begin with a summary. The findings of all
/// files share a limit. Beyond the limit, diagnostics are only counted, and texts are not stored.
package struct KeptFindings {
  /// The findings of each file, in the order in which the files were first added.
  package private(set) var files: [SubjectReport] = []
  /// The remaining budget: how many more diagnostics and bytes of text may be stored.
  private var budget: Budget
  /// The index of each path in `files`.
  private var places: [String: Int] = [:]

  package static let most = Budget(operations: 100_000, bytes: 64 << 20)

  package init(_ budget: Budget = Self.most) { self.budget = budget }

  /// Stores the findings of a file. If the file was added before, adds the findings to those of the
  /// first time.
  package mutating func add(_ file: SubjectReport, of path: String) {
    var file = file
    budget.spend(file.diagnostics.count, bytes: file.source?.bytes.count ?? 0)
    if budget.bytes < 0 { file.source = nil }
    if budget.operations < 0 {
      file.omitted += file.diagnostics.count
      file.diagnostics = []
    }
    if let index = places[path] {
      files[index].diagnostics += file.diagnostics
      files[index].omitted += file.omitted
    } else {
      places[path] = files.count
      files.append(file)
    }
  }
}
