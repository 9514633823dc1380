internal import Bytes

/// Reads a part of a URL as it is written, character by character, and says what each character adds
/// to the written and to the decoded text, with which patterns are compared.
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

  /// The state within a text.
  struct State: Hashable {
    /// The part of an unfinished escape.
    var escape = Escape.none
    /// The bytes of an unfinished UTF-8 sequence.
    var sequence = Sequence()
    /// Whether a slash was read that is not yet in the text.
    var holdsWritten = false
    var holdsDecoded = false
    /// Whether nothing was read, or only slashes of a path.
    var isEmpty = true
    var isDecodedEmpty = true
  }

  enum Escape: Hashable {
    case none
    /// After `%`.
    case begun
    /// After the first digit; its value is 0 if it does not matter.
    case highDigit(UInt8)
  }

  /// The bytes of an unfinished UTF-8 sequence. Sequences of characters that no pattern names are
  /// distinguished only by their length and by the possible next bytes.
  struct Sequence: Hashable {
    var count = 0
    var missing = 0
    /// Which second byte may follow.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    /// The first of the encodings that begin with the bytes; nil if there is none.
    var named: Int?
  }

  /// The output of one character.
  struct Output {
    var written: [UInt32] = []
    var decoded: [UInt32] = []
    /// `&` or `=` in a query, which is then the last character of both texts.
    var separator: UInt8?

    fileprivate mutating func clear() {
      written.removeAll(keepingCapacity: true)
      decoded.removeAll(keepingCapacity: true)
      separator = nil
    }
  }

  /// Any decoded character that no pattern names.
  static let unnamed: UInt32 = 0x110000

  private static let slash = UInt32(UInt8(ascii: "/"))

  var initial: State {
    State(holdsWritten: part == .path, holdsDecoded: part == .path && needsDecoded)
  }

  /// Returns false if the character is not allowed here, or need not be tried.
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

  /// Ends the text. Returns false if it cannot end here.
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

  /// The value of a hexadecimal digit; nil for other characters, and for lower case if that makes
  /// no difference.
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

/// Decoding, by the rules of `ScalarDecoder`.
extension TextReader {
  /// Returns false if the byte need not be tried.
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
    state.sequence = Sequence(
      count: 1, missing: form.missing, second: form.second, named: named)
    // A single stray byte is an equally good unnamed character.
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

  /// The bytes of an unfinished sequence are characters of their own.
  private func giveUpSequence(_ state: inout State, _ output: inout Output) {
    let count = state.sequence.count
    if count == 0 { return }
    state.sequence = Sequence()
    for _ in 0..<count { appendDecoded(Self.unnamed, &state, &output) }
  }
}
