#if os(Linux) && !PORTABLE
  internal import LibC

  /// Reports changes in directories with inotify(7).
  ///
  /// The watcher is a class, because its owners store the watcher as an optional, and because a
  /// thread that hangs in `watch` must retain the watcher.
  package final class DirectoryWatcher: Sendable {
    private let descriptor: FileDescriptor

    /// Whether the system reports changes. If not, callers must poll.
    package static let isAvailable = true

    package init() throws(SystemError) {
      let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard number >= 0 else { throw SystemError("inotify_init1", code: errno) }
      descriptor = FileDescriptor(owning: number)
    }

    /// Makes the poller report `token` when a change is waiting.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
      try poller.add(descriptor, token: token, interest: .read)
    }

    private static let mask =
      UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE)
      | UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// Watches a directory, and returns a number that identifies the directory. If the same inode
    /// is watched already, returns the same number as before.
    ///
    /// Throws ENOSPC if the user may not watch more directories (fs.inotify.max_user_watches).
    package func watch(_ path: String) throws(SystemError) -> Int32 {
      let (number, code) = asking {
        unsafe inotify_add_watch(descriptor.rawValue, path, Self.mask)
      }
      guard code == 0 else { throw SystemError("inotify_add_watch", path, code: code) }
      return number
    }

    package func unwatch(_ number: Int32) {
      _ = inotify_rm_watch(descriptor.rawValue, number)
    }

    /// Removes and returns the pending events.
    package func takeEvents() -> [Event] {
      let number = descriptor.rawValue
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      let (count, code) = unsafe buffer.withUnsafeMutableBytes { bytes in
        retrying { unsafe read(number, bytes.baseAddress, bytes.count) }
      }
      guard code == 0 else { return [] }
      var events: [Event] = []
      var start = 0
      // struct inotify_event: wd, mask, cookie, len (32 bits each), then `len` bytes of name.
      while start + 16 <= count {
        let directory = Int32(bitPattern: word(buffer, start))
        let mask = word(buffer, start + 4)
        let length = Int(word(buffer, start + 12))
        let name = buffer[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
        start += 16 + length
        if let change = Self.changes.first(where: { mask & $0.bits != 0 })?.change {
          events.append(
            Event(
              directory: directory, name: String(decoding: name, as: UTF8.self), change: change))
        }
      }
      return events
    }

    /// Returns a word in the machine's byte order, which is little-endian on all Linux machines
    /// that Swift supports.
    private func word(_ buffer: [UInt8], _ index: Int) -> UInt32 {
      var value: UInt32 = 0
      for offset in (0..<4).reversed() { value = value << 8 | UInt32(buffer[index + offset]) }
      return value
    }

    /// What an event means: the first row with a bit of the event's mask.
    private static let changes: [(bits: UInt32, change: Event.Change)] = [
      (UInt32(IN_Q_OVERFLOW), .overflow),
      (UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED), .directoryGone),
      (UInt32(IN_MOVED_TO), .movedIn), (UInt32(IN_CREATE), .created),
      (UInt32(IN_CLOSE_WRITE), .written), (UInt32(IN_MODIFY), .writing),
      (UInt32(IN_DELETE | IN_MOVED_FROM), .removed), (UInt32(IN_ATTRIB), .attributes),
    ]
  }
#endif
