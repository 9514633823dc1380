/// PEM text (RFC 7468): blocks between `-----BEGIN label-----` and `-----END label-----`; what
/// stands between blocks is explanation and is passed over.
///
/// Read here, not by OpenSSL's reader, because that one knows no lines, skips a broken block in
/// silence, and would ask for a passphrase on the terminal.
struct PEM {
  struct Block: Equatable {
    let label: String
    /// The line that begins the block.
    let start: Range<Int>
    /// The lines between the first and the last.
    let body: Range<Int>
    /// Whether a `Proc-Type` header says that the content is encrypted (RFC 1421).
    let isEncrypted: Bool

    /// Of any form.
    var isPrivateKey: Bool { label.utf8.suffix(11).elementsEqual("PRIVATE KEY".utf8) }
  }

  struct Fault: Error, Equatable {
    /// One sentence in the form of a diagnostic.
    let message: String
    /// The line at fault.
    let range: Range<Int>
  }

  /// The blocks in the order of the text.
  static func blocks(in bytes: [UInt8]) throws(Fault) -> [Block] {
    var blocks: [Block] = []
    var open: (label: String, start: Range<Int>, isEncrypted: Bool)?
    var position = 0
    while let (line, next) = nextLine(in: bytes, from: position) {
      position = next
      // Nearly all lines.
      if isPlain(bytes, line) { continue }
      if let label = boundary("-----BEGIN ", bytes, line) {
        if let open { throw unfinished(open.label, open.start) }
        open = (label, line, false)
      } else if let label = boundary("-----END ", bytes, line) {
        guard let begun = open else {
          throw Fault(message: "END \(quoted(label)) without a BEGIN before it", range: line)
        }
        guard begun.label == label else { throw unfinished(begun.label, begun.start) }
        blocks.append(
          Block(
            label: label, start: begun.start, body: begun.start.upperBound..<line.lowerBound,
            isEncrypted: begun.isEncrypted))
        open = nil
      } else if open != nil, bytes[line].starts(with: "Proc-Type:".utf8),
        bytes[line].reversed().starts(with: "ENCRYPTED".utf8.reversed())
      {
        open?.isEncrypted = true
      }
    }
    if let open { throw unfinished(open.label, open.start) }
    return blocks
  }

  /// The bytes that a block's Base64 text stands for (RFC 4648 section 4).
  static func decode(_ block: Block, in bytes: [UInt8]) throws(Fault) -> [UInt8] {
    if let decoded = Base64.decode(bytes.span, block.body) { return decoded }
    return try decodeByLines(block, in: bytes)
  }

  /// The same, with headers passed over, and with the line at fault told.
  static func decodeByLines(_ block: Block, in bytes: [UInt8]) throws(Fault) -> [UInt8] {
    // Never moved while it is filled: key material must not stay behind in a freed copy.
    var decoded = [UInt8](repeating: 0, count: block.body.count * 3 / 4 + 3)
    var end = 0
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    var position = block.body.lowerBound
    while position < block.body.upperBound, let (line, next) = nextLine(in: bytes, from: position) {
      position = next
      if bytes[line].contains(UInt8(ascii: ":")) { continue }  // a header
      for index in line {
        let byte = bytes[index]
        if let value = base64Value(byte), padding == 0 {
          group = group << 6 | UInt32(value)
        } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
          continue
        } else if byte == UInt8(ascii: "=") {
          padding += 1
        } else {
          throw Fault(message: "\(quoted(block.label)) is not Base64 in this line", range: line)
        }
        count += 1
        if count % 4 == 0 {
          if padding > 0 { group <<= UInt32(6 * padding) }
          for shift in stride(from: 16, through: 8 * min(padding, 3), by: -8) {
            decoded[end] = UInt8(truncatingIfNeeded: group >> UInt32(shift))
            end += 1
          }
          group = 0
        }
      }
    }
    guard count > 0, count % 4 == 0, padding <= 2 else {
      throw Fault(message: "\(quoted(block.label)) is cut short", range: block.start)
    }
    decoded.removeLast(decoded.count - end)
    return decoded
  }

  /// Whether a line begins as no boundary and no `Proc-Type` header does.
  private static func isPlain(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
    guard let first = line.first else { return true }
    // A dash, a byte order mark, a header's name.
    return bytes[first] != 0x2D && bytes[first] != 0xEF && bytes[first] != UInt8(ascii: "P")
  }

  private static func unfinished(_ label: String, _ start: Range<Int>) -> Fault {
    Fault(message: "\(quoted(label)) begins here and has no end", range: start)
  }

  private static func quoted(_ label: String) -> String { "\"\(label)\"" }

  /// The label of a boundary line, or nil when the line is none.
  private static func boundary(
    _ prefix: StaticString, _ bytes: [UInt8], _ line: Range<Int>
  ) -> String? {
    let text = bytes.span
    var start = line.lowerBound
    if has("\u{FEFF}", text, line, at: start) { start += 3 }  // a byte order mark
    let end = line.upperBound - 5
    guard has(prefix, text, line, at: start), end > start + prefix.utf8CodeUnitCount,
      has("-----", text, line, at: end)
    else { return nil }
    return String(decoding: bytes[(start + prefix.utf8CodeUnitCount)..<end], as: UTF8.self)
  }

  /// Whether these characters stand in the line from `start` on.
  private static func has(
    _ characters: StaticString, _ text: Span<UInt8>, _ line: Range<Int>, at start: Int
  ) -> Bool {
    let count = characters.utf8CodeUnitCount
    guard start >= line.lowerBound, start + count <= line.upperBound else { return false }
    return characters.withUTF8Buffer { characters in
      for index in 0..<count where unsafe text[start + index] != characters[index] { return false }
      return true
    }
  }

  /// The next line without its end (LF, CR LF or CR) and trailing blanks, and where the one after
  /// it begins.
  private static func nextLine(
    in bytes: [UInt8], from position: Int
  ) -> (line: Range<Int>, next: Int)? {
    let bytes = bytes.span
    guard position < bytes.count else { return nil }
    var end = position
    while end < bytes.count {
      let byte = bytes[end]
      if byte <= 0x0D, byte == 0x0A || byte == 0x0D { break }
      end += 1
    }
    var next = min(end + 1, bytes.count)
    if end < bytes.count, bytes[end] == 0x0D, next < bytes.count, bytes[next] == 0x0A { next += 1 }
    while end > position, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return (position..<end, next)
  }

  private static func base64Value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
