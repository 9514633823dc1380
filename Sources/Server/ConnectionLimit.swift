internal import Bytes
package import Posix
package import Settings
internal import Synchronization

/// The maximum number of simultaneous connections, and the reason for this maximum.
package struct ConnectionLimit: Sendable {
  enum Reason: Sendable {
    case setting, program
    case descriptors
    case memory(MemoryLimit)
  }

  package let most: Int
  let reason: Reason
  /// The memory available for connections in bytes; nil if memory is unlimited.
  package let memory: Int?

  package init(_ configuration: Configuration) { self.init(configuration, limit: .own) }

  /// - Parameters:
  ///   - limit: The memory limit; nil if memory is unlimited.
  ///   - used: The memory in use before the first connection, in bytes.
  package init(
    _ configuration: Configuration, limit: MemoryLimit?,
    used: Int? = ProcessFacts.current().residentMemory
  ) {
    let isSet = configuration.maxConnections != 0
    var most = isSet ? configuration.maxConnections : 100_000
    var reason = isSet ? Reason.setting : .program
    let possible = Self.possible(threads: Self.threads(configuration))
    if possible < most { (most, reason) = (possible, .descriptors) }
    memory = limit.map { max(0, $0.bytes - (used ?? 0)) }
    if let limit, let memory {
      let fitting = max(16, memory / ConnectionCost.kept(isSecure: !configuration.https.isEmpty))
      if fitting < most { (most, reason) = (fitting, .memory(limit)) }
    }
    self.most = most
    self.reason = reason
  }

  package static func threads(_ configuration: Configuration) -> Int {
    configuration.threads == 0 ? availableProcessors() : configuration.threads
  }

  /// Returns the number of connections that the descriptor limit allows. Some descriptors are
  /// reserved for files, listening sockets and pollers.
  static func possible(threads: Int) -> Int { max(16, raiseDescriptorLimit() - 64 - 8 * threads) }

  /// For example: `at most 2,950 connections, because the memory limit is 64 MB
  /// (/sys/fs/cgroup/memory.max)`
  package var sentence: String { "at most \(grouped(most)) connections, \(because)" }

  package var because: String {
    switch reason {
    case .setting: "as set by maxConnections"
    case .program: "which is the default"
    case .descriptors: "because the limit of open files allows no more (ulimit -n)"
    case .memory(let limit):
      "because the memory limit is \(limit.bytes >> 20) MB (\(limit.path))"
    }
  }

  /// The sentence about the limit for the server's start message; nil unless memory determines the
  /// limit.
  package var announcement: String? {
    if case .memory = reason { sentence } else { nil }
  }
}

/// The running server's limit on connections, which the status report shows.
package final class PublishedConnectionLimit: Sendable {
  private let connectionLimit = Mutex<ConnectionLimit?>(nil)

  /// Makes the object without a limit. `publish` sets the limit after the files are loaded.
  package init() {}

  package var current: ConnectionLimit? { connectionLimit.withLock { $0 } }

  package func publish(_ new: ConnectionLimit) { connectionLimit.withLock { $0 = new } }
}
