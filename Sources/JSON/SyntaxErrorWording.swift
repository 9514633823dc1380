package import Diagnostics

extension SyntaxError {
  /// The error as its writer should read it.
  package func diagnostic(in source: SourceText) -> Diagnostic {
    let found = excerpt(of: source)
    let wording = wordings[kind] ?? Wording("this is not JSON", help: nil)
    return Diagnostic(
      kind.diagnosticKind, severity: .error, wording.message(self, found),
      at: source.location(of: range),
      help: wording.help.map { $0.replacing("%", with: found) },
      note: note(in: source) ?? wording.note)
  }

  /// Where the bracket or quote was opened, when that is another line or far away.
  private func note(in source: SourceText) -> String? {
    guard let opening, opening.lowerBound != range.lowerBound else { return nil }
    let place = source.place(of: opening)
    let name =
      switch source.bytes[opening.lowerBound] {
      case UInt8(ascii: "{"): "object"
      case UInt8(ascii: "["): "array"
      default: "string"
      }
    return "the \(name) begins at line \(place.line), column \(place.column)"
  }

  /// The bytes that the error points at, short enough for a sentence.
  private func excerpt(of source: SourceText) -> String {
    let clamped = range.clamped(to: 0..<source.bytes.count)
    let text = String(decoding: source.bytes[clamped].prefix(200), as: UTF8.self)
    if let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1,
      isInvisible(scalar.value)
    {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return text.count <= 40 ? text : text.prefix(39) + "…"
  }
}

/// The message and the help for a kind of error. `%` stands for the bytes at the error.
struct Wording {
  let message: @Sendable (SyntaxError, String) -> String
  let help: String?
  let note: String?

  init(_ message: String, help: String?, note: String? = nil) {
    self.init({ _, found in message.replacing("%", with: found) }, help: help, note: note)
  }

  init(
    _ message: @escaping @Sendable (SyntaxError, String) -> String, help: String?,
    note: String? = nil
  ) {
    self.message = message
    self.help = help
    self.note = note
  }
}

extension String {
  /// Foundation and the regular expression library have this; neither is wanted for it.
  fileprivate func replacing(_ placeholder: Character, with text: String) -> String {
    var result = ""
    for character in self {
      if character == placeholder { result += text } else { result.append(character) }
    }
    return result
  }
}
