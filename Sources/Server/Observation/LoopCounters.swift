internal import HTTP
internal import Synchronization

/// What one event loop counts. Only its thread writes, so adding is a load and a store and no
/// locked instruction; others read at any time, and see numbers that are a moment apart.
final class LoopCounters: Sendable {
  /// Answers, by status and class of fetcher: see `requestIndex`.
  let requests = Counters<154>()
  /// Requests by how long they took: one for each bound of `DurationHistogram`, one beyond.
  let durations = Counters<11>()
  /// Nanoseconds of all of them together.
  let durationSum = Counters<1>()
  /// Bytes of answers given to the kernel or to TLS, and how many of them were bodies.
  let sentBytes = Counters<1>()
  let bodyBytes = Counters<1>()
  /// Connections taken, by whether they are secure.
  let accepted = Counters<2>()
  /// Connections there are, by `Connection.Phase`.
  let open = Counters<6>()
  /// Handshakes that ended well, by version and by whether they resumed a session.
  let handshakes = Counters<6>()
  /// Handshakes that failed, by `TLSFailure.Reason`.
  let handshakeFailures = Counters<9>()
  /// Connections that ended because their time was over, by `Connection.Phase`.
  let timeouts = Counters<6>()
  /// How often a limit was hit, by `ServerLimit`.
  let limits = Counters<3>()
  /// Seconds since 1970 at which each class of fetchers last asked for a file of a domain.
  let lastFetches = Counters<7>()

  @inline(__always)
  static func requestIndex(_ status: Status, _ fetcher: FetcherClass) -> Int {
    status.index &* 7 &+ Int(fetcher.rawValue)
  }
}

/// Numbers that one thread writes and any reads.
struct Counters<let count: Int>: ~Copyable, Sendable {
  private let cells = InlineArray<count, Atomic<UInt64>> { _ in Atomic(0) }

  @inline(__always)
  func add(_ index: Int, _ amount: UInt64 = 1) {
    cells[index].store(cells[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  @inline(__always)
  func set(_ index: Int, to value: UInt64) { cells[index].store(value, ordering: .relaxed) }

  var size: Int { count }

  subscript(index: Int) -> UInt64 { cells[index].load(ordering: .relaxed) }

  /// Adds each number to the one in the same place.
  func add(to sums: inout [UInt64]) {
    for index in 0..<count { sums[index] &+= self[index] }
  }
}
