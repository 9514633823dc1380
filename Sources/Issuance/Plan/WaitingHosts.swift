/// The waiting hosts in the order of their ranks. They are kept in sorted parts, so a change moves
/// the hosts of one part only.
struct WaitingHosts: Sendable {
  /// Sorted parts of the whole. None is empty.
  private var parts: [[Rank]] = []
  private var ranks: [String: Rank] = [:]

  var count: Int { ranks.count }
  var isEmpty: Bool { ranks.isEmpty }
  /// The hosts, the first in the queue first.
  var inOrder: some Sequence<String> { parts.lazy.joined().map(\.host) }

  func contains(_ host: String) -> Bool { ranks[host] != nil }

  /// Inserts a host, or moves it if its rank has changed.
  mutating func insert(_ rank: Rank) {
    if let old = ranks[rank.host] {
      if old == rank { return }
      remove(rank.host)
    }
    ranks[rank.host] = rank
    if parts.isEmpty { return parts.append([rank]) }
    let part = part(of: rank)
    parts[part].insert(rank, at: parts[part].partition(before: rank))
    guard parts[part].count > 512 else { return }
    parts.insert(Array(parts[part][256...]), at: part + 1)
    parts[part].removeSubrange(256...)
  }

  mutating func remove(_ host: String) {
    guard let rank = ranks.removeValue(forKey: host) else { return }
    let part = part(of: rank)
    parts[part].remove(at: parts[part].partition(before: rank))
    if parts[part].isEmpty { parts.remove(at: part) }
  }

  /// Returns the index of the part that this rank belongs to.
  private func part(of rank: Rank) -> Int {
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if parts[middle][0] <= rank { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

extension [Rank] {
  /// Returns the index of the first element whose rank is not lower.
  fileprivate func partition(before rank: Rank) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < rank { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
