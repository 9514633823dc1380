#if os(Linux) && !PORTABLE
  internal import LibC

  extension Interest {
    fileprivate var mask: UInt32 {
      switch self {
      case .sharedRead: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue
      // Do not use EPOLLRDHUP, because a client may close its sending side and still wait for the
      // response.
      case .read: EPOLLIN.rawValue
      case .write: EPOLLOUT.rawValue
      }
    }
  }

  /// Waits for many descriptors at once with epoll(7), level-triggered.
  ///
  /// Each event has the token of its descriptor. A token contains the slot of a connection and the
  /// slot's generation, which is different for each connection in the slot. So `EventLoop`
  /// recognizes events of a previous connection.
  @safe
  package struct Poller: ~Copyable {
    private let descriptor: FileDescriptor
    private var events: [epoll_event]

    /// - Parameter capacity: The maximum number of events that one wait returns.
    package init(capacity: Int = 256) throws(SystemError) {
      let number = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard number >= 0 else { throw SystemError("epoll_create1", code: errno) }
      descriptor = FileDescriptor(owning: number)
      unsafe events = Array(repeating: epoll_event(), count: capacity)
    }

    package func add(
      _ watched: borrowing FileDescriptor, token: UInt64, interest: Interest
    ) throws(SystemError) {
      try control(EPOLL_CTL_ADD, watched.rawValue, token, interest)
    }

    package func modify(
      _ watched: borrowing FileDescriptor, token: UInt64, interest: Interest
    ) throws(SystemError) {
      try control(EPOLL_CTL_MOD, watched.rawValue, token, interest)
    }

    /// Stops watching a descriptor that is about to be closed. Does nothing here, because the
    /// kernel itself stops when the descriptor is closed.
    package func forget(_ watched: borrowing FileDescriptor) {}

    /// Stops watching a descriptor that stays open.
    package func remove(_ watched: borrowing FileDescriptor) {
      var unused = unsafe epoll_event()
      _ = unsafe epoll_ctl(descriptor.rawValue, EPOLL_CTL_DEL, watched.rawValue, &unused)
    }

    private func control(
      _ operation: Int32, _ number: Int32, _ token: UInt64, _ interest: Interest
    ) throws(SystemError) {
      var event = unsafe epoll_event()
      unsafe event.events = interest.mask
      unsafe event.data.u64 = token
      guard unsafe epoll_ctl(descriptor.rawValue, operation, number, &event) == 0 else {
        // Only our own bugs can cause EBADF, EEXIST and ENOENT. The system may return ENOMEM and
        // ENOSPC.
        precondition(errno != EBADF && errno != EEXIST && errno != ENOENT)
        throw SystemError("epoll_ctl", code: errno)
      }
    }

    /// Waits until a descriptor is ready or the time has passed. Returns the number of events.
    ///
    /// - Parameter milliseconds: The maximum time to wait; negative for no limit. A signal ends the
    ///   wait early.
    package mutating func wait(milliseconds: Int32) -> Int {
      let capacity = unsafe Int32(events.count)
      let number = descriptor.rawValue
      let count = unsafe events.withUnsafeMutableBufferPointer {
        unsafe epoll_wait(number, $0.baseAddress, capacity, milliseconds)
      }
      if count >= 0 { return Int(count) }
      precondition(errno == EINTR, "epoll_wait failed")
      return 0
    }

    /// Returns the token of an event of the last wait. The token does not say whether the
    /// descriptor is readable or writable. The caller knows what each of its connections waits for,
    /// and the next call on the descriptor reports errors.
    package func token(at index: Int) -> UInt64 { unsafe events[index].data.u64 }
  }
#endif
