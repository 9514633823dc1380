/// The deadlines of all connections of an event loop. A connection is identified by its slot.
///
/// All connections in one state have the same time limit. So each state has one queue of slots,
/// ordered by deadline. Adding a slot, removing a slot and finding the earliest deadline take
/// constant time.
struct DeadlineQueues {
  private struct Link {
    var previous: Int32 = -1
    var next: Int32 = -1
    var queue: Int8 = -1
    /// The deadline in milliseconds of the monotonic clock.
    var deadline: Int64 = 0
    /// The values that the counter `entries` had at two moments: `placed` when the slot last moved
    /// to the end of its queue, and `entered` when `enter` was last called for the slot. The
    /// counter wraps around after 2^32 calls, but values that are compared are never so far apart.
    var placed: UInt32 = 0
    var entered: UInt32 = 0
  }

  private struct Ends {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
  }

  private var links: [Link] = []
  private var queues: [Ends]
  /// The number of calls of `enter`, for all slots and queues.
  private var entries: UInt32 = 0
  /// Whether the length of any queue may have changed since the event loop last set this variable
  /// to false.
  var haveLengthsChanged = true

  init(queues count: Int) {
    queues = Array(repeating: Ends(), count: count)
  }

  /// Adds one slot, which is in no queue yet.
  mutating func addSlot() { links.append(Link()) }

  /// Moves a slot to the end of a queue, and sets its deadline.
  ///
  /// - Parameters:
  ///   - deadline: The new deadline of the slot, which must not be earlier than any deadline in the
  ///     queue.
  ///   - tolerance: If the slot is already in this queue and the new deadline is later by less than
  ///     `tolerance`, the slot keeps its position and its old deadline. This is usual for busy
  ///     connections.
  mutating func enter(_ queue: Int, slot: Int, deadline: Int64, tolerance: Int64 = 0) {
    entries &+= 1
    let link = links[slot]
    let later = deadline &- link.deadline
    if link.queue == Int8(queue) && later >= 0 && later < tolerance {
      links[slot].entered = entries
      return
    }
    leave(slot: slot)
    let last = queues[queue].last
    links[slot] = Link(
      previous: last, next: -1, queue: Int8(queue), deadline: deadline, placed: entries,
      entered: entries)
    if last >= 0 {
      links[Int(last)].next = Int32(slot)
    } else {
      queues[queue].first = Int32(slot)
    }
    queues[queue].last = Int32(slot)
    queues[queue].count += 1
    haveLengthsChanged = true
  }

  /// The number of slots in a queue.
  func count(in queue: Int) -> Int { queues[queue].count }

  mutating func leave(slot: Int) {
    let link = links[slot]
    guard link.queue >= 0 else { return }
    let queue = Int(link.queue)
    if link.previous >= 0 {
      links[Int(link.previous)].next = link.next
    } else {
      queues[queue].first = link.next
    }
    if link.next >= 0 {
      links[Int(link.next)].previous = link.previous
    } else {
      queues[queue].last = link.previous
    }
    links[slot].queue = -1
    queues[queue].count -= 1
    haveLengthsChanged = true
  }

  /// The maximum number of slots to compare in a search for the slot that was entered least
  /// recently. Because of the tolerance, that slot may not be the first in the queue.
  private static let compared = 64

  /// Returns the slot of a queue for which `enter` was called least recently. Compares only the
  /// first slots of the queue.
  func first(in queue: Int) -> Int? {
    var best = queues[queue].first
    if best < 0 { return nil }
    var next = best
    for _ in 0..<Self.compared {
      let link = links[Int(next)]
      // This slot and all slots after it were entered later than the best slot so far.
      if isLater(link.placed, links[Int(best)].entered) { break }
      if isLater(links[Int(best)].entered, link.entered) { best = next }
      if link.next < 0 { break }
      next = link.next
    }
    return Int(best)
  }

  /// Returns the slot of several queues for which `enter` was called least recently.
  func first(in queues: [Int]) -> Int? {
    var best: Int?
    for queue in queues {
      guard let slot = first(in: queue) else { continue }
      if let known = best, !isLater(links[known].entered, links[slot].entered) { continue }
      best = slot
    }
    return best
  }

  /// Shortens the deadlines of a queue: every deadline later than `deadline` becomes `deadline`.
  mutating func limit(_ queue: Int, to deadline: Int64) {
    var slot = Int(queues[queue].first)
    while slot >= 0 {
      links[slot].deadline = min(links[slot].deadline, deadline)
      slot = Int(links[slot].next)
    }
  }

  /// Changes all deadlines of a queue by the same number of milliseconds, because the queue's time
  /// limit has changed.
  mutating func move(_ queue: Int, by change: Int64) {
    if change == 0 { return }
    var slot = queues[queue].first
    while slot >= 0 {
      links[Int(slot)].deadline += change
      slot = links[Int(slot)].next
    }
  }

  /// Returns a slot whose deadline has passed; nil if no deadline has passed.
  func expired(now: Int64) -> Int? {
    for ends in queues where ends.first >= 0 && links[Int(ends.first)].deadline <= now {
      return Int(ends.first)
    }
    return nil
  }

  /// The earliest deadline of all slots; nil if all queues are empty.
  var nextDeadline: Int64? {
    var earliest: Int64?
    for ends in queues where ends.first >= 0 {
      let deadline = links[Int(ends.first)].deadline
      if deadline < earliest ?? .max { earliest = deadline }
    }
    return earliest
  }
}

/// Returns whether the first counter value is later than the second. The counter may have wrapped
/// around between them.
private func isLater(_ left: UInt32, _ right: UInt32) -> Bool {
  Int32(bitPattern: left &- right) > 0
}
