internal import Bytes
internal import TLS

/// The versions of one entry that are served although its files are faulty or missing, as they are
/// kept for the next start.
struct KeptEntry: Equatable, Sendable {
  /// The version of one of its files.
  struct Part: Equatable, Sendable {
    var place: Place
    var bytes: [UInt8]
    /// Seconds since 1970.
    var lastModified: Int64 = 0
    /// Whether the version has errors that devices survive.
    var isFlawed = false
    /// Whether the file is missing, and that does not count before it is confirmed.
    var isHeld = false
  }

  /// The file of a version.
  enum Place: Hashable, Sendable {
    case association, signedAssociation, assetLinks, hosts
    /// A file below `.well-known`, by its name there.
    case wellKnown(String)
  }

  var parts: [Part]
  /// When it was written, in seconds since 1970.
  var time: Int64

  /// Whether the next start serves it although the entry has no files any more.
  var isHeld: Bool { parts.contains(where: \.isHeld) }
}

/// The form of a kept file: a line with the digest of all that follows, the time, a line for each
/// part, an empty line, and the parts' bytes one after the other.
extension KeptEntry {
  private static let mark = "aasa-kept-1"

  var encoded: [UInt8] {
    var text = "time \(time)\n"
    for part in parts {
      text += "part \(part.place.word) \(part.lastModified) \(part.bytes.count)"
      text += (part.isFlawed ? " flawed" : "") + (part.isHeld ? " held" : "") + "\n"
    }
    return Self.file(Array((text + "\n").utf8) + parts.flatMap(\.bytes))
  }

  /// The content with the line of its digest.
  static func file(_ content: [UInt8]) -> [UInt8] {
    Array("\(mark) \(Digest.sha256(content.span).hexText)\n".utf8) + content
  }

  /// Nil if the bytes are damaged.
  init?(_ bytes: [UInt8]) {
    var lines = KeptLines(bytes)
    let first = lines.next()
    let content = Array(bytes[lines.position...])
    guard first.count == 2, first[0] == Self.mark, first[1] == Digest.sha256(content.span).hexText
    else { return nil }
    let second = lines.next()
    guard second.count == 2, second[0] == "time", let time = Int64(second[1]) else { return nil }
    self.time = time
    var lengths: [Int] = []
    parts = []
    while true {
      let words = lines.next()
      if words.isEmpty { break }
      guard words.count >= 4, words[0] == "part", let place = Place(word: words[1]),
        let modified = Int64(words[2]), let length = Int(words[3]), length >= 0
      else { return nil }
      let flags = words[4...]
      parts.append(
        Part(
          place: place, bytes: [], lastModified: modified, isFlawed: flags.contains("flawed"),
          isHeld: flags.contains("held")))
      lengths.append(length)
    }
    var position = lines.position
    for (index, length) in lengths.enumerated() {
      guard length <= bytes.count - position else { return nil }
      parts[index].bytes = Array(bytes[position..<position + length])
      position += length
    }
    if position != bytes.count || parts.isEmpty { return nil }
  }
}

extension KeptEntry.Place {
  fileprivate var word: String {
    switch self {
    case .association: "association"
    case .signedAssociation: "signed"
    case .assetLinks: "assetlinks"
    case .hosts: "hosts"
    case .wellKnown(let name): "well-known/" + name
    }
  }

  fileprivate init?(word: String) {
    switch word {
    case "association": self = .association
    case "signed": self = .signedAssociation
    case "assetlinks": self = .assetLinks
    case "hosts": self = .hosts
    default:
      guard word.hasPrefix("well-known/") else { return nil }
      self = .wellKnown(String(word.dropFirst("well-known/".count)))
    }
  }
}

/// Reads the lines of a head as words.
private struct KeptLines {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The words of the next line; none at an empty line, and at the end.
  mutating func next() -> [String] {
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { return [] }
    let words = bytes[position..<end].split(separator: 0x20)
    position = end + 1
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
