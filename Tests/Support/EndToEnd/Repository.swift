import Foundation

/// A file of the repository, by its path from the root.
func repositoryFile(_ path: String) -> String {
  URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: path).path
}
