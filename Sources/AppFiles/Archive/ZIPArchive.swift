/// A ZIP archive (APPNOTE.TXT of PKWARE). Reads the list of entries from the central directory at
/// the archive's end. Does not support encrypted entries and archives over 4 GB.
package struct ZIPArchive {
  package struct Entry: Sendable, Equatable {
    package let name: String
    let flags: Int64
    let method: Int64
    let packedSize: Int64
    package let size: Int64
    let header: Int64
  }

  package let entries: [Entry]
  /// The index of each entry by its name. If several entries have the same name, only the first of
  /// them is in the dictionary.
  private let indices: [String: Int]
  /// The offset of the central directory. In an `.apk`, the signature is directly before this
  /// offset.
  let directoryOffset: Int64
  private let source: ByteSource
  private let budget: UnpackingBudget

  private static let broken = "the archive is broken"
  private static let endSize = 22

  package init(_ source: ByteSource) throws(AppFileFault) {
    try self.init(source, unpacking: AppFileLimits.unpackedBytes)
  }

  /// - Parameter most: The maximum number of bytes to unpack from all entries together.
  init(_ source: ByteSource, unpacking most: Int) throws(AppFileFault) {
    self.source = source
    budget = UnpackingBudget(bytes: most)
    // The record at the end of the central directory may be followed by a comment of up to 65,535
    // bytes.
    let tail = Int(min(source.count, Int64(Self.endSize + 65_535)))
    let last = try source.bytes(at: source.count - Int64(tail), count: tail, orElse: Self.broken)
    guard let end = Self.end(in: last) else {
      throw .content(
        "the archive is incomplete: the ZIP directory at the end of the archive is missing")
    }
    let size = littleEndian(last, end + 12, 4)
    let offset = littleEndian(last, end + 16, 4)
    guard size != 0xFFFF_FFFF, offset != 0xFFFF_FFFF, littleEndian(last, end + 10, 2) != 0xFFFF
    else {
      throw .content("the archive is in ZIP64 format, which is not supported")
    }
    guard size <= AppFileLimits.directoryBytes else {
      throw .content("the archive's directory has more than \(AppFileLimits.directoryBytes) bytes")
    }
    directoryOffset = offset
    let directory = try source.bytes(at: offset, count: Int(size), orElse: Self.broken)
    entries = try Self.entries(directory)
    indices = Dictionary(
      entries.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the first entry with this name; nil if no entry has this name.
  package func entry(_ name: String) -> Entry? { indices[name].map { entries[$0] } }

  private static func end(in bytes: [UInt8]) -> Int? {
    guard bytes.count >= endSize else { return nil }
    return (0...bytes.count - endSize).last { place in
      bytes[place] == 0x50 && bytes[place...].starts(with: [0x50, 0x4B, 0x05, 0x06])
    }
  }

  private static func entries(_ bytes: [UInt8]) throws(AppFileFault) -> [Entry] {
    var result: [Entry] = []
    var place = 0
    while place < bytes.count {
      guard bytes.count - place >= 46, bytes[place...].starts(with: [0x50, 0x4B, 0x01, 0x02]) else {
        throw .content(broken)
      }
      let nameLength = Int(littleEndian(bytes, place + 28, 2))
      let extraLength = Int(littleEndian(bytes, place + 30, 2))
      let remarkLength = Int(littleEndian(bytes, place + 32, 2))
      let next = place + 46 + nameLength + extraLength + remarkLength
      guard next <= bytes.count else { throw .content(broken) }
      result.append(
        Entry(
          name: String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self),
          flags: littleEndian(bytes, place + 8, 2), method: littleEndian(bytes, place + 10, 2),
          packedSize: littleEndian(bytes, place + 20, 4), size: littleEndian(bytes, place + 24, 4),
          header: littleEndian(bytes, place + 42, 4)))
      place = next
    }
    return result
  }

  /// Returns the paths of the folders `NAME.app/` directly inside a folder. The path of `folder`
  /// must end with a slash.
  func apps(in folder: String) -> [String] {
    let found = entries.compactMap { entry -> String? in
      guard entry.name.hasPrefix(folder) else { return nil }
      let rest = entry.name.dropFirst(folder.count)
      guard let slash = rest.firstIndex(of: "/"), rest[..<slash].hasSuffix(".app") else {
        return nil
      }
      return folder + rest[...slash]
    }
    return Set(found).sorted()
  }

  /// Returns a reader for one entry.
  func reader(_ entry: Entry) throws(AppFileFault) -> ForwardReader {
    guard entry.flags & 1 == 0 else { throw .content("\(entry.name) is encrypted") }
    guard entry.method == 0 || entry.method == 8 else {
      throw .content("\(entry.name) has an unsupported compression method (\(entry.method))")
    }
    let header = try source.bytes(at: entry.header, count: 30, orElse: Self.broken)
    guard header.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { throw .content(Self.broken) }
    let start = entry.header + 30 + littleEndian(header, 26, 2) + littleEndian(header, 28, 2)
    guard start <= source.count, entry.packedSize <= source.count - start else {
      throw .content(Self.broken)
    }
    return ForwardReader(
      source, packed: start..<(start + entry.packedSize), size: entry.size,
      isPacked: entry.method == 8, budget)
  }

  /// Reads the whole content of an entry.
  package func content(_ entry: Entry, limit: Int) throws(AppFileFault) -> [UInt8] {
    guard entry.size <= limit else {
      throw .content("\(entry.name) has \(entry.size) bytes; the limit is \(limit)")
    }
    let reader = try reader(entry)
    return try reader.read(at: 0, count: Int(entry.size))
  }
}
