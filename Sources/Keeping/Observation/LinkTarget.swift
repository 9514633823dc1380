internal import Posix

/// Returns the folder that contains the target of the symbolic link at `path`; nil if `path` is not
/// a link.
package func linkTargetFolder(_ path: String) -> String? {
  readLink(path).flatMap { folder(ofTarget: $0, linkedAt: path) }
}

/// Returns the folder that contains `target`, the target of a symbolic link at `path`.
func folder(ofTarget target: String, linkedAt path: String) -> String? {
  let full: String
  if target.hasPrefix("/") {
    full = target
  } else {
    let slash = path.lastIndex(of: "/")
    full = (slash.map { String(path[..<$0]) } ?? ".") + "/" + target
  }
  return full.lastIndex(of: "/").map { $0 == full.startIndex ? "/" : String(full[..<$0]) }
}
