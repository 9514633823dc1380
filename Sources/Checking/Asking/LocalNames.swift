internal import Posix

/// Names that this machine looks up in a file instead of DNS (hosts(5)).
enum LocalNames {
  private static let path = "/etc/hosts"
  private static let largestFile = 1 << 20

  /// Whether the file gives an address for a host; false if the file cannot be read.
  static func contain(_ host: String) -> Bool {
    guard let bytes = try? readContent(path, limit: largestFile).bytes else { return false }
    return text(String(decoding: bytes, as: UTF8.self), contains: host)
  }

  /// Each line has an address and then its names, in any letter case; `#` begins a comment.
  static func text(_ text: String, contains host: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { line in
      line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).dropFirst()
        .contains { $0.lowercased() == host }
    }
  }
}
