internal import Posix

/// One place at which a change changes what a path leads to: a name in a directory.
package struct LinkStep: Hashable, Sendable {
  package let directory: String
  package let name: String
}

/// The places that decide what `path` leads to: every symbolic link on the way, and the end of the
/// way, which may not exist.
///
/// - Parameter root: a folder that is taken as it is; only what follows it in `path` is walked.
///   An empty text walks the whole path.
package func linkSteps(of path: String, below root: String = "") -> [LinkStep] {
  var directory = root.isEmpty ? (path.hasPrefix("/") ? "" : ".") : root
  var rest = components(path.dropFirst(root.count))
  var steps: [LinkStep] = []
  // As many links as the kernel follows (path_resolution(7)); beyond that it is a loop.
  var links = 0
  while !rest.isEmpty {
    let name = rest.removeFirst()
    if name == "." { continue }
    let full = directory + "/" + name
    let found = find(full)
    if case .link(let target) = found, links < 40 {
      links += 1
      steps.append(LinkStep(directory: directory.isEmpty ? "/" : directory, name: name))
      if target.utf8.first == UInt8(ascii: "/") { directory = "" }
      rest = components(target[...]) + rest
      continue
    }
    let isMissing = found == .nothing
    if rest.isEmpty || isMissing {
      steps.append(LinkStep(directory: directory.isEmpty ? "/" : directory, name: name))
    }
    if isMissing { break }
    directory = full
  }
  return steps
}

private func components(_ path: Substring) -> [String] {
  path.split(separator: "/").map(String.init)
}
