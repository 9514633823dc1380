/// Certificates by the names in them.
///
/// Open addressing. No name is kept: an entry says where in its certificate the name stands, for
/// there may be very many.
struct NameIndex: Sendable {
  private let certificates: [Certificate]
  private var entries: [Entry] = []
  /// Indices into `entries`, -1 for a free slot; the count is a power of two, at most half full.
  private var slots: [Int32] = [-1, -1]
  /// The choices that are not simply the certificate with the name.
  private var choices: [CertificateChoice] = []

  /// One name that any of the certificates has.
  private struct Entry {
    /// The first certificate that has the name.
    let certificate: Int32
    /// Where it stands there, without `*.`.
    let start: UInt32
    let length: UInt8
    let isWildcard: Bool
    var choice = Choice.first

    var place: Range<Int> { Int(start)..<(Int(start) + Int(length)) }
  }

  private enum Choice {
    /// The certificate of the entry.
    case first
    case other(Int32)
    /// Found under no name: a wildcard serves better.
    case hidden
  }

  init() { certificates = [] }

  /// - Parameter now: seconds since 1970.
  init(_ certificates: [Certificate], now: Int64) {
    self.certificates = certificates
    entries.reserveCapacity(certificates.count)
    grow(to: certificates.count * 2)
    var shared: [Int: [Certificate]] = [:]
    for (index, certificate) in certificates.enumerated() {
      certificate.forEachHost { bytes, place in
        let isWildcard = bytes[place.lowerBound] == UInt8(ascii: "*")
        let text = isWildcard ? (place.lowerBound + 2)..<place.upperBound : place
        if let found = find(bytes.extracting(text), isWildcard: isWildcard) {
          let first = certificates[Int(entries[found].certificate)]
          shared[found, default: [first]].append(certificate)
          return
        }
        if (entries.count + 1) * 2 > slots.count { grow(to: slots.count * 2) }
        let entry = Entry(
          certificate: Int32(index), start: UInt32(text.lowerBound), length: UInt8(text.count),
          isWildcard: isWildcard)
        let slot = freeSlot(hash: Self.hash(bytes.extracting(text), isWildcard: isWildcard))
        slots[slot] = Int32(entries.count)
        entries.append(entry)
      }
    }
    for (index, candidates) in shared {
      guard let choice = CertificateChoice.best(of: candidates, now: now) else { continue }
      entries[index].choice = .other(Int32(choices.count))
      choices.append(choice)
    }
    hideInvalid(now)
  }

  /// The certificates with this name (lower case), themselves or by a wildcard.
  func find(_ host: Span<UInt8>) -> CertificateChoice? {
    if let found = find(host, isWildcard: false), let choice = choice(of: entries[found]) {
      return choice
    }
    return findWildcard(for: host)
  }

  /// A wildcard stands for one label, the leftmost (RFC 9525 section 6.3).
  private func findWildcard(for host: Span<UInt8>) -> CertificateChoice? {
    for dot in host.indices where host[dot] == UInt8(ascii: ".") {
      if dot == 0 { return nil }
      let found = find(host.extracting((dot + 1)...), isWildcard: true)
      return found.flatMap { choice(of: entries[$0]) }
    }
    return nil
  }

  private func choice(of entry: Entry) -> CertificateChoice? {
    switch entry.choice {
    case .first: CertificateChoice(certificates[Int(entry.certificate)])
    case .other(let index): choices[Int(index)]
    case .hidden: nil
    }
  }

  /// Certificates that are not valid now are served only for names that no valid certificate has,
  /// not even as a wildcard.
  private mutating func hideInvalid(_ now: Int64) {
    for (index, entry) in entries.enumerated() where !entry.isWildcard {
      if choice(of: entry)?.isValid(at: now) != false { continue }
      var isHidden = false
      let text = entry.place
      certificates[Int(entry.certificate)].withBytes { bytes in
        isHidden = findWildcard(for: bytes.extracting(text))?.isValid(at: now) == true
      }
      if isHidden { entries[index].choice = .hidden }
    }
  }

  /// Where `text`, which for a wildcard is what follows `*.`, has its entry.
  private func find(_ text: Span<UInt8>, isWildcard: Bool) -> Int? {
    let mask = slots.count - 1
    var slot = Self.hash(text, isWildcard: isWildcard) & mask
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      let entry = entries[index]
      if entry.isWildcard == isWildcard, Int(entry.length) == text.count,
        certificates[Int(entry.certificate)].has(text, at: entry.place)
      {
        return index
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func grow(to count: Int) {
    var size = 2
    while size < count { size *= 2 }
    slots = Array(repeating: -1, count: size)
    for (index, entry) in entries.enumerated() {
      var hash = 0
      certificates[Int(entry.certificate)].withBytes { bytes in
        hash = Self.hash(bytes.extracting(entry.place), isWildcard: entry.isWildcard)
      }
      slots[freeSlot(hash: hash)] = Int32(index)
    }
  }

  private func freeSlot(hash: Int) -> Int {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    return slot
  }

  /// What is looked up comes from strangers, what is stored does not: nobody outside can fill the
  /// index with collisions.
  private static func hash(_ text: Span<UInt8>, isWildcard: Bool) -> Int {
    var state: UInt64 = isWildcard ? 0x9E37_79B9_7F4A_7C15 : 0xCBF2_9CE4_8422_2325
    for index in text.indices { state = (state ^ UInt64(text[index])) &* 0x0000_0100_0000_01B3 }
    state = (state ^ state >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: state >> 32)
  }
}
