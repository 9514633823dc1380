package import Synchronization

/// Numbers that one thread adds to and any thread reads, as many as there are things to count.
///
/// They have cache lines of their own: threads that count different things do not slow each other
/// down. Like `OnceReference` it is inlined, for it is called for every request.
@safe
package struct Counters: ~Copyable, Sendable {
  /// The address of the first.
  @usableFromInline let address: UInt
  package let size: Int

  private static let lineBytes = 64

  /// So many numbers, all of them 0.
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

  /// The place of a number; nil beyond the last.
  @inlinable @inline(__always)
  func cell(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    if UInt(bitPattern: index) >= UInt(bitPattern: size) { return nil }
    return unsafe UnsafeMutablePointer(
      bitPattern: address &+ UInt(bitPattern: index &* MemoryLayout<Atomic<UInt64>>.stride))
  }

  /// Only one thread may call it. An index beyond the last is not counted: no thread ends over a
  /// number.
  @inlinable @inline(__always)
  package func add(_ index: Int, _ amount: UInt64 = 1) {
    guard let cell = unsafe cell(index) else { return }
    unsafe cell.pointee.store(
      cell.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  package func set(_ index: Int, to value: UInt64) {
    unsafe cell(index)?.pointee.store(value, ordering: .relaxed)
  }

  /// 0 beyond the last.
  package subscript(index: Int) -> UInt64 {
    unsafe cell(index)?.pointee.load(ordering: .relaxed) ?? 0
  }

  /// Adds each number to the one in the same place.
  package func add(to sums: inout [UInt64]) {
    for index in sums.indices { sums[index] &+= self[index] }
  }
}
