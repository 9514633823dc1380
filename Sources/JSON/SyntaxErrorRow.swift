package import Diagnostics

/// The words for one way to break JSON.
struct SyntaxErrorRow: Sendable {
  /// The summary that `aasa explain` prints.
  let what: String
  let wrong: String?
  let right: String?
  /// Makes the message from the error and the text at it.
  let message: @Sendable (SyntaxError, String) -> String
  let help: String?
  let note: String?

  /// - Parameter message: The message; `what` by default. `%` stands for the text at the error,
  ///   also in `help`.
  init(
    _ what: String, wrong: String? = nil, right: String? = nil, message: String? = nil,
    help: String, note: String? = nil
  ) {
    let message = message ?? what
    self.init(
      what, wrong: wrong, right: right,
      message: { _, found in message.replacing("%", with: found) }, help: help, note: note)
  }

  init(
    _ what: String, wrong: String? = nil, right: String? = nil,
    message: @escaping @Sendable (SyntaxError, String) -> String, help: String,
    note: String? = nil
  ) {
    self.what = what
    self.wrong = wrong
    self.right = right
    self.message = message
    self.help = help
    self.note = note
  }
}

extension Diagnostics.Kind {
  /// The kinds of all syntax errors, in the order of their codes.
  package static let ofSyntaxErrors = SyntaxError.Kind.allCases.map(\.diagnosticKind)
}

extension SyntaxError.Kind {
  package var diagnosticKind: Diagnostics.Kind {
    let row = syntaxErrorRows[self]
    let isEncoding = self == .wrongEncoding || self == .byteOrderMark
    return Diagnostics.Kind(
      code, name, row?.what ?? "this is not JSON",
      isEncoding
        ? "Apple's parser may read it; whether devices and the CDN do, Apple does not say"
        : "the file is not read at all: devices read strict JSON only",
      self == .wrongEncoding
        ? "RFC 8259 asks for UTF-8"
        : "RFC 8259; Apple's documentation asks for JSON (grade D)",
      severity: self == .byteOrderMark ? .warning : .error, wrong: row?.wrong, right: row?.right)
  }

  /// The name of the kind, such as `trailing-comma-in-object` for `trailingCommaInObject`.
  private var name: String {
    var name = ""
    var wasUpperCase = true
    for character in "\(self)" {
      if character.isUppercase && !wasUpperCase { name += "-" }
      wasUpperCase = character.isUppercase
      name += character.lowercased()
    }
    return name
  }
}
