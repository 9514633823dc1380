internal import Bytes
internal import Posix

/// PEM text (RFC 7468): blocks between `-----BEGIN label-----` and `-----END label-----`. Text
/// outside the blocks is an explanation, and is ignored.
///
/// We do not use OpenSSL's reader, because it does not report line numbers, silently skips a broken
/// block, and would ask for a passphrase on the terminal. This reader reads each byte once, so the
/// size limit of the file also limits the time.
struct PEM {
  struct Block: Equatable {
    let label: String
    /// The `BEGIN` line of the block.
    let start: Range<Int>
    /// The lines between the `BEGIN` line and the `END` line.
    let body: Range<Int>
    /// Whether a `Proc-Type` header says that the content is encrypted (RFC 1421).
    let isEncrypted: Bool

    /// Whether the block is a private key of any form.
    var isPrivateKey: Bool { label.utf8.suffix(11).elementsEqual("PRIVATE KEY".utf8) }
  }

  struct Fault: Error, Equatable {
    /// The fault in one sentence, in the same style as diagnostics.
    let message: String
    /// The line with the fault.
    let range: Range<Int>
  }

  /// Returns the blocks in the order of the text.
  static func blocks(in bytes: [UInt8]) throws(Fault) -> [Block] {
    var blocks: [Block] = []
    var open: (label: String, start: Range<Int>, isEncrypted: Bool)?
    var position = 0
    while let (line, next) = nextLine(in: bytes, from: position) {
      position = next
      // Most lines are plain Base64. This cheap test skips such lines.
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

  /// Returns the bytes that a block's Base64 text encodes (RFC 4648 section 4).
  static func decode(_ block: Block, in bytes: [UInt8]) throws(Fault) -> [UInt8] {
    var text = block.body
    // Headers (RFC 1421 section 4.4) come first.
    while !text.isEmpty, let (line, next) = nextLine(in: bytes, from: text.lowerBound),
      line.isEmpty || bytes[line].contains(UInt8(ascii: ":"))
    {
      text = next..<text.upperBound
    }
    if let decoded = decoded(bytes.span, text) { return decoded }
    throw fault(in: text, of: block, bytes)
  }

  /// Returns the bytes that `text[range]` encodes; nil if that text is empty or not Base64.
  private static func decoded(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    // Allocate enough memory at once. If the array grew later, a copy of key material would stay in
    // freed memory.
    var decoded = [UInt8](repeating: 0, count: Base64.capacity(for: range))
    guard let count = Base64.decode(text, range, into: &decoded) else {
      cleanse(&decoded)
      return nil
    }
    decoded.removeLast(decoded.count - count)
    return decoded
  }

  /// Returns the first fault in a block's text that cannot be decoded as Base64.
  private static func fault(in text: Range<Int>, of block: Block, _ bytes: [UInt8]) -> Fault {
    var isPadded = false
    var position = text.lowerBound
    while position < text.upperBound, let (line, next) = nextLine(in: bytes, from: position) {
      position = next
      for byte in bytes[line] {
        switch Base64.symbol(byte) {
        case .blank: continue
        case .pad: isPadded = true
        case .digit where !isPadded: continue
        default:
          return Fault(message: "this line of \(quoted(block.label)) is not Base64", range: line)
        }
      }
    }
    return Fault(message: "\(quoted(block.label)) is cut short", range: block.start)
  }

  /// Returns whether the first byte shows that the line is neither a boundary nor a `Proc-Type`
  /// header.
  private static func isPlain(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
    guard let first = line.first else { return true }
    // Boundaries begin with a dash or, at the beginning of a file, with a byte order mark (0xEF).
    // `Proc-Type` begins with a P.
    return bytes[first] != 0x2D && bytes[first] != 0xEF && bytes[first] != UInt8(ascii: "P")
  }

  private static func unfinished(_ label: String, _ start: Range<Int>) -> Fault {
    Fault(message: "\(quoted(label)) begins here but has no END line", range: start)
  }

  private static func quoted(_ label: String) -> String { "\"\(label)\"" }

  /// Returns the label of a boundary line that begins with `prefix`; nil for any other line.
  private static func boundary(_ prefix: String, _ bytes: [UInt8], _ line: Range<Int>) -> String? {
    var line = bytes[line]
    if line.starts(with: "\u{FEFF}".utf8) { line = line.dropFirst(3) }  // a byte order mark
    let label = line.dropFirst(prefix.utf8.count).dropLast(5)
    guard line.starts(with: prefix.utf8), line.suffix(5).elementsEqual("-----".utf8),
      !label.isEmpty
    else { return nil }
    return String(decoding: label, as: UTF8.self)
  }

  /// Returns the next line, and the position at which the line after it begins. The returned line
  /// does not include its terminator (LF, CR LF or CR) or trailing blanks.
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
}
