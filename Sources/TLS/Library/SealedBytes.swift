internal import COpenSSL

/// Bytes that are overwritten when the last reference goes, such as those of a private key.
final class SealedBytes: Sendable {
  private let memory: Handle
  private let count: Int

  /// Nil when there is no memory.
  init?(copying bytes: [UInt8]) {
    guard let start = unsafe aasa_malloc(max(1, bytes.count)) else { return nil }
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
        .copyMemory(from: source)
    }
    memory = unsafe Handle(OpaquePointer(start))
    count = bytes.count
  }

  deinit {
    unsafe aasa_clear_free(UnsafeMutableRawPointer(memory.pointer), max(1, count))
  }

  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let start = unsafe UnsafeRawPointer(memory.pointer).assumingMemoryBound(to: UInt8.self)
    let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
    return unsafe body(buffer.span)
  }

  func isSame(as other: SealedBytes) -> Bool {
    guard count == other.count else { return false }
    let (mine, others) = unsafe (
      UnsafeRawPointer(memory.pointer), UnsafeRawPointer(other.memory.pointer)
    )
    return unsafe CRYPTO_memcmp(mine, others, count) == 0
  }
}
