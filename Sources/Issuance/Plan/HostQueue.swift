/// Hosts in the order of their keys, lowest first. Hosts with equal keys are in the order of their
/// names. The queue consists of sorted parts, so that a change moves only the entries of one part.
struct HostQueue<Key: Comparable & Sendable>: Sendable {
  struct Entry: Comparable, Sendable {
    let key: Key
    let host: String

    static func < (left: Self, right: Self) -> Bool {
      (left.key, left.host) < (right.key, right.host)
    }
  }

  /// The sorted parts of the queue. No part is empty.
  private var parts: [[Entry]] = []
  private var entries: [String: Entry] = [:]

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { parts.first?.first }
  /// The hosts in the order of the queue.
  var inOrder: some Sequence<String> { parts.lazy.joined().map(\.host) }

  func contains(_ host: String) -> Bool { entries[host] != nil }

  /// Inserts a host, or moves the host if its key has changed. Removes the host if the key is nil.
  mutating func set(_ host: String, _ key: Key?) {
    if let old = entries[host]?.key, old == key { return }
    remove(host)
    guard let entry = key.map({ Entry(key: $0, host: host) }) else { return }
    entries[host] = entry
    if parts.isEmpty { return parts.append([entry]) }
    let (part, index) = place(of: entry)
    parts[part].insert(entry, at: index)
    guard parts[part].count > 512 else { return }
    parts.insert(Array(parts[part][256...]), at: part + 1)
    parts[part].removeSubrange(256...)
  }

  mutating func remove(_ host: String) {
    guard let entry = entries.removeValue(forKey: host) else { return }
    let (part, index) = place(of: entry)
    parts[part].remove(at: index)
    if parts[part].isEmpty { parts.remove(at: part) }
  }

  /// Returns the part that contains or would contain an entry, and the entry's index in that part.
  private func place(of entry: Entry) -> (part: Int, index: Int) {
    let part = max(0, count(below: parts.count) { parts[$0][0] <= entry } - 1)
    return (part, count(below: parts[part].count) { parts[part][$0] < entry })
  }

  /// Returns how many of the numbers from 0 to `end` - 1 meet a condition. The numbers that meet it
  /// must come before all others.
  private func count(below end: Int, _ isMet: (Int) -> Bool) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if isMet(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
