public import Synchronization

/// Counters that any thread can read. Only one thread may add to a counter, unless all threads use
/// `addFromAnyThread`.
///
/// Each `Counters` value has its own cache lines, so that threads with different values do not slow
/// each other down. The methods are inlined, because every request calls them.
@safe @usableFromInline
package struct Counters: ~Copyable, Sendable {
  /// The address of the first counter.
  @usableFromInline let address: UInt
  @usableFromInline package let size: Int

  private static let lineBytes = 64

  /// Makes `size` counters, all of them 0.
  package init(_ size: Int) {
    let bytes = size * MemoryLayout<Atomic<UInt64>>.stride
    let lines = (bytes + Self.lineBytes - 1) / Self.lineBytes
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, lines) * Self.lineBytes, alignment: Self.lineBytes)
    let cells = unsafe memory.bindMemory(to: Atomic<UInt64>.self, capacity: size)
    for index in 0..<size { unsafe (cells + index).initialize(to: Atomic(0)) }
    address = UInt(bitPattern: cells)
    self.size = size
  }

  deinit {
    unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
  }

  /// The memory of a counter; nil if the index is too large.
  @inlinable @inline(__always)
  func cell(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    if UInt(bitPattern: index) >= UInt(bitPattern: size) { return nil }
    return unsafe UnsafeMutablePointer(
      bitPattern: address &+ UInt(bitPattern: index &* MemoryLayout<Atomic<UInt64>>.stride))
  }

  /// Adds to a counter. Call it only from one thread. Does nothing if the index is too large,
  /// because a counter must not crash the process.
  @inlinable @inline(__always)
  package func add(_ index: Int, _ amount: UInt64 = 1) {
    guard let cell = unsafe cell(index) else { return }
    unsafe cell.pointee.store(
      cell.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// Adds to a counter. Several threads may call this at the same time.
  @inlinable @inline(__always)
  package func addFromAnyThread(_ index: Int, _ amount: UInt64) {
    unsafe cell(index)?.pointee.add(amount, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  package func set(_ index: Int, to value: UInt64) {
    unsafe cell(index)?.pointee.store(value, ordering: .relaxed)
  }

  /// The value of a counter; 0 if the index is too large.
  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt64 {
    unsafe cell(index)?.pointee.load(ordering: .relaxed) ?? 0
  }

  /// The values of all counters.
  package var values: [UInt64] { (0..<size).map { self[$0] } }
}
