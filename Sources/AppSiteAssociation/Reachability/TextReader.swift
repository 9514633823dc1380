internal import Bytes

/// Reads one part of a URL character by character. Builds the two texts with which patterns are
/// compared, the written text and the decoded text: each character that is read adds some
/// characters to each text.
///
/// The reader accepts every text that a URL can contain: the characters allowed in the part (RFC
/// 3986 appendix A, and brackets), and `%` with two hexadecimal digits. The reader accepts only
/// normalized paths, without runs of slashes or a trailing slash, because every other path means
/// the same as a normalized path. A decoded path is normalized after decoding, because `%2F`
/// becomes a slash.
///
/// A slash in a path is output only when another character follows, because a trailing slash makes
/// no difference.
struct TextReader {
  let part: URLPart
  /// Whether any pattern is compared with the written text.
  let needsWritten: Bool
  let needsDecoded: Bool
  /// The UTF-8 bytes of each non-ASCII character that occurs in a condition on decoded text.
  let encodings: [[UInt8]]

  /// The reader's state inside a text.
  struct State: Hashable {
    /// How much of an escape such as `%2F` was read.
    var escape = Escape.none
    /// The bytes of an unfinished UTF-8 sequence.
    var sequence = Sequence()
    /// Whether a slash was read but is not yet in the written text.
    var holdsWritten = false
    var holdsDecoded = false
    /// Whether nothing but slashes of a path was read so far.
    var isEmpty = true
    var isDecodedEmpty = true
  }

  enum Escape: Hashable {
    case none
    /// `%` was read, but no digit yet.
    case begun
    /// `%` and the first digit were read. The stored value is 0 if the digit's value does not
    /// matter.
    case highDigit(UInt8)
  }

  /// An unfinished UTF-8 sequence. Sequences of characters that occur in no pattern differ only in
  /// their length and in the possible next bytes.
  struct Sequence: Hashable {
    var count = 0
    var missing = 0
    /// The valid range of the second byte.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    /// The index in `encodings` of the first encoding that begins with the bytes read so far. Nil
    /// if no encoding begins with these bytes.
    var named: Int?
  }

  /// The reader's output for one character.
  struct Output {
    var written: [UInt32] = []
    var decoded: [UInt32] = []
    /// The last character that was read if it is a separator, `&` or `=` in a query; otherwise nil.
    /// Both texts then end with this separator too.
    var separator: UInt8?

    fileprivate mutating func clear() {
      written.removeAll(keepingCapacity: true)
      decoded.removeAll(keepingCapacity: true)
      separator = nil
    }
  }

  /// Stands for any decoded character that occurs in no pattern.
  static let unnamed: UInt32 = 0x110000

  private static let slash = UInt32(UInt8(ascii: "/"))

  var initial: State {
    State(holdsWritten: part == .path, holdsDecoded: part == .path && needsDecoded)
  }

  /// Reads a character. Returns false if the character is not allowed at this position or need not
  /// be tried.
  func read(_ symbol: UInt8, _ state: inout State, into output: inout Output) -> Bool {
    output.clear()
    switch state.escape {
    case .begun:
      guard let value = digit(symbol) else { return false }
      append(UInt32(symbol), to: &output.written, &state.holdsWritten)
      state.escape = .highDigit(needsDecoded ? value : 0)
    case .highDigit(let high):
      guard let value = digit(symbol) else { return false }
      append(UInt32(symbol), to: &output.written, &state.holdsWritten)
      state.escape = .none
      return !needsDecoded || decode(high << 4 | value, &state, &output)
    case .none:
      let isPathSlash = symbol == UInt8(ascii: "/") && part == .path
      if isPathSlash, state.holdsWritten { return false }
      if !isPathSlash { state.isEmpty = false }
      append(UInt32(symbol), to: &output.written, &state.holdsWritten)
      if symbol == UInt8(ascii: "%") {
        state.escape = .begun
      } else if needsDecoded {
        giveUpSequence(&state, &output)
        appendDecoded(UInt32(symbol), &state, &output)
      }
      if part == .query, symbol == UInt8(ascii: "&") || symbol == UInt8(ascii: "=") {
        output.separator = symbol
      }
    }
    return true
  }

  /// Outputs the characters that are still missing at the end of the text. Returns false if the
  /// text cannot end at this position.
  func end(_ state: State, into output: inout Output) -> Bool {
    output.clear()
    var state = state
    guard state.escape == .none else { return false }
    if part == .path, state.holdsWritten {
      guard state.isEmpty else { return false }
      output.written.append(Self.slash)
    }
    if needsDecoded {
      giveUpSequence(&state, &output)
      if part == .path, state.holdsDecoded, state.isDecodedEmpty {
        output.decoded.append(Self.slash)
      }
    }
    return true
  }

  /// Returns the value of a hexadecimal digit; nil for other characters. If no pattern is compared
  /// with the written text, also nil for lower-case digits, because it is enough to try upper-case
  /// digits.
  private func digit(_ symbol: UInt8) -> UInt8? {
    if !needsWritten, symbol >= UInt8(ascii: "a") { return nil }
    return symbol.hexValue
  }

  private func append(_ symbol: UInt32, to text: inout [UInt32], _ holdsSlash: inout Bool) {
    if part == .path {
      if symbol == Self.slash {
        holdsSlash = true
        return
      }
      if holdsSlash { text.append(Self.slash) }
      holdsSlash = false
    }
    text.append(symbol)
  }

  private func appendDecoded(_ symbol: UInt32, _ state: inout State, _ output: inout Output) {
    if symbol != Self.slash || part != .path { state.isDecodedEmpty = false }
    append(symbol, to: &output.decoded, &state.holdsDecoded)
  }
}

/// Decoding, by the same rules as `ScalarDecoder`.
extension TextReader {
  /// Decodes a byte. Returns false if the byte need not be tried.
  private func decode(_ byte: UInt8, _ state: inout State, _ output: inout Output) -> Bool {
    if state.sequence.missing > 0 {
      let isSecond = state.sequence.count == 1
      if isSecond ? state.sequence.second.contains(byte) : byte & 0xC0 == 0x80 {
        return proceed(byte, &state, &output)
      }
      giveUpSequence(&state, &output)
    }
    guard let form = ScalarDecoder.form(ofLead: byte) else {
      appendDecoded(byte < 0x80 ? UInt32(byte) : Self.unnamed, &state, &output)
      return true
    }
    let named = encodings.firstIndex { $0[0] == byte }
    state.sequence = Sequence(count: 1, missing: form.missing, second: form.second, named: named)
    // A single byte that is not UTF-8 also stands for a character that occurs in no pattern. So
    // longer sequences of characters that occur in no pattern need not be tried.
    return named != nil || needsWritten
  }

  private func proceed(_ byte: UInt8, _ state: inout State, _ output: inout Output) -> Bool {
    var sequence = state.sequence
    if let named = sequence.named {
      let bytes = encodings[named].prefix(sequence.count) + [byte]
      sequence.named = encodings.firstIndex { $0.starts(with: bytes) }
      if sequence.named == nil, !needsWritten { return false }
    }
    sequence.count += 1
    sequence.missing -= 1
    sequence.second = 0x80...0xBF
    state.sequence = sequence
    if sequence.missing > 0 { return true }
    let text = sequence.named.map { String(decoding: encodings[$0], as: UTF8.self) }
    state.sequence = Sequence()
    appendDecoded(text?.unicodeScalars.first?.value ?? Self.unnamed, &state, &output)
    return true
  }

  /// Outputs each byte of an unfinished sequence as a separate character.
  private func giveUpSequence(_ state: inout State, _ output: inout Output) {
    let count = state.sequence.count
    if count == 0 { return }
    state.sequence = Sequence()
    for _ in 0..<count { appendDecoded(Self.unnamed, &state, &output) }
  }
}
