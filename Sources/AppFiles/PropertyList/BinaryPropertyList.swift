internal import Diagnostics

/// Reads a binary property list (CFBinaryPList.c). Such a list consists of numbered objects, a
/// table of the objects' offsets, and a trailer that contains the number of the top object.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  private var budget = AppFileLimits.list

  private static let trailerSize = 32
  private static let broken = AppFileFault.content("the binary property list is broken")

  init(_ bytes: [UInt8]) throws(AppFileFault) {
    self.bytes = bytes
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 8 + Self.trailerSize else {
      throw .content("the file is not a binary property list of version 00")
    }
    let trailer = bytes.count - Self.trailerSize
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objectCount = Self.number(bytes[(trailer + 8)..<(trailer + 16)]),
      let top = Self.number(bytes[(trailer + 16)..<(trailer + 24)]),
      let table = Self.number(bytes[(trailer + 24)..<(trailer + 32)]),
      // First limit each number, so that the product of two numbers cannot overflow.
      objectCount <= trailer, top < objectCount, (8...trailer).contains(table),
      objectCount * offsetSize <= trailer - table
    else { throw Self.broken }
    self.objectCount = objectCount
    self.top = top
    self.table = table
  }

  mutating func read() throws(AppFileFault) -> PropertyList { try object(top, depth: 0) }

  private mutating func object(_ index: Int, depth: Int) throws(AppFileFault) -> PropertyList {
    budget.spend(1)
    if budget.isSpent { throw .tooMany }
    guard depth <= AppFileLimits.depth else { throw .tooDeep }
    guard index < objectCount else { throw Self.broken }
    let place = table + index * offsetSize
    guard let start = Self.number(bytes[place..<(place + offsetSize)]), (8..<table).contains(start)
    else { throw Self.broken }
    let marker = bytes[start]
    var position = start + 1
    switch marker >> 4 {
    case 0x0 where marker == 0x08 || marker == 0x09: return .truth(marker == 0x09)
    // Null, a number, a date, data or a unique identifier. Entitlements do not need such values.
    case 0x0, 0x1, 0x2, 0x3, 0x4, 0x8: return .other
    case 0x5:
      let length = try length(marker, &position)
      return .text(String(decoding: try text(position, length), as: UTF8.self))
    case 0x6:
      let length = try length(marker, &position)
      return .text(text16(try text(position, length * 2)))
    // An array, or a set.
    case 0xA, 0xB, 0xC:
      let length = try length(marker, &position)
      return .list(try objects(position, length, depth))
    case 0xD:
      let length = try length(marker, &position)
      let keys = try objects(position, length, depth)
      let values = try objects(position + length * referenceSize, length, depth)
      var entries: [String: PropertyList] = [:]
      for (key, value) in zip(keys, values) {
        if let key = key.text { entries[key] = value }
      }
      return .dictionary(entries)
    default: throw Self.broken
    }
  }

  private mutating func objects(
    _ position: Int, _ count: Int, _ depth: Int
  ) throws(AppFileFault) -> [PropertyList] {
    guard count <= AppFileLimits.values else { throw .tooMany }
    var result: [PropertyList] = []
    for index in 0..<count {
      let place = try slice(position + index * referenceSize, referenceSize)
      guard let reference = Self.number(place) else { throw Self.broken }
      result.append(try object(reference, depth: depth + 1))
    }
    return result
  }

  /// Reads the number of elements from the marker, or from an integer after the marker.
  private func length(_ marker: UInt8, _ position: inout Int) throws(AppFileFault) -> Int {
    let low = Int(marker & 0x0F)
    if low < 0x0F { return low }
    guard position < table, bytes[position] >> 4 == 0x1, bytes[position] & 0x0F <= 3 else {
      throw Self.broken
    }
    let size = 1 << Int(bytes[position] & 0x0F)
    guard let length = Self.number(try slice(position + 1, size)), length <= bytes.count else {
      throw Self.broken
    }
    position += 1 + size
    return length
  }

  /// Returns the bytes of a text. Reduces the budget by the number of these bytes, because many
  /// objects may share the same bytes.
  private mutating func text(
    _ start: Int, _ count: Int
  ) throws(AppFileFault) -> ArraySlice<UInt8> {
    budget.spend(0, bytes: count)
    if budget.isSpent { throw .tooLong }
    return try slice(start, count)
  }

  /// Returns a range of bytes in the part of the list that contains objects. This part ends where
  /// the offset table begins.
  private func slice(_ start: Int, _ count: Int) throws(AppFileFault) -> ArraySlice<UInt8> {
    guard start + count <= table else { throw Self.broken }
    return bytes[start..<(start + count)]
  }

  /// Reads a big-endian number. Nil if `bytes` is empty, or if the number is larger than the size
  /// of any file.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var result = 0
    for byte in bytes {
      guard result < 1 << 47 else { return nil }
      result = result << 8 | Int(byte)
    }
    return result
  }

  private func text16(_ bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.startIndex
    let units = (0..<bytes.count / 2).map { index in
      UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
