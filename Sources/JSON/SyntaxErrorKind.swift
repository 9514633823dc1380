internal import Bytes
package import Diagnostics

extension SyntaxError {
  /// One kind of syntax error: the kind of its diagnostic, and the texts of its message and help.
  package final class Kind: Sendable, Hashable {
    package let diagnosticKind: Diagnostics.Kind
    /// Returns the message. The parameters are the error and the text at the error.
    let message: @Sendable (SyntaxError, String) -> String
    /// How to fix the error. `%` stands for the text at the error.
    let help: String
    let note: String?

    /// - Parameters:
    ///   - what: The summary that `aasa explain` prints.
    ///   - message: The message. If nil, `what` is the message. `%` stands for the text at the
    ///     error.
    convenience init(
      _ code: String, _ name: String, _ what: String, wrong: String? = nil, right: String? = nil,
      message: String? = nil, help: String, note: String? = nil,
      consequence: String = Kind.notRead, source: String = Kind.standard,
      severity: Diagnostic.Severity = .error
    ) {
      let message = message ?? what
      self.init(
        code, name, what, wrong: wrong, right: right,
        message: { _, found in message.replacing("%", with: found) }, help: help, note: note,
        consequence: consequence, source: source, severity: severity)
    }

    init(
      _ code: String, _ name: String, _ what: String, wrong: String? = nil, right: String? = nil,
      message: @escaping @Sendable (SyntaxError, String) -> String, help: String,
      note: String? = nil, consequence: String = Kind.notRead, source: String = Kind.standard,
      severity: Diagnostic.Severity = .error
    ) {
      diagnosticKind = Diagnostics.Kind(
        code, name, what, consequence, source, severity: severity,
        fix: help.contains("%") ? nil : help, wrong: wrong, right: right)
      self.message = message
      self.help = help
      self.note = note
    }

    static let notRead = "devices ignore the whole file, because they read only strict JSON"
    static let standard = "RFC 8259; Apple's documentation asks for JSON (grade D)"

    package static func == (left: Kind, right: Kind) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(diagnosticKind) }
  }
}

extension Diagnostics.Kind {
  /// The kinds of all syntax errors, in the order of their codes.
  package static let ofSyntaxErrors = SyntaxError.Kind.all.map(\.diagnosticKind)
}

extension SyntaxError {
  /// The diagnostic that reports this error.
  package func diagnostic(in source: SourceText) -> Diagnostic {
    let found = excerpt(of: source)
    // Ignore white space at the end of the file, because editors append a line end to files.
    if kind == .unclosedString, source.bytes[range.upperBound...].allSatisfy({ $0 <= 0x20 }) {
      return Diagnostic(
        kind.diagnosticKind, severity: .error,
        "this string has no closing quote: the file ends within it",
        at: source.location(of: range),
        help: "the file is cut off: save or copy the whole file again",
        note: note(in: source))
    }
    var help = kind.help.replacing("%", with: found)
    if kind == .unclosedObject || kind == .unclosedArray {
      let missing = closingBrackets(of: source.bytes)
      if missing.count > 1 {
        help =
          "write the missing `\(missing)`; if the file is cut off, save or copy the whole file "
          + "again"
      }
    }
    return Diagnostic(
      kind.diagnosticKind, severity: .error, kind.message(self, found),
      at: source.location(of: range), help: help,
      note: note(in: source) ?? kind.note)
  }

  /// Returns a note about the position at which the object, array or string around the error begins.
  /// Nil if the error itself is at this position.
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

  /// The text at the error, shortened for use in a sentence.
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

/// Returns the closing brackets that are missing at the end of a text, one for each open object or
/// array.
///
/// - Parameter bytes: A JSON text whose end is missing. The text must not end within a string.
private func closingBrackets(of bytes: [UInt8]) -> String {
  var open: [Character] = []
  var isInString = false
  var isEscaped = false
  for byte in bytes {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\"): isEscaped = isInString
    case UInt8(ascii: "\""): isInString.toggle()
    case _ where isInString: break
    case UInt8(ascii: "{"): open.append("}")
    case UInt8(ascii: "["): open.append("]")
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
    default: break
    }
  }
  return String(open.reversed())
}
