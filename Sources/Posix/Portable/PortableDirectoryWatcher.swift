#if !os(Linux) || PORTABLE
  internal import LibC

  /// This system does not report changes in directories. The server finds changes by polling, as it
  /// does for Linux file systems without events (see `Sweep`).
  package final class DirectoryWatcher: Sendable {
    /// Whether the system reports changes. If not, callers must poll.
    package static let isAvailable = false

    package init() throws(SystemError) { throw SystemError("watch", code: ENOTSUP) }

    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {}

    package func watch(_ path: String) throws(SystemError) -> Int32 {
      throw SystemError("watch", path, code: ENOTSUP)
    }

    package func unwatch(_ number: Int32) {}

    package func takeEvents() -> [Event] { [] }
  }
#endif
