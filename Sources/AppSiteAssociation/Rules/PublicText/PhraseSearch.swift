/// Tells quickly whether any of some ASCII phrases occurs in a text, in upper or lower case.
///
/// Few remarks contain a phrase that a rule is about: only those are read character by character.
struct PhraseSearch: Sendable {
  /// The phrases by their first bytes.
  private let phrases: [[[UInt8]]]

  init(_ phrases: [String]) {
    var byFirst = [[[UInt8]]](repeating: [], count: 256)
    for phrase in phrases {
      let bytes = phrase.utf8.map(Self.folded)
      byFirst[Int(bytes[0])].append(bytes)
    }
    self.phrases = byFirst
  }

  /// Whether a phrase may occur: true also for bytes that differ from it as letters differ in case.
  func mayOccur(in text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices {
      let candidates = phrases[Int(Self.folded(bytes[index]))]
      if candidates.isEmpty { continue }
      for phrase in candidates where Self.stands(phrase, at: index, in: bytes) { return true }
    }
    return false
  }

  private static func stands(_ phrase: [UInt8], at start: Int, in bytes: Span<UInt8>) -> Bool {
    guard bytes.count - start >= phrase.count else { return false }
    for index in phrase.indices where folded(bytes[start + index]) != phrase[index] {
      return false
    }
    return true
  }

  private static func folded(_ byte: UInt8) -> UInt8 { byte | 0x20 }
}
