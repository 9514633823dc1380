#if !os(Linux) || PORTABLE
  internal import LibC

  /// Wakes a thread that waits in a poller. Uses a pipe.
  package final class Wakeup: Sendable {
    /// The descriptor to watch for reading. `signal` makes the descriptor readable.
    package let descriptor: FileDescriptor
    private let writing: FileDescriptor

    package init() throws(SystemError) {
      let ends = try FileDescriptor.pipe()
      // These calls cannot fail for a new pipe.
      _ = fcntl(ends.reading, F_SETFL, O_NONBLOCK)
      _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
      descriptor = FileDescriptor(owning: ends.reading)
      writing = FileDescriptor(owning: ends.writing)
    }

    /// Wakes the waiting thread. Any thread may call this function any number of times. Several
    /// calls before the thread wakes have the same effect as one call. If the pipe is full, a
    /// signal is already in the pipe.
    package func signal() {
      var one: UInt8 = 1
      _ = unsafe write(writing.rawValue, &one, 1)
    }

    /// Clears all signals that were sent until now.
    package func acknowledge() {
      var taken = [UInt8](repeating: 0, count: 512)
      while unsafe read(descriptor.rawValue, &taken, taken.count) > 0 {}
    }
  }
#endif
