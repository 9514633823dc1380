#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs `body` while no other process on this machine does so for a file in the same folder
/// (flock(2)). The folder is locked, because the file itself may be replaced.
///
/// Throws the error of opening or locking the folder, with its path as subject.
package func withFolderLocked<Result>(
  of path: String, _ body: () throws -> Result
) throws -> Result {
  let folder = parentFolder(path)
  let descriptor = try FileDescriptor.opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  let (_, fault) = retrying { flock(descriptor.rawValue, LOCK_EX) }
  guard fault == 0 else { throw SystemError("flock", folder, code: fault) }
  defer { _ = flock(descriptor.rawValue, LOCK_UN) }
  return try body()
}
