internal import COpenSSL

/// Bytes, such as those of a private key, that are overwritten when the last reference is released.
final class SealedBytes: Sendable {
  private let start: Handle
  private let count: Int

  /// Returns nil if out of memory.
  init?(copying bytes: [UInt8]) {
    guard let start = unsafe aasa_malloc(max(1, bytes.count)) else { return nil }
    self.start = unsafe Handle(OpaquePointer(start))
    count = bytes.count
    unsafe UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes)
  }

  deinit {
    unsafe aasa_clear_free(UnsafeMutableRawPointer(start.pointer), max(1, count))
  }

  func withBytes<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe UnsafeRawPointer(start.pointer).assumingMemoryBound(to: UInt8.self)
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    return unsafe body(buffer.span)
  }

  /// Returns whether both objects contain the same bytes. The comparison takes the same time for
  /// any bytes of the same length.
  func isSame(as other: SealedBytes) -> Bool {
    defer { withExtendedLifetime((self, other)) {} }
    return unsafe count == other.count
      && CRYPTO_memcmp(
        UnsafeRawPointer(start.pointer), UnsafeRawPointer(other.start.pointer), count) == 0
  }
}
