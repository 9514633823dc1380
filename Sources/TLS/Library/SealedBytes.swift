internal import COpenSSL

/// Memory that is overwritten when its owner goes, for what a private key is in.
struct SealedMemory: ~Copyable, Sendable {
  private let start: Handle
  private let capacity: Int
  private(set) var count = 0

  /// Nil when there is no memory.
  init?(capacity: Int) {
    guard let start = unsafe aasa_malloc(max(1, capacity)) else { return nil }
    self.start = unsafe Handle(OpaquePointer(start))
    self.capacity = capacity
  }

  deinit {
    unsafe aasa_clear_free(UnsafeMutableRawPointer(start.pointer), max(1, capacity))
  }

  /// Never takes other memory: there must be room.
  mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity - count, "sealed memory does not grow")
    let rest = unsafe UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(start.pointer) + count, count: bytes.count)
    unsafe bytes.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
    count += bytes.count
  }

  /// Good for as long as the owner is kept.
  var buffer: UnsafeBufferPointer<UInt8> {
    let bytes = unsafe UnsafeRawPointer(start.pointer).assumingMemoryBound(to: UInt8.self)
    return unsafe UnsafeBufferPointer(start: bytes, count: count)
  }
}

/// Bytes that are overwritten when the last reference goes, such as those of a private key.
final class SealedBytes: Sendable {
  private let memory: SealedMemory

  /// Nil when there is no memory.
  init?(copying bytes: [UInt8]) {
    guard var memory = SealedMemory(capacity: bytes.count) else { return nil }
    memory.append(bytes.span)
    self.memory = memory
  }

  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    let buffer = unsafe memory.buffer
    return unsafe body(buffer.span)
  }

  func isSame(as other: SealedBytes) -> Bool {
    defer { withExtendedLifetime((self, other)) {} }
    let (mine, others) = unsafe (memory.buffer, other.memory.buffer)
    guard mine.count == others.count else { return false }
    return unsafe CRYPTO_memcmp(mine.baseAddress, others.baseAddress, mine.count) == 0
  }
}
