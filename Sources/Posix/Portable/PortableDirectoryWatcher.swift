#if !os(Linux) || PORTABLE
  internal import LibC

  /// Not available on this system. Changes are found by polling, as for Linux file systems without
  /// events (see `Sweep`).
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
