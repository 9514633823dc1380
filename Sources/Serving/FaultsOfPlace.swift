internal import Diagnostics
internal import Posix
internal import Settings

/// Returns the faults in the setup of this machine that the server reports at its start.
func faultsOfPlace(_ configuration: Configuration) -> [Diagnostic] {
  [mountedFiles(configuration), fewDescriptors()].compactMap(\.self)
}

/// Warns about files that are bind-mounted individually. After somebody replaces a file, its bind
/// mount still shows the old file.
private func mountedFiles(_ configuration: Configuration) -> Diagnostic? {
  let file = configuration.file.isEmpty ? nil : try? resolvedPath(configuration.file)
  let folders = [configuration.domains, configuration.certificates]
    .compactMap { try? resolvedPath($0) + "/" }
  let files = mountPoints().filter { path in
    (path == file || folders.contains(where: path.hasPrefix))
      && (try? status(path).kind) == .regular
  }
  guard let first = files.first else { return nil }
  let more = files.count > 1 ? " (the first of \(files.count) such files)" : ""
  return Diagnostic(
    .fileMountedAlone, "this file is mounted as a single file\(more)", at: .init(path: first),
    note: "an editor replaces the file with a new file, but the mount still shows the old file")
}

/// Warns if there are too few descriptors for files, listening sockets and some connections.
private func fewDescriptors() -> Diagnostic? {
  let limit = raiseDescriptorLimit()
  if limit >= 64 { return nil }
  return Diagnostic(
    .fewDescriptors, "the limit of open files is \(limit)",
    note: "the server may fail to read files, including keys, and closes connections to accept "
      + "new connections")
}
