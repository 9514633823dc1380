#if !os(Linux) || PORTABLE
  internal import LibC

  /// Waits for many descriptors at once with poll(2), level-triggered. Unlike the Linux poller, its
  /// cost grows with the number of descriptors.
  ///
  /// Each event has the token of its descriptor.
  package struct Poller: ~Copyable {
    /// The watched descriptors. The table is a class, so that adding a descriptor does not mutate
    /// the poller. The Linux poller is not mutated either, because its table is in the kernel.
    private final class Table {
      var entries: [pollfd] = []
      var tokens: [UInt64] = []
      var places: [Int32: Int] = [:]
    }

    private let table = Table()
    private let capacity: Int
    /// The tokens of the events that the last wait found.
    private var ready: [UInt64] = []
    /// The index of the first descriptor to check in the next wait. The index changes with each
    /// wait, so that busy descriptors do not hide the events of other descriptors.
    private var start = 0

    /// - Parameter capacity: The maximum number of events that one wait returns.
    package init(capacity: Int = 256) throws(SystemError) {
      self.capacity = capacity
    }

    package func add(
      _ watched: borrowing FileDescriptor, token: UInt64, interest: Interest
    ) throws(SystemError) {
      let number = watched.rawValue
      let entry = pollfd(fd: number, events: interest.events, revents: 0)
      if let place = table.places[number] {
        table.entries[place] = entry
        table.tokens[place] = token
      } else {
        table.places[number] = table.entries.count
        table.entries.append(entry)
        table.tokens.append(token)
      }
    }

    package func modify(
      _ watched: borrowing FileDescriptor, token: UInt64, interest: Interest
    ) throws(SystemError) {
      try add(watched, token: token, interest: interest)
    }

    /// Stops watching a descriptor that is about to be closed, because its number may soon be
    /// reused.
    package func forget(_ watched: borrowing FileDescriptor) { remove(number: watched.rawValue) }

    /// Stops watching a descriptor that stays open.
    package func remove(_ watched: borrowing FileDescriptor) { remove(number: watched.rawValue) }

    private func remove(number: Int32) {
      guard let place = table.places.removeValue(forKey: number) else { return }
      let last = table.entries.removeLast()
      let token = table.tokens.removeLast()
      if place == table.entries.count { return }
      table.entries[place] = last
      table.tokens[place] = token
      table.places[last.fd] = place
    }

    /// Waits until a descriptor is ready or the time has passed. Returns the number of events.
    ///
    /// - Parameter milliseconds: The maximum time to wait; negative for no limit. A signal ends the
    ///   wait early.
    package mutating func wait(milliseconds: Int32) -> Int {
      ready.removeAll(keepingCapacity: true)
      let found = unsafe table.entries.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
      }
      if found < 0 {
        precondition(errno == EINTR || errno == EAGAIN, "poll failed")
        return 0
      }
      let count = table.entries.count
      var closed: [Int32] = []
      for step in 0..<count {
        let place = (start + step) % count
        let entry = table.entries[place]
        if entry.revents & Int16(POLLNVAL) != 0 {
          closed.append(entry.fd)
        } else if entry.revents != 0 {
          ready.append(table.tokens[place])
          if ready.count == capacity {
            start = place + 1
            break
          }
        }
      }
      for number in closed { remove(number: number) }
      return ready.count
    }

    /// Returns the token of an event of the last wait. The token does not say whether the
    /// descriptor is readable or writable. The caller knows what each of its connections waits for,
    /// and the next call on the descriptor reports errors.
    package func token(at index: Int) -> UInt64 { ready[index] }
  }

  extension Interest {
    fileprivate var events: Int16 {
      switch self {
      case .read, .sharedRead: Int16(POLLIN)
      case .write: Int16(POLLOUT)
      }
    }
  }
#endif
