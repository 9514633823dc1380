import Diagnostics

/// The codes of diagnostics about folders, and about files that cannot be served, without those of
/// the rules of the association language.
func folderCodes(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.map(\.code).filter { !$0.hasPrefix("A") || $0 <= "A004" }
}
