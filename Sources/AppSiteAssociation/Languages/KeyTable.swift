/// Keys of some words each, numbered in the order in which they came, each once.
struct KeyTable {
  /// The keys, one after the other.
  private(set) var words: [UInt64] = []
  private var starts: [Int32] = [0]
  /// Open addressing: indexes of keys, -1 where there is none.
  private var slots = [Int32](repeating: -1, count: 64)

  var count: Int { starts.count - 1 }

  func range(of index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }

  mutating func insert(_ key: [UInt64]) -> (index: Int, isNew: Bool) {
    if (count + 1) * 2 > slots.count { grow() }
    var slot = Self.hash(key, 0..<key.count) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if isSame(key, range(of: index)) { return (index, false) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let index = count
    slots[slot] = Int32(truncatingIfNeeded: index)
    words.append(contentsOf: key)
    starts.append(Int32(truncatingIfNeeded: words.count))
    return (index, true)
  }

  private func isSame(_ key: [UInt64], _ range: Range<Int>) -> Bool {
    guard key.count == range.count else { return false }
    for index in 0..<key.count where words[range.lowerBound + index] != key[index] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for index in 0..<count {
      var slot = Self.hash(words, range(of: index)) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  private static func hash(_ words: [UInt64], _ range: Range<Int>) -> Int {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in range {
      hash = (hash ^ words[index]) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
