package import Synchronization

/// A reference that is empty at first and is set once, by any thread; from then on all see the same
/// object. Looking costs one load: this is for what is looked at for every request.
///
/// It does what `AtomicLazyReference` does, which the compiler calls without knowing the type: that
/// costs hundreds of instructions. For the same reason all of this is inlined.
@safe
package struct OnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object's address; 0 before it is set.
  @usableFromInline let address = Atomic<UInt>(0)

  @inlinable @inline(__always)
  package init() {}

  deinit {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return }
    unsafe Unmanaged<Instance>.fromOpaque(pointer).release()
  }

  /// Nil before it is set.
  @inlinable @inline(__always)
  package func load() -> Instance? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring))
    else { return nil }
    return unsafe Unmanaged<Instance>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The same as whether `load` returns an object, without taking hold of it.
  @inlinable @inline(__always)
  package var isSet: Bool { address.load(ordering: .acquiring) != 0 }

  /// Sets it unless it is set; the object that everybody sees from now on.
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
