/// Finds the next due host with a heap, so that it need not search all hosts. Only a host's newest
/// time counts.
struct Schedule: Sendable {
  private var heap: [(due: Int64, host: String)] = []
  private var times: [String: Int64] = [:]

  mutating func set(_ host: String, _ due: Int64) {
    if times.updateValue(due, forKey: host) == due { return }
    heap.append((due, host))
    var child = heap.count - 1
    while child > 0, heap[child].due < heap[(child - 1) / 2].due {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func remove(_ host: String) { times[host] = nil }

  func isSet(_ host: String) -> Bool { times[host] != nil }

  /// Returns when the next host is due; nil if none is.
  mutating func next() -> Int64? {
    while let first = heap.first, times[first.host] != first.due { removeFirst() }
    return heap.first?.due
  }

  /// Removes and returns the next host that is due at `now`.
  mutating func take(until now: Int64) -> String? {
    guard let due = next(), due <= now, let host = heap.first?.host else { return nil }
    removeFirst()
    times[host] = nil
    return host
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    if heap.isEmpty { return }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].due < heap[least].due { least = child }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
