internal import Bytes
internal import Settings
internal import TLS

/// The served versions of one entry or certificate whose files are faulty or missing. They are kept
/// for the next start.
struct KeptEntry: Equatable, Sendable {
  /// The version of one of its files.
  struct Part: Equatable, Sendable {
    var place: Place
    var bytes: [UInt8]
    /// Seconds since 1970.
    var lastModified: Int64 = 0
    /// Whether the version has errors that devices survive.
    var isFlawed = false
    /// Whether the file is missing, and its loss awaits confirmation.
    var isHeld = false
  }

  /// The file of a version.
  enum Place: Hashable, Sendable {
    /// A served file, by its name in the table.
    case file(String)
    /// An association file that is signed.
    case signedAssociation
    case hosts
    /// A certificate chain and its key, as PEM text.
    case certificate

    var fileName: String? {
      switch self {
      case .file(let name): name
      case .signedAssociation: WellKnownFile.association.name
      case .hosts, .certificate: nil
      }
    }
  }

  var parts: [Part]
  /// When it was written, in seconds since 1970.
  var time: Int64

  /// Whether the next start serves it although the entry no longer has files.
  var isHeld: Bool { parts.contains(where: \.isHeld) }

  /// Holds all versions until an operator confirms that their files are missing.
  mutating func hold() {
    for index in parts.indices { parts[index].isHeld = true }
  }

  /// Overwrites the key in place. No other value may share the bytes, because a copy would be
  /// overwritten instead.
  mutating func cleanseKey() {
    for index in parts.indices where parts[index].place == .certificate {
      cleanse(&parts[index].bytes)
    }
  }
}

/// The form of a kept file: a line with the digest of all that follows, the time, a line for each
/// part, an empty line, and the parts' bytes one after the other.
extension KeptEntry {
  private static let name = "aasa-kept-"
  private static let version: Int64 = 1
  private static let mark = "\(name)\(version)"

  /// Whether a later version of this program wrote the file, in a form that this one cannot read.
  static func isLater(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: name.utf8) else { return false }
    let digits = bytes.dropFirst(name.utf8.count).prefix { $0 > 0x20 }
    return String(decoding: digits, as: UTF8.self).decimal(in: (version + 1)...(.max)) != nil
  }

  var encoded: [UInt8] {
    var text = "time \(time)\n"
    for part in parts {
      text += "part \(part.place.word) \(part.lastModified) \(part.bytes.count)"
      text += (part.isFlawed ? " flawed" : "") + (part.isHeld ? " held" : "") + "\n"
    }
    return Self.file([Array((text + "\n").utf8)] + parts.map(\.bytes))
  }

  /// Returns the first line, with the digest of everything below it.
  private static func line(_ digest: String) -> String { "\(mark) \(digest)\n" }

  private static let start = line(String(repeating: "0", count: 64)).utf8.count

  /// Returns the file: the line with the digest, then the pieces. The buffer never grows, because a
  /// reallocation would leave a copy of a key behind.
  static func file(_ pieces: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: start)
    bytes.reserveCapacity(pieces.reduce(start) { $0 + $1.count })
    for piece in pieces { bytes += piece }
    let digest = Digest.sha256(bytes.span.extracting(start..<bytes.count)).hexText
    for (index, byte) in line(digest).utf8.enumerated() { bytes[index] = byte }
    return bytes
  }

  /// Returns the position of the content; nil if the digest does not match.
  static func content(of bytes: [UInt8]) -> Int? {
    if bytes.count < start { return nil }
    let digest = Digest.sha256(bytes.span.extracting(start..<bytes.count)).hexText
    return bytes.starts(with: line(digest).utf8) ? start : nil
  }

  /// Nil if the bytes are damaged.
  init?(_ bytes: [UInt8]) {
    guard let start = Self.content(of: bytes) else { return nil }
    var lines = KeptLines(bytes, from: start)
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
    case .signedAssociation: "signed"
    case .hosts: "hosts"
    case .certificate: "certificate"
    case .file(let name): "well-known/" + name
    }
  }

  fileprivate init?(word: String) {
    switch word {
    case "signed": self = .signedAssociation
    case "hosts": self = .hosts
    case "certificate": self = .certificate
    default:
      guard word.hasPrefix("well-known/") else { return nil }
      self = .file(String(word.dropFirst("well-known/".count)))
    }
  }
}

/// Reads the lines of a head as words.
private struct KeptLines {
  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], from position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Returns the words of the next line; none at an empty line, and at the end.
  mutating func next() -> [String] {
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { return [] }
    let words = bytes[position..<end].split(separator: 0x20)
    position = end + 1
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
