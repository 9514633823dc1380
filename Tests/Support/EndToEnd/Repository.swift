import Foundation

/// A file of the repository, by its path from the root.
func repositoryFile(_ path: String) -> String {
  URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: path).path
}

/// The one block of code of this language in a page of the documentation.
func documentedBlock(_ language: String, in page: String) throws -> String {
  let text = try String(contentsOfFile: repositoryFile("Documentation/" + page), encoding: .utf8)
  let parts = text.components(separatedBy: "```\(language)\n")
  guard parts.count == 2, let end = parts[1].range(of: "```") else {
    throw Failure("there is not one block of \(language) in \(page)")
  }
  return String(parts[1][..<end.lowerBound])
}
