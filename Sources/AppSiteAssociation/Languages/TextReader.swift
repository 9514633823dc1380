internal import Bytes

/// Reads a part of a URL as it is written, character by character, and tells what the written and
/// the decoded text are that patterns are compared with.
///
/// Every text that a URL can have is read: the characters that may stand there (RFC 3986
/// appendix A, and brackets), and `%` with two hexadecimal digits. Of paths only normalised ones are
/// read, without runs of slashes and a slash at the end, since the others mean the same. A decoded
/// path is normalised after decoding, since `%2F` becomes a slash.
///
/// Slashes of a path are held back until something follows: at the end they do not count.
struct TextReader {
  let part: URLPart
  /// Whether any pattern is compared with the written text.
  let needsWritten: Bool
  let needsDecoded: Bool
  /// The UTF-8 forms of characters beyond ASCII that decoded patterns name.
  let encodings: [[UInt8]]

  /// What one character contributes.
  struct Output {
    var written: [UInt32] = []
    var decoded: [UInt32] = []
    /// `&` or `=` in a query, which is then the last character of both texts; else 0.
    var separator: UInt8 = 0

    mutating func clear() {
      written.removeAll(keepingCapacity: true)
      decoded.removeAll(keepingCapacity: true)
      separator = 0
    }
  }

  /// Any decoded character that no pattern names.
  static let unnamed: UInt32 = 0x110000

  var initial: ReaderState {
    var state = ReaderState()
    state.isEmpty = true
    state.isDecodedEmpty = true
    state.holdsWritten = part == .path
    state.holdsDecoded = part == .path && needsDecoded
    return state
  }

  /// Returns false when the character cannot stand here, or need not be tried.
  func read(_ symbol: UInt8, _ state: inout ReaderState, _ output: inout Output) -> Bool {
    output.clear()
    switch state.percentPhase {
    case 1, 2:
      guard let value = symbol.hexValue else { return false }
      if !needsWritten && symbol >= UInt8(ascii: "a") { return false }
      put(UInt32(symbol), &state.holdsWritten, &output.written)
      if state.percentPhase == 1 {
        state.percentPhase = 2
        state.highDigit = needsDecoded ? value : 0
        return true
      }
      state.percentPhase = 0
      let byte = state.highDigit << 4 | value
      state.highDigit = 0
      return !needsDecoded || take(byte, &state, &output)
    default: break
    }
    if symbol == UInt8(ascii: "/"), part == .path, state.holdsWritten { return false }
    if symbol != UInt8(ascii: "/") || part != .path { state.isEmpty = false }
    put(UInt32(symbol), &state.holdsWritten, &output.written)
    if symbol == UInt8(ascii: "%") {
      state.percentPhase = 1
      return true
    }
    if needsDecoded {
      flush(&state, &output)
      putDecoded(UInt32(symbol), &state, &output)
    }
    if part == .query, symbol == UInt8(ascii: "&") || symbol == UInt8(ascii: "=") {
      output.separator = symbol
    }
    return true
  }

  /// Ends the text. Returns false when it cannot end here.
  func end(_ state: ReaderState, _ output: inout Output) -> Bool {
    output.clear()
    var state = state
    guard state.percentPhase == 0 else { return false }
    if part == .path, state.holdsWritten {
      guard state.isEmpty else { return false }
      output.written.append(0x2F)
    }
    if needsDecoded {
      flush(&state, &output)
      if part == .path, state.holdsDecoded, state.isDecodedEmpty { output.decoded.append(0x2F) }
    }
    return true
  }

  @inline(__always)
  private func put(_ symbol: UInt32, _ holdsSlash: inout Bool, _ text: inout [UInt32]) {
    if part == .path {
      if symbol == 0x2F {
        holdsSlash = true
        return
      }
      if holdsSlash { text.append(0x2F) }
      holdsSlash = false
    }
    text.append(symbol)
  }

  private func putDecoded(_ symbol: UInt32, _ state: inout ReaderState, _ output: inout Output) {
    if symbol != 0x2F || part != .path { state.isDecodedEmpty = false }
    put(symbol, &state.holdsDecoded, &output.decoded)
  }
}

/// Decoding, by the rules of `ScalarDecoder`. Sequences of bytes that lead to no character that a
/// pattern names are not told apart, only how many bytes they have and may have.
extension TextReader {
  private func take(
    _ byte: UInt8, _ state: inout ReaderState, _ output: inout Output
  ) -> Bool {
    if state.missing > 0 {
      if byte & 0xC0 == 0x80, isAllowed(byte, after: state.leadKind) {
        return proceed(byte, &state, &output)
      }
      flush(&state, &output)
    }
    switch byte {
    case 0x00...0x7F: putDecoded(UInt32(byte), &state, &output)
    case 0xC2...0xDF: return begin(byte, missing: 1, &state)
    case 0xE0...0xEF: return begin(byte, missing: 2, &state)
    case 0xF0...0xF4: return begin(byte, missing: 3, &state)
    default: putDecoded(Self.unnamed, &state, &output)
    }
    return true
  }

  private func begin(_ byte: UInt8, missing: UInt8, _ state: inout ReaderState) -> Bool {
    state.count = 1
    state.missing = missing
    state.leadKind = leadKind(byte)
    state.isNamed = encodings.contains { $0[0] == byte }
    state.bytes = state.isNamed ? UInt32(byte) : 0
    // A single stray byte is as good a character that no pattern names.
    return state.isNamed || needsWritten
  }

  private func proceed(
    _ byte: UInt8, _ state: inout ReaderState, _ output: inout Output
  ) -> Bool {
    if state.isNamed {
      state.bytes = state.bytes << 8 | UInt32(byte)
      let count = Int(state.count) + 1
      state.isNamed = encodings.contains { encoding in
        guard encoding.count >= count else { return false }
        return encoding[0..<count].reduce(0) { $0 << 8 | UInt32($1) } == state.bytes
      }
      if !state.isNamed {
        state.bytes = 0
        if !needsWritten { return false }
      }
    }
    state.count += 1
    state.missing -= 1
    state.leadKind = 0
    if state.missing > 0 { return true }
    let symbol = state.isNamed ? scalar(state.bytes, count: state.count) : Self.unnamed
    state.forgetSequence()
    putDecoded(symbol, &state, &output)
    return true
  }

  /// Gives up an unfinished sequence.
  private func flush(_ state: inout ReaderState, _ output: inout Output) {
    let count = state.count
    state.forgetSequence()
    for _ in 0..<count { putDecoded(Self.unnamed, &state, &output) }
  }

  /// Which leading bytes restrict the second byte.
  private func leadKind(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0xE0: 1
    case 0xED: 2
    case 0xF0: 3
    case 0xF4: 4
    default: 0
    }
  }

  private func isAllowed(_ byte: UInt8, after leadKind: UInt8) -> Bool {
    switch leadKind {
    case 1: byte >= 0xA0
    case 2: byte < 0xA0
    case 3: byte >= 0x90
    case 4: byte < 0x90
    default: true
    }
  }

  private func scalar(_ bytes: UInt32, count: UInt8) -> UInt32 {
    let (b0, b1, b2) = (bytes & 0x3F, bytes >> 8 & 0x3F, bytes >> 16 & 0x3F)
    return switch count {
    case 2: (bytes >> 8 & 0x1F) << 6 | b0
    case 3: (bytes >> 16 & 0x0F) << 12 | b1 << 6 | b0
    default: (bytes >> 24 & 0x07) << 18 | b2 << 12 | b1 << 6 | b0
    }
  }
}

/// Where a `TextReader` is within a text.
struct ReaderState {
  /// 1 after `%`, 2 after its first digit.
  var percentPhase: UInt8 = 0
  var highDigit: UInt8 = 0
  /// The bytes of an unfinished UTF-8 sequence: how many there are, how many are missing, and which,
  /// if they may lead to a character that a pattern names.
  var count: UInt8 = 0
  var missing: UInt8 = 0
  var leadKind: UInt8 = 0
  var isNamed = false
  var bytes: UInt32 = 0
  /// Whether a slash was read that is not yet in the text.
  var holdsWritten = false
  var holdsDecoded = false
  /// Whether nothing was read, of a path nothing but slashes.
  var isEmpty = false
  var isDecodedEmpty = false
  /// The first query item that may still come, when items come in a fixed order.
  var itemOrder: UInt16 = 0

  init() {}

  /// Whether nothing is held back or begun.
  @inline(__always)
  var isPlain: Bool { percentPhase == 0 && missing == 0 && !holdsWritten && !holdsDecoded }

  mutating func forgetSequence() {
    (count, missing, leadKind, isNamed, bytes) = (0, 0, 0, false, 0)
  }

  /// All of it in one word. Of a sequence at most three bytes are kept: then one is missing.
  var packed: UInt64 {
    var word = UInt64(bytes & 0xFF_FFFF)
    word = word << 16 | UInt64(itemOrder)
    word = word << 4 | UInt64(highDigit)
    word = word << 2 | UInt64(percentPhase)
    word = word << 2 | UInt64(count)
    word = word << 2 | UInt64(missing)
    word = word << 3 | UInt64(leadKind)
    for flag in [isNamed, holdsWritten, holdsDecoded, isEmpty, isDecodedEmpty] {
      word = word << 1 | (flag ? 1 : 0)
    }
    return word
  }

  init(packed: UInt64) {
    func bits(_ start: UInt64, _ count: UInt64) -> UInt64 { packed >> start & (1 << count - 1) }
    isDecodedEmpty = bits(0, 1) != 0
    isEmpty = bits(1, 1) != 0
    holdsDecoded = bits(2, 1) != 0
    holdsWritten = bits(3, 1) != 0
    isNamed = bits(4, 1) != 0
    leadKind = UInt8(bits(5, 3))
    missing = UInt8(bits(8, 2))
    count = UInt8(bits(10, 2))
    percentPhase = UInt8(bits(12, 2))
    highDigit = UInt8(bits(14, 4))
    itemOrder = UInt16(bits(18, 16))
    bytes = UInt32(bits(34, 24))
  }
}
