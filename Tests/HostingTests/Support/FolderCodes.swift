import Diagnostics

/// The codes of what is told about folders, and about files that cannot be served. What the rules
/// of the association language say of the small files of these tests is another matter.
func folderCodes(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.map(\.code).filter { !$0.hasPrefix("A") || $0 <= "A004" }
}
