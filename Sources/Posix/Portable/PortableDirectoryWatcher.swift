#if !os(Linux) || PORTABLE
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// There is none on this system: changes are found by looking at times, which is what Linux does
  /// too where its kernel cannot tell (see `Sweep`).
  package final class DirectoryWatcher {
    /// Whether the system can tell; without it, whoever needs to know looks at times.
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
