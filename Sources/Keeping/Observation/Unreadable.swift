internal import Diagnostics
internal import Posix

/// Returns the diagnostic for a file or folder that the system does not let the server read.
///
/// - Parameters:
///   - what: The kind of the file for the message, such as `the file`.
///   - path: The path that the user knows. If another path causes the error, for example the target
///     of a link, the message contains that path too.
///   - isSecret: Whether other users must not read the file.
func unreadableDiagnostic(
  _ what: String, _ kind: Kind, _ path: String, _ error: SystemError,
  isSecret: Bool = false
) -> Diagnostic {
  let place = obstacle(on: path)
  let suffix = place == path ? "" : " at \(place)"
  return Diagnostic(
    kind, "\(what) cannot be read: \(error.reason)\(suffix)", at: .init(path: path),
    help: remedy(for: error, at: place, isSecret: isSecret))
}

private func remedy(for error: SystemError, at place: String, isSecret: Bool) -> String {
  if error.isPermissionDenied {
    let isOpenToAll = !isSecret || (try? linkStatus(place))?.kind == .directory
    let command = isOpenToAll ? "chmod a+rX \(place)" : "chgrp GROUP \(place); chmod g+r \(place)"
    let who = isOpenToAll ? "the server's user" : "a group of the server's user"
    let help = "give \(who) access, for example with \"\(command)\""
    guard ["/live", "/archive"].contains(where: { place.contains($0) }) else { return help }
    return "certbot's folders belong to root: copy certbot's certificates with "
      + "/usr/share/aasa/certbot-deploy-hook of the package, or Config/certbot-deploy-hook of the "
      + "sources; or \(help)"
  }
  if error.isNotFound || error.isLinkLoop {
    return "a symbolic link has no existing target: fix or remove the link"
  }
  if error.isDirectory {
    return "replace the folder with a file; Docker creates a folder if the mounted file is missing"
  }
  // Opening a socket as a file causes the error `isPipeWithoutReader`.
  if error.isNotRegularFile || error.isPipeWithoutReader {
    return "replace the pipe, socket or device with a regular file"
  }
  if error.isOutOfDescriptors {
    return "too many files are open: raise the limit (ulimit -n, or LimitNOFILE= of systemd); the "
      + "server tries again"
  }
  return "check the disk or the mount; the server tries again"
}

/// Follows the path and the links in it. Returns the path of the first folder that cannot be
/// searched, or of the first name that cannot be found. If every folder can be searched and every
/// name is found, returns the path of the final target.
func obstacle(on path: String) -> String {
  var directory = path.hasPrefix("/") ? "" : "."
  var rest = path.split(separator: "/").map(String.init)
  // The kernel follows only a limited number of links (path_resolution(7)), and treats a longer
  // chain as a loop.
  var links = 0
  while !rest.isEmpty {
    let name = rest.removeFirst()
    if name == "." { continue }
    if name == "..", directory.hasPrefix("/") {
      // No component of `directory` is a link, so `..` is the parent folder of `directory`.
      directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
      continue
    }
    let full = directory == "." ? name : directory + "/" + name
    do throws(SystemError) {
      let status = try linkStatus(full)
      guard status.kind == .symbolicLink, links < 40, let target = readLink(full) else {
        directory = full
        continue
      }
      links += 1
      if target.hasPrefix("/") { directory = "" }
      rest = target.split(separator: "/").map(String.init) + rest
    } catch {
      // If there is no permission to search the folder, the folder is the obstacle.
      return error.isPermissionDenied ? (directory.isEmpty ? "/" : directory) : full
    }
  }
  return directory.isEmpty ? "/" : directory
}
