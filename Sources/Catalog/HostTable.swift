internal import Bytes
internal import HTTP

/// Maps host names to small numbers without creating a String. Every request uses this table.
///
/// The table uses open addressing. Names are stored and compared as words of eight bytes in lower
/// case. For speed, the conversion to lower case sets bit 5 of every byte. Among the characters of
/// the hosts that `Authority` accepts, this makes only an upper-case letter and its lower-case
/// letter equal.
package struct HostTable: Sendable {
  /// The words of all names; see `Words`.
  private var words: [UInt64] = []
  private var entries: [Entry] = []
  /// Indices into `entries`, or -1 for a free slot. The number of slots is a power of two, and at
  /// most half of them are used.
  private var slots: [Int32] = Array(repeating: -1, count: 8)
  /// The random key of the hash. Without a random key, tenants could choose names whose hashes
  /// collide.
  private let key = HashKey()
  /// The number of labels in the name with the most labels.
  private var mostLabels = 0
  /// The number of names without a dot.
  private(set) var undottedCount = 0

  private struct Entry {
    /// The index in `words` of the name's first word.
    let start: UInt32
    /// The length of the name in bytes.
    let length: UInt32
    let hash: UInt32
    var value: Int32
  }

  package init() {}

  package init(minimumCapacity: Int) {
    var count = 8
    while count < minimumCapacity * 2 { count *= 2 }
    slots = Array(repeating: -1, count: count)
    entries.reserveCapacity(minimumCapacity)
    words.reserveCapacity(minimumCapacity * 3)
  }

  package var count: Int { entries.count }

  /// Adds a name in lower case, or changes the value of a name that the table already contains.
  package mutating func set(_ name: some Collection<UInt8>, to value: Int32) {
    let bytes = Array(name)
    let range = 0..<bytes.count
    let hash = key.hash(bytes.span, range)
    if let found = find(bytes.span, range, hash: hash) {
      entries[found].value = value
      return
    }
    if (entries.count + 1) * 2 > slots.count { grow() }
    place(Int32(entries.count), hash: hash)
    entries.append(
      Entry(
        start: UInt32(words.count), length: UInt32(bytes.count), hash: hash, value: value))
    var reading = Words(range)
    while let word = reading.next(bytes.span) { words.append(word) }
    let dots = bytes.count { $0 == UInt8(ascii: ".") }
    mostLabels = max(mostLabels, 1 + dots)
    if dots == 0 { undottedCount += 1 }
  }

  /// Adds a name in lower case, unless the table already contains it.
  mutating func setIfNew(_ name: some Collection<UInt8>, to value: Int32) {
    let bytes = Array(name)
    if self.value(of: bytes.span, in: 0..<bytes.count) == nil { set(bytes, to: value) }
  }

  /// Returns the value of the host `bytes[range]`, ignoring letter case; nil if the table does not
  /// contain the host.
  package func value(of bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    guard let found = find(bytes, range, hash: key.hash(bytes, range)) else { return nil }
    return entries[found].value
  }

  /// Looks for the host itself, its parent domain, the parent's parent, and so on. Returns the
  /// value of the first of these names that the table contains. Skips names with more labels than
  /// any stored name.
  func longestSuffixValue(of bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    if entries.isEmpty { return nil }
    var start = range.upperBound
    var dots = 0
    while start > range.lowerBound {
      if bytes[start - 1] == UInt8(ascii: ".") {
        dots += 1
        if dots == mostLabels { break }
      }
      start -= 1
    }
    while start < range.upperBound {
      if let value = value(of: bytes, in: start..<range.upperBound) { return value }
      while start < range.upperBound, bytes[start] != UInt8(ascii: ".") { start += 1 }
      start += 1
    }
    return nil
  }

  @inline(__always)
  private func find(_ bytes: Span<UInt8>, _ range: Range<Int>, hash: UInt32) -> Int? {
    // Use spans, because an access to them costs only one bounds check, without reference counting.
    let slots = self.slots.span
    let entries = self.entries.span
    let mask = slots.count &- 1
    var slot = Int(hash) & mask
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if entries[index].hash == hash && isEqual(entries[index], bytes, range) { return index }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  @inline(__always)
  private func isEqual(_ entry: Entry, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    if Int(entry.length) != range.count { return false }
    let words = self.words.span
    var next = Int(entry.start)
    var reading = Words(range)
    while let word = reading.next(bytes) {
      if words[next] != word { return false }
      next &+= 1
    }
    return true
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for index in entries.indices { place(Int32(index), hash: entries[index].hash) }
  }

  private mutating func place(_ index: Int32, hash: UInt32) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = index
  }

  /// The maximum number of slots that a lookup reads.
  var longestLookup: Int {
    // A run of used slots that reaches the end of the table can continue at the beginning of the
    // table.
    var (longest, run) = (0, 0)
    for slot in slots + slots {
      run = slot < 0 ? 0 : run + 1
      longest = max(longest, run)
    }
    return min(longest, slots.count) + 1
  }
}

/// Random numbers for hashing names by multiplication. The hash uses both halves of each product.
/// In the low half alone, a change of a high bit would have the same effect for every random
/// number.
private struct HashKey: Sendable {
  private let start = UInt64.random(in: 0 ... .max)
  private let factor = UInt64.random(in: 0 ... .max) | 1

  @inline(__always)
  func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    var state = start ^ UInt64(truncatingIfNeeded: range.count)
    var reading = Words(range)
    while let word = reading.next(bytes) { state = folded(state ^ word) }
    return UInt32(truncatingIfNeeded: folded(state ^ start) &>> 32)
  }

  @inline(__always)
  private func folded(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}

/// Reads a name as words of eight bytes in lower case. The last word ends at the last byte of the
/// name, so it can overlap the word before it. A name of less than eight bytes is one word.
private struct Words {
  private var start: Int
  private let end: Int
  private let isShort: Bool

  @inline(__always)
  init(_ range: Range<Int>) {
    start = range.lowerBound
    end = range.upperBound
    isShort = range.count < 8
  }

  @inline(__always)
  mutating func next(_ bytes: Span<UInt8>) -> UInt64? {
    if start >= end { return nil }
    if isShort {
      let word = foldedWord(bytes, at: start, count: end &- start)
      start = end
      return word
    }
    guard let found = word(bytes, at: min(start, end &- 8)) else { return nil }
    start &+= 8
    return found | repeated(0x20)
  }
}
