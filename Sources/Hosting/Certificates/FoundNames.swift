/// The names of the files in the certificates folder, hidden and backup files left out, as places in
/// one text: without a String for each, for there may be very many.
struct FoundNames {
  /// What a name is by its ending, when that is one of the three that nearly all have.
  enum Kind { case chain, key }

  struct File {
    /// From the certificates folder on.
    let path: Range<Int>
    /// Where its last part begins.
    let nameStart: Int
    let kind: Kind?

    var name: Range<Int> { nameStart..<path.upperBound }
    /// Without the usual ending, if it has one.
    var stem: Range<Int> { nameStart..<(path.upperBound - (kind == nil ? 0 : 4)) }
    /// Empty for the certificates folder itself.
    var folder: Range<Int> { path.lowerBound..<max(path.lowerBound, nameStart - 1) }
  }

  private(set) var text: [UInt8] = []
  /// In the order of their folders, in each by stem, and among those by name.
  private(set) var files: [File] = []
  /// The name of the certificates folder, in the text.
  private let rootName: Range<Int>

  init(root: String, paths: [(path: String, isDirectory: Bool)]) {
    let start = root.utf8.lastIndex(of: UInt8(ascii: "/")).map { root.utf8.index(after: $0) }
    text.reserveCapacity(paths.reduce(256) { $0 + $1.path.utf8.count })
    text += root.utf8[(start ?? root.startIndex)...]
    rootName = 0..<text.count
    files.reserveCapacity(paths.count)
    for (path, isDirectory) in paths where !isDirectory { add(path) }
    sort()
  }

  private mutating func add(_ path: String) {
    let start = text.count
    text += path.utf8
    if let file = Self.file(text.span, start) { files.append(file) }
  }

  /// What the text from `start` on says; nil for what is passed over.
  private static func file(_ bytes: Span<UInt8>, _ start: Int) -> File? {
    var nameStart = bytes.count
    while nameStart > start, bytes[nameStart - 1] != UInt8(ascii: "/") { nameStart -= 1 }
    if nameStart == bytes.count || bytes[nameStart] == UInt8(ascii: ".")
      || bytes[bytes.count - 1] == UInt8(ascii: "~")
    {
      return nil
    }
    return File(
      path: start..<bytes.count, nameStart: nameStart, kind: kind(bytes, nameStart..<bytes.count))
  }

  /// Whether a name has one of the usual endings.
  static func isUsual(_ name: String) -> Bool {
    let bytes = name.utf8.span
    return kind(bytes, 0..<bytes.count) != nil
  }

  private static func kind(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Kind? {
    // Something must stand before the dot.
    guard name.count > 4 else { return nil }
    var word: UInt32 = 0
    for index in (name.upperBound - 4)..<name.upperBound {
      word = word << 8 | UInt32(bytes[index])
    }
    // In lower case; a dot stays one.
    switch word | 0x0020_2020 {
    case 0x2E63_7274, 0x2E70_656D: return .chain  // .crt .pem
    case 0x2E6B_6579: return .key  // .key
    default: return nil
    }
  }

  private mutating func sort() {
    let text = text
    let bytes = text.span
    files.sort { left, right in
      var difference = 0
      if !left.folder.isEmpty || !right.folder.isEmpty {
        difference = byteOrder(bytes, left.folder, bytes, right.folder)
      }
      if difference == 0 { difference = byteOrder(bytes, left.stem, bytes, right.stem) }
      if difference == 0 { difference = byteOrder(bytes, left.name, bytes, right.name) }
      return difference < 0
    }
  }

  /// Behind the files that are in the same folder as the one at `start`.
  func endOfFolder(from start: Int) -> Int {
    let bytes = text.span
    let folder = files[start].folder
    var end = start + 1
    while end < files.count, byteOrder(bytes, files[end].folder, bytes, folder) == 0 { end += 1 }
    return end
  }

  /// The last part of the path of the folder in which a file is.
  func nameOfFolder(of index: Int) -> Range<Int> {
    let folder = files[index].folder
    if folder.isEmpty { return rootName }
    let slash = text[folder].lastIndex(of: UInt8(ascii: "/"))
    return (slash.map { $0 + 1 } ?? folder.lowerBound)..<folder.upperBound
  }

  func isNamed(_ name: String, _ index: Int) -> Bool {
    let range = files[index].name
    return range.count == name.utf8.count && text[range].elementsEqual(name.utf8)
  }

  func stem(of index: Int) -> [UInt8] { Array(text[files[index].stem]) }

  func haveSameStem(_ left: Int, _ right: Int) -> Bool {
    let bytes = text.span
    return byteOrder(bytes, files[left].stem, bytes, files[right].stem) == 0
  }

  /// Negative when the stem of a file comes before this one; zero when it is the same.
  func order(ofStem index: Int, _ stem: [UInt8]) -> Int {
    byteOrder(text.span, files[index].stem, stem.span, 0..<stem.count)
  }

  /// Whether the stem ends as mkcert's keys do.
  func hasMkcertEnding(_ index: Int) -> Bool {
    text[files[index].stem].suffix(4).elementsEqual("-key".utf8)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
}
