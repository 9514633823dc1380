internal import Diagnostics

/// Reads the elements and attributes of the binary manifest in an Android package.
///
/// Source: Android's ResourceTypes.h. A reference to a resource is not resolved: its value becomes
/// a text such as `@0x7f0b0001`.
struct BinaryXML {
  private let bytes: [UInt8]
  private var strings = StringPool()
  /// The numbers that Android assigns to attributes. The number at an index belongs to the
  /// attribute whose name has the same index in `strings`.
  private var attributeNumbers: [Int64] = []
  /// The elements that have begun but not ended, from outermost to innermost.
  private var open: [XMLElement] = []
  private var top: XMLElement?
  private var budget = AppFileLimits.manifest

  static let broken = AppFileFault.content("the binary manifest is broken")
  private static let android = "http://schemas.android.com/apk/res/android"

  /// The first bytes of every binary manifest.
  static let beginning: [UInt8] = [0x03, 0x00, 0x08, 0x00]

  /// Reads the binary manifest, and returns its top element.
  static func read(_ bytes: [UInt8]) throws(AppFileFault) -> XMLElement {
    var reader = BinaryXML(bytes: bytes)
    try reader.readChunks()
    guard let top = reader.top, reader.open.isEmpty else { throw broken }
    return top
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func number(_ place: Int, _ count: Int) -> Int { Int(littleEndian(bytes, place, count)) }

  private mutating func readChunks() throws(AppFileFault) {
    guard bytes.count >= 8, number(4, 4) <= bytes.count else { throw Self.broken }
    let end = number(4, 4)
    var place = 8
    while place < end {
      guard end - place >= 8 else { throw Self.broken }
      let header = number(place + 2, 2)
      let size = number(place + 4, 4)
      guard header >= 8, size >= header, size <= end - place else { throw Self.broken }
      try readChunk(number(place, 2), header: place + header, place..<(place + size))
      place += size
    }
  }

  private mutating func readChunk(
    _ kind: Int, header: Int, _ chunk: Range<Int>
  ) throws(AppFileFault) {
    switch kind {
    case 0x0001: strings = try StringPool(Array(bytes[chunk]), header: header - chunk.lowerBound)
    case 0x0180:
      attributeNumbers = stride(from: header, to: chunk.upperBound - 3, by: 4).map {
        littleEndian(bytes, $0, 4)
      }
    case 0x0102: try begin(header, chunk)
    case 0x0103:
      guard let element = open.popLast() else { throw Self.broken }
      if open.isEmpty { top = element } else { open[open.count - 1].children.append(element) }
    // Skip namespaces and texts. Attributes refer to a namespace by its URI, and texts in a
    // manifest have no meaning.
    default: break
    }
  }

  private mutating func begin(_ body: Int, _ chunk: Range<Int>) throws(AppFileFault) {
    guard body - chunk.lowerBound >= 16, chunk.upperBound - body >= 20, top == nil else {
      throw Self.broken
    }
    let first = body + number(body + 8, 2)
    let (size, count) = (number(body + 10, 2), number(body + 12, 2))
    guard size >= 20, first <= chunk.upperBound, count * size <= chunk.upperBound - first else {
      throw Self.broken
    }
    var attributes: [String: String] = [:]
    for index in 0..<count {
      let (name, value) = try attribute(at: first + index * size)
      attributes[name] = value
    }
    let name = try text(number(body + 4, 4))
    try use(count + 1, name)
    guard open.count < AppFileLimits.depth else { throw Self.tooLarge }
    open.append(
      XMLElement(name: name, attributes: attributes, line: number(chunk.lowerBound + 8, 4)))
  }

  private mutating func attribute(at place: Int) throws(AppFileFault) -> (String, String) {
    let name = number(place + 4, 4)
    var text = try text(name)
    // The name may be missing, because some tools that shrink packages remove the names of
    // attributes.
    if text.isEmpty, name < attributeNumbers.count,
      let known = Self.names[attributeNumbers[name]]
    {
      text = known
    }
    let space = number(place, 4)
    if space != 0xFFFF_FFFF, try self.text(space) == Self.android { text = "android:" + text }
    let data = littleEndian(bytes, place + 16, 4)
    let value: String
    switch bytes[place + 15] {
    case 0x01: value = "@0x" + String(data, radix: 16)
    case 0x03: value = try self.text(Int(data))
    case 0x10: value = "\(Int32(truncatingIfNeeded: data))"
    case 0x12: value = data == 0 ? "false" : "true"
    default: value = ""
    }
    try use(0, text + value)
    return (text, value)
  }

  private mutating func text(_ index: Int) throws(AppFileFault) -> String {
    guard let text = strings.text(index, &budget) else { throw Self.broken }
    if budget.isSpent { throw Self.tooLarge }
    return text
  }

  private static let tooLarge = AppFileFault.content(
    "the manifest has too many, too long or too deeply nested elements")

  private mutating func use(_ values: Int, _ text: String) throws(AppFileFault) {
    budget.spend(values, bytes: text.utf8.count)
    if budget.isSpent { throw Self.tooLarge }
  }

  /// The names of the attributes that this module needs, by Android's number of the attribute.
  private static let names: [Int64: String] = [
    0x0101_0003: "name", 0x0101_0010: "exported", 0x0101_0026: "mimeType", 0x0101_0027: "scheme",
    0x0101_0028: "host", 0x0101_0029: "port", 0x0101_002A: "path", 0x0101_002B: "pathPrefix",
    0x0101_002C: "pathPattern", 0x0101_04EE: "autoVerify", 0x0101_061E: "pathSuffix",
    0x0101_0620: "pathAdvancedPattern",
  ]
}

/// The strings of a binary manifest. Each string is decoded when it is first needed.
private struct StringPool {
  private var bytes: [UInt8] = []
  private var count = 0
  private var offsets = 0
  private var start = 0
  private var isUTF8 = false
  private var found: [Int: String] = [:]

  init() {}

  init(_ chunk: [UInt8], header: Int) throws(AppFileFault) {
    guard header >= 28 else { throw BinaryXML.broken }
    bytes = chunk
    count = Int(littleEndian(chunk, 8, 4))
    isUTF8 = littleEndian(chunk, 16, 4) & 0x100 != 0
    start = Int(littleEndian(chunk, 20, 4))
    offsets = header
    guard count <= (chunk.count - header) / 4, start <= chunk.count else { throw BinaryXML.broken }
  }

  /// Returns the string at an index. Nil if no string has this index, or if the string is
  /// malformed. Each decoded string reduces the budget by its size, because several strings may
  /// share the same bytes.
  mutating func text(_ index: Int, _ budget: inout Budget) -> String? {
    if let text = found[index] { return text }
    guard index >= 0, index < count else { return nil }
    var place = start + Int(littleEndian(bytes, offsets + 4 * index, 4))
    guard place < bytes.count else { return nil }
    let text: String
    if isUTF8 {
      // A string begins with its length in characters and then its length in bytes.
      guard length(&place, width: 1) != nil, let length = length(&place, width: 1),
        length <= bytes.count - place
      else { return nil }
      text = String(decoding: bytes[place..<(place + length)], as: UTF8.self)
    } else {
      guard let length = length(&place, width: 2), length <= (bytes.count - place) / 2 else {
        return nil
      }
      let units = (0..<length).map { UInt16(littleEndian(bytes, place + 2 * $0, 2)) }
      text = String(decoding: units, as: UTF16.self)
    }
    found[index] = text
    budget.spend(0, bytes: text.utf8.count)
    return text
  }

  /// Reads a length, which consists of one unit of `width` bytes. If the highest bit of this unit
  /// is set, a second unit follows.
  private func length(_ place: inout Int, width: Int) -> Int? {
    guard place + width <= bytes.count else { return nil }
    let bits = 8 * width
    let first = Int(littleEndian(bytes, place, width))
    place += width
    guard first >> (bits - 1) == 1 else { return first }
    guard place + width <= bytes.count else { return nil }
    defer { place += width }
    return (first & (1 << (bits - 1) - 1)) << bits | Int(littleEndian(bytes, place, width))
  }
}
