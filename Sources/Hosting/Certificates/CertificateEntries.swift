/// The entries of a certificates folder, put away as one text: there may be very many, and three
/// Strings for each would take as much as its key.
package struct CertificateEntries: Sendable, Equatable, RandomAccessCollection {
  /// The chain, then the key, of one entry after the other.
  private let text: [UInt8]
  private let places: [Place]

  private struct Place: Sendable, Equatable {
    let start: UInt32
    let chainEnd: UInt32
    /// A missing key is empty, as no path is.
    let keyEnd: UInt32
    let nameStart: UInt32
    let nameEnd: UInt32

    var chain: Range<Int> { Int(start)..<Int(chainEnd) }
    var key: Range<Int> { Int(chainEnd)..<Int(keyEnd) }
    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  }

  /// Where the parts of an entry stand in another text.
  struct Found {
    let chain: Range<Int>
    var key: Range<Int>?
    let name: Range<Int>
  }

  package init() { (text, places) = ([], []) }

  /// Takes entries, in the order of their chains' paths.
  init(_ found: [Found], in source: [UInt8]) {
    let bytes = source.span
    let sorted = found.sorted { byteOrder(bytes, $0.chain, bytes, $1.chain) < 0 }
    var text: [UInt8] = []
    var places: [Place] = []
    // No more than needed: this is kept.
    text.reserveCapacity(
      sorted.reduce(0) { count, entry in
        count + entry.chain.count + (entry.key?.count ?? 0)
          + (entry.isNameInChain ? 0 : entry.name.count)
      })
    places.reserveCapacity(sorted.count)
    for entry in sorted {
      let start = text.count
      text += source[entry.chain]
      let chainEnd = text.count
      if let key = entry.key { text += source[key] }
      let keyEnd = text.count
      var nameStart = start + entry.name.lowerBound - entry.chain.lowerBound
      if !entry.isNameInChain {
        nameStart = keyEnd
        text += source[entry.name]
      }
      places.append(
        Place(
          start: UInt32(start), chainEnd: UInt32(chainEnd), keyEnd: UInt32(keyEnd),
          nameStart: UInt32(nameStart), nameEnd: UInt32(nameStart + entry.name.count)))
    }
    self.text = text
    self.places = places
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(index: Int) -> CertificateFolder.Entry {
    let place = places[index]
    return .init(
      name: string(place.name), chain: string(place.chain),
      key: place.key.isEmpty ? nil : string(place.key))
  }

  func chain(_ index: Int) -> String { string(places[index].chain) }
  func name(_ index: Int) -> String { string(places[index].name) }

  /// Whether an entry is called so.
  func isNamed(_ name: String, _ index: Int) -> Bool {
    text[places[index].name].elementsEqual(name.utf8)
  }

  /// Where the entries of another list with the same chains are, in the order of this list: both are
  /// in the order of these. Nil for those that are new.
  func indices(in others: CertificateEntries) -> [Int?] {
    let (bytes, otherBytes) = (text.span, others.text.span)
    var result: [Int?] = []
    result.reserveCapacity(count)
    var other = 0
    for place in places {
      while other < others.count,
        byteOrder(otherBytes, others.places[other].chain, bytes, place.chain) < 0
      {
        other += 1
      }
      let isSame =
        other < others.count
        && byteOrder(otherBytes, others.places[other].chain, bytes, place.chain) == 0
      result.append(isSame ? other : nil)
    }
    return result
  }

  /// Whether an entry has the same key file as another one in another list.
  func hasKey(_ index: Int, ofEntry otherIndex: Int, in others: CertificateEntries) -> Bool {
    text[places[index].key] == others.text[others.places[otherIndex].key]
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }
}

extension CertificateEntries.Found {
  /// In a certificates folder that is itself a secret's, it is the folder's name.
  fileprivate var isNameInChain: Bool {
    chain.lowerBound <= name.lowerBound && name.upperBound <= chain.upperBound
  }
}

/// Negative when the first text comes before the second, byte by byte; zero when they are equal.
func byteOrder(
  _ left: Span<UInt8>, _ leftRange: Range<Int>, _ right: Span<UInt8>, _ rightRange: Range<Int>
) -> Int {
  for offset in 0..<min(leftRange.count, rightRange.count) {
    let difference =
      Int(left[leftRange.lowerBound + offset]) - Int(right[rightRange.lowerBound + offset])
    if difference != 0 { return difference }
  }
  return leftRange.count - rightRange.count
}
