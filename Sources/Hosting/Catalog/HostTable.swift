/// Host names to small numbers, found without making a String: the table behind every request.
///
/// Open addressing over one blob of lower-case names. The hash runs from the end of the name to
/// its start, so that one pass over a host gives the hash of each of its parent domains too,
/// which is what a wildcard look-up needs.
package struct HostTable: Sendable {
  private var names: [UInt8] = []
  private var entries: [Entry] = []
  /// Indices into `entries`, -1 for a free slot; the count is a power of two, at most half full.
  private var slots: [Int32] = Array(repeating: -1, count: 8)

  private struct Entry {
    let start: UInt32
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
  }

  package var count: Int { entries.count }

  /// Adds a lower-case name, or gives the name a new value.
  package mutating func set(_ name: some Collection<UInt8>, to value: Int32) {
    let bytes = Array(name)
    var hash = Hash()
    for byte in bytes.reversed() { hash.add(byte) }
    if let found = find(bytes.span, from: 0, hash: hash.value) {
      entries[found].value = value
      return
    }
    if (entries.count + 1) * 2 > slots.count { grow() }
    place(Int32(entries.count), hash: hash.value)
    entries.append(
      Entry(
        start: UInt32(names.count), length: UInt32(bytes.count), hash: hash.value, value: value))
    names.append(contentsOf: bytes)
  }

  /// The value of the host `bytes[range]`, whatever its letters' case; nil when it is not here.
  package func value(of bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    var hash = Hash()
    let host = bytes.extracting(range)
    var index = host.count
    while index > 0 {
      index &-= 1
      hash.add(lowercased(host[index]))
    }
    return find(bytes, range: range, hash: hash.value).map { entries[$0].value }
  }

  /// The value of the longest of these that is here: the host itself, its parent domain, the
  /// parent's parent, and so on.
  package func longestSuffixValue(of bytes: Span<UInt8>, in range: Range<Int>) -> Int32? {
    if entries.isEmpty { return nil }
    var best: Int32?
    var hash = Hash()
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      hash.add(lowercased(bytes[index]))
      let startsLabel = index == range.lowerBound || bytes[index - 1] == UInt8(ascii: ".")
      if startsLabel,
        let found = find(bytes, range: index..<range.upperBound, hash: hash.value)
      {
        best = entries[found].value
      }
    }
    return best
  }

  private func find(_ bytes: Span<UInt8>, from start: Int, hash: UInt32) -> Int? {
    find(bytes, range: start..<bytes.count, hash: hash)
  }

  private func find(_ bytes: Span<UInt8>, range: Range<Int>, hash: UInt32) -> Int? {
    // Spans of the arrays: one check for each access, and no counting of references.
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
    let start = Int(entry.start)
    let name = names.span.extracting(start..<(start &+ range.count))
    let host = bytes.extracting(range)
    var index = 0
    while index < name.count {
      if name[index] != lowercased(host[index]) { return false }
      index &+= 1
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

  /// FNV-1a with a final mix. What is looked up comes from strangers, what is stored does not:
  /// nobody outside can fill the table with collisions.
  private struct Hash {
    private var state: UInt32 = 2_166_136_261

    @inline(__always)
    mutating func add(_ byte: UInt8) {
      state = (state ^ UInt32(byte)) &* 16_777_619
    }

    var value: UInt32 {
      let mixed = (state ^ (state >> 15)) &* 0x85EB_CA6B
      return mixed ^ (mixed >> 13)
    }
  }
}

@inline(__always)
private func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- 0x41 < 26 ? byte | 0x20 : byte
}
