internal import Posix
internal import Synchronization

/// Descriptors for large bodies, from which the kernel sends without copying.
final class LargeBodies: Sendable {
  /// The size from which a body is worth a descriptor, because sending without copying saves more
  /// than the extra system call costs.
  private static let bytes = 32 * 1024
  /// The limit on the number of descriptors, because connections need them too.
  private static let count = 16

  private struct WeakFile {
    weak var file: MemoryFile?
  }

  private let files = Mutex<[WeakFile]>([])

  /// Nil if the body is small, or if the limit is reached.
  func file(of body: [UInt8]) -> MemoryFile? {
    if body.count < Self.bytes { return nil }
    return files.withLock { files -> MemoryFile? in
      files = files.filter { $0.file != nil }
      if files.count >= Self.count { return nil }
      let file = MemoryFile(body)
      if let file { files.append(WeakFile(file: file)) }
      return file
    }
  }
}
