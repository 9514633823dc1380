internal import Bytes
internal import Diagnostics
internal import Rules

let remarkRules: [AssociationRule] = [
  rule(
    "A150", "secret-in-comment", "a remark seems to contain a password or a key",
    "everybody can read the file, and copies of it stay in caches",
    wrong: "test login: password=hunter2", message: "this remark seems to contain a secret",
    help: "remove the remark and replace the secret; aasa convert --strip-comments removes all "
      + "remarks",
    signs: secretWords + tokens, isFaulty: looksSecret),
  rule(
    "A151", "internal-host-in-comment", "a remark mentions an internal host or address",
    "everybody can read the file",
    wrong: "see http://wiki.corp/links", message: "this remark mentions an internal host",
    help: "remove the remark, because the file is public",
    signs: ["localhost", "10.", "127.", "172.", "192."] + internalEndings.map { "." + $0 },
    isFaulty: namesInternalHost),
  rule(
    "A152", "task-in-comment", "a remark is a note to its writer, such as TODO",
    "everybody can read the file",
    wrong: "TODO: remove after launch", message: "this remark is a note to its writer",
    help: "do the task, or keep the note outside this file", signs: taskWords
  ) { text in
    text.split(whereSeparator: { !$0.isLetter }).contains { taskWords.contains(String($0)) }
  },
  rule(
    "A153", "address-in-comment", "a remark contains an e-mail address",
    "everybody can read the file, including robots that collect addresses",
    wrong: "ask jane.doe@example.com", message: "this remark contains an e-mail address",
    help: "remove it", signs: ["@"]
  ) { text in
    text.split(whereSeparator: { $0.isWhitespace }).contains { (word: Substring) in
      guard let sign = word.firstIndex(of: "@"), sign > word.startIndex else { return false }
      let host = word[word.index(after: sign)...].split(separator: ".")
      return host.count > 1 && host.allSatisfy { $0.first?.isLetter ?? false }
    }
  },
  AssociationRule(
    "A154", .note, "long-comments", .documented, in: .file,
    "remarks make up more than a quarter of a file of at least 16 KiB",
    "remarks count towards the limit of 131,072 bytes and are sent to every device"
  ) { file, findings in
    let count = file.remarks.reduce(0) { $0 + $1.range.count }
    guard file.source.bytes.count >= 16_384, count * 4 > file.source.bytes.count else { return }
    findings.report(
      nil, "\(count) of the file's \(file.source.bytes.count) bytes are remarks",
      help: "shorten the remarks, or remove them with aasa convert --strip-comments")
  },
]

/// - Parameter signs: Phrases for a quick search. Every faulty remark contains at least one of
///   these phrases, and nearly all other remarks contain none of them.
private func rule(
  _ code: String, _ name: String, _ what: String, _ consequence: String, wrong: String,
  message: String, help: String, signs: [String],
  isFaulty: @escaping @Sendable (String) -> Bool
) -> AssociationRule {
  let signs = PhraseSearch(signs)
  return AssociationRule(
    code, .note, name, .reasoned, in: .components, each: \.remarks, what, consequence,
    wrong: "{ \"/\": \"/buy/*\", \"comment\": \"\(wrong)\" }",
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#
  ) { remark, _, findings in
    guard signs.mayOccur(in: remark.value), isFaulty(remark.value) else { return }
    findings.report(remark.range, message, help: help)
  }
}

private let taskWords = ["TODO", "FIXME", "XXX", "HACK"]

private let secretWords = [
  "password", "passwd", "secret", "token", "api_key", "apikey", "api key", "pwd",
]

/// The beginnings of well-known kinds of secret tokens.
private let tokens = ["-----BEGIN", "AKIA", "ghp_", "xoxb-", "sk_live_", "Bearer "]

/// Whether a text has a word for a secret followed by a value, or the beginning of a token.
@Sendable private func looksSecret(_ text: String) -> Bool {
  let lower = Array(text.lowercased().utf8)
  for word in secretWords {
    guard let range = lower.firstRange(of: word) else { continue }
    let next = lower[range.upperBound...].first { $0 != UInt8(ascii: " ") }
    if next == UInt8(ascii: "=") || next == UInt8(ascii: ":") { return true }
  }
  return tokens.contains { text.contains($0) }
}

private let internalEndings = ["corp", "internal", "local", "lan", "intranet", "localdomain"]

@Sendable private func namesInternalHost(_ text: String) -> Bool {
  let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && !".-".contains($0) }
  return words.contains { word in
    if word == "localhost" { return true }
    let labels = word.split(separator: ".")
    guard labels.count > 1, let last = labels.last else { return false }
    if internalEndings.contains(String(last)) { return true }
    let numbers = labels.compactMap { UInt8($0) }
    guard labels.count == 4, numbers.count == 4 else { return false }
    return numbers[0] == 10 || numbers[0] == 127 || numbers[0] == 192 && numbers[1] == 168
      || numbers[0] == 172 && (16...31).contains(numbers[1])
  }
}

/// Finds out quickly whether a text may contain one of several ASCII phrases, in any letter case.
///
/// This search is quick and excludes most remarks. Only the others are then read character by
/// character.
struct PhraseSearch: Sendable {
  /// The phrases, grouped by their first byte.
  private let phrases: [[[UInt8]]]

  init(_ phrases: [String]) {
    var byFirst = [[[UInt8]]](repeating: [], count: 256)
    for phrase in phrases {
      let bytes = phrase.utf8.map(Self.folded)
      byFirst[Int(bytes[0])].append(bytes)
    }
    self.phrases = byFirst
  }

  /// Returns whether a phrase may occur in a text. To ignore letter case, bit 5 of every byte is
  /// ignored, even if the byte is not a letter. So the result may be true although no phrase
  /// occurs.
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
