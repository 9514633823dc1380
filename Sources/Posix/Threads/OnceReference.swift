public import Synchronization

/// A reference that is empty at first. Any thread can set the reference, but only once. From then
/// on, all threads see the same object. Reading the reference takes only one load from memory,
/// which is fast enough for code that every request runs.
///
/// This type replaces `AtomicLazyReference`. The compiler does not specialize that type, so each
/// call takes hundreds of instructions. The methods here are inlined for the same reason.
@safe @usableFromInline
package struct OnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object's address; 0 until the reference is set.
  @usableFromInline let address = Atomic<UInt>(0)

  @inlinable @inline(__always)
  package init() {}

  deinit {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return }
    unsafe Unmanaged<Instance>.fromOpaque(pointer).release()
  }

  /// Returns the object; nil until the reference is set.
  @inlinable @inline(__always)
  package func load() -> Instance? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return nil }
    return unsafe Unmanaged<Instance>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Whether `load` would return an object. Does not retain the object.
  @inlinable @inline(__always)
  package var isSet: Bool { address.load(ordering: .acquiring) != 0 }

  /// Sets the reference, unless it is already set. Returns the object that all threads see from now
  /// on.
  @inlinable @inline(__always)
  package func storeIfNil(_ instance: Instance) -> Instance {
    let wanted = unsafe Unmanaged.passRetained(instance)
    let new = unsafe UInt(bitPattern: wanted.toOpaque())
    let isStored = address.compareExchange(
      expected: 0, desired: new, ordering: .acquiringAndReleasing
    ).exchanged
    if isStored { return instance }
    unsafe wanted.release()
    return load() ?? instance
  }
}
