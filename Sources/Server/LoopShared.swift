internal import Hosting
internal import Logging
internal import Posix
internal import Synchronization
internal import TLS

/// What event loops share: nothing that changes, but for the two flags.
final class LoopShared: Sendable {
  let options: Server.Options
  let publisher: CatalogPublisher
  let context: ServerContext?
  let log: Logger
  /// Set once, when the server is to stop.
  let isStopping = Atomic<Bool>(false)

  init(
    options: Server.Options, publisher: CatalogPublisher, context: ServerContext?, log: Logger
  ) {
    self.options = options
    self.publisher = publisher
    self.context = context
    self.log = log
  }
}

/// A loop as others see it: they can wake it, and read what it counts.
final class LoopHandle: Sendable {
  let wakeup: Wakeup
  let counters = LoopCounters()

  init() throws(SystemError) {
    wakeup = try Wakeup()
  }
}

/// A listening socket and what is spoken on its connections.
final class LoopListener: Sendable {
  let listener: Listener
  let isSecure: Bool

  /// How a poller watches it.
  var interest: Interest { listener.isShared ? .sharedRead : .read }

  init(_ listener: consuming Listener, isSecure: Bool) {
    self.listener = listener
    self.isSecure = isSecure
  }
}

/// The number that the poller hands back with an event: which slot, and which of the connections
/// that the slot has held. An event of one that has gone is recognised by its generation.
struct Token {
  let slot: UInt32
  let generation: UInt32

  /// Slots from here on are no connections.
  private static let firstSpecial: UInt32 = 0xFFFF_0000
  static let wakeup = Token(slot: 0xFFFF_FFFF, generation: 0)

  static func listener(_ index: Int) -> Token {
    Token(slot: firstSpecial + UInt32(index), generation: 0)
  }

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(_ rawValue: UInt64) {
    slot = UInt32(truncatingIfNeeded: rawValue)
    generation = UInt32(truncatingIfNeeded: rawValue >> 32)
  }

  var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
  var isWakeup: Bool { slot == Token.wakeup.slot }
  var listenerIndex: Int? {
    slot >= Token.firstSpecial && !isWakeup ? Int(slot - Token.firstSpecial) : nil
  }
}
