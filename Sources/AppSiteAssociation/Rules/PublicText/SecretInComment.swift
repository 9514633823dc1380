internal import Diagnostics

struct SecretInComment: ValidationRule {
  static let code = "A150"
  static let severity = Diagnostic.Severity.note
  static let name = "secret-in-comment"
  static let documentation = RuleDocumentation(
    what: "a remark looks as if it held a password or a key",
    consequence: "everybody can read the file, and copies of it stay in caches",
    grade: .reasoned,
    wrong: #"{ "/": "/buy/*", "comment": "test login: password=hunter2" }"#,
    right: #"{ "/": "/buy/*", "comment": "the shop" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for remark in file.remarks where looksSecret(remark.value) {
      findings.report(
        remark.range, "this remark looks as if it held a secret",
        help: "remove it and change the secret; aasa convert --strip-comments removes all remarks")
    }
  }

  private static let words = [
    "password", "passwd", "secret", "token", "api_key", "apikey", "api key", "pwd",
  ]
  /// With which well-known kinds of tokens begin.
  private static let tokens = ["-----BEGIN", "AKIA", "ghp_", "xoxb-", "sk_live_", "Bearer "]
  private static let signs = PhraseSearch(words + tokens)

  /// A word for a secret with a value after it, or the beginning of a token.
  private static func looksSecret(_ text: String) -> Bool {
    guard signs.mayOccur(in: text) else { return false }
    let lower = Array(text.lowercased().utf8)
    for word in words {
      guard let range = find(word, in: lower) else { continue }
      let next = lower[range.upperBound...].first { $0 != UInt8(ascii: " ") }
      if next == UInt8(ascii: "=") || next == UInt8(ascii: ":") { return true }
    }
    return tokens.contains { holds($0, text) }
  }
}
