#if os(Linux) && !PORTABLE
  internal import LibC

  /// Wakes a thread that waits in a poller. Uses eventfd(2).
  package final class Wakeup: Sendable {
    /// The descriptor to watch for reading. `signal` makes the descriptor readable.
    package let descriptor: FileDescriptor

    package init() throws(SystemError) {
      let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard number >= 0 else { throw SystemError("eventfd", code: errno) }
      descriptor = FileDescriptor(owning: number)
    }

    /// Wakes the waiting thread. Any thread may call this function any number of times. Several
    /// calls before the thread wakes have the same effect as one call.
    package func signal() {
      var one: UInt64 = 1
      _ = unsafe write(descriptor.rawValue, &one, 8)
    }

    /// Clears all signals that were sent until now.
    package func acknowledge() {
      var count: UInt64 = 0
      _ = unsafe read(descriptor.rawValue, &count, 8)
    }
  }
#endif
