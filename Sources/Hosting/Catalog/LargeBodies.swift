internal import Posix
internal import Synchronization

/// Descriptors for large bodies, from which the kernel sends without copying.
final class LargeBodies: Sendable {
  /// A body of this many bytes and more is worth a descriptor: sending it without copying saves
  /// more than the second system call costs.
  private static let bytes = 32 * 1024
  /// How many bodies get a descriptor, which are needed for connections.
  private static let count = 16

  private struct WeakFile {
    weak var file: MemoryFile?
  }

  private let files = Mutex<[WeakFile]>([])

  /// Nil for a body that is small, and when there are enough.
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
