package import Synchronization

/// A reference that is empty at first and is set once, by any thread; from then on all see the same
/// object. Looking costs one load: this is for what is looked at for every request.
///
/// It does what `AtomicLazyReference` does, which the compiler did not make into one load.
@safe
package struct OnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let storage: Atomic<Unmanaged<Instance>?>

  @inlinable
  package init() { unsafe storage = Atomic(nil) }

  deinit { unsafe storage.load(ordering: .acquiring)?.release() }

  /// Nil before it is set.
  @inlinable
  package func load() -> Instance? {
    unsafe storage.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  /// Sets it unless it is set; the object that everybody sees from now on.
  @inlinable
  package func storeIfNil(_ instance: Instance) -> Instance {
    let wanted = unsafe Unmanaged.passRetained(instance)
    let (isStored, found) = unsafe storage.compareExchange(
      expected: nil, desired: wanted, ordering: .acquiringAndReleasing)
    guard !isStored, let found = unsafe found else { return instance }
    unsafe wanted.release()
    return unsafe found.takeUnretainedValue()
  }
}
