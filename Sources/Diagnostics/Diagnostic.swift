/// Describes, in plain words, a fault in something that the user wrote.
///
/// Diagnostics are collected, never thrown. The rule that reports a diagnostic writes its text, and
/// the renderers decide how the text looks.
package struct Diagnostic: Sendable, Equatable {
  /// The severity. A fault that devices tolerate is not an error.
  package enum Severity: String, Sendable, Comparable, CaseIterable {
    case note, warning, error

    package static func < (left: Severity, right: Severity) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// A whole file, or a place in it.
  package struct Location: Sendable, Equatable {
    /// The file's path as the user typed it. If the user did not type the path, as the user would
    /// type it.
    package var path: String
    /// The place in the file; nil for the whole file.
    package var place: Place?

    package init(path: String, place: Place? = nil) {
      self.path = path
      self.place = place
    }
  }

  /// A span of bytes in a file, with its line and column.
  package struct Place: Sendable, Equatable {
    /// Byte offsets into the file.
    package var range: Range<Int>
    /// The line, counted from 1.
    package var line: Int
    /// The column, counted from 1 in Unicode scalars, as editors count.
    package var column: Int

    package init(range: Range<Int>, line: Int, column: Int) {
      self.range = range
      self.line = line
      self.column = column
    }
  }

  package let kind: Kind
  /// The severity: usually that of the kind, but some cases require a different severity.
  package var severity: Severity
  /// The message: one sentence that starts in lower case and has no full stop.
  package var message: String
  package var location: Location?
  /// How to fix the fault, with a correct example if that helps.
  package var help: String?
  /// The consequence of the fault, and the source that states this consequence.
  package var note: String?

  /// - Parameters:
  ///   - severity: The severity; nil for the severity of the kind.
  ///   - help: How to fix the fault, more specifically than the kind's `fix`, for example with a
  ///     name or a command; nil for the kind's `fix`.
  package init(
    _ kind: Kind, severity: Severity? = nil, _ message: String, at location: Location? = nil,
    help: String? = nil, note: String? = nil
  ) {
    self.kind = kind
    self.severity = severity ?? kind.severity
    self.message = shortened(message)
    self.location = location
    self.help = help.map(shortened) ?? kind.fix
    self.note = note.map(shortened)
  }

  package var code: String { kind.code }

  /// A copy of the diagnostic without help, for cases in which the kind's `fix` would be wrong.
  package var withoutHelp: Diagnostic {
    var result = self
    result.help = nil
    return result
  }

  package func isOf(_ kinds: Kind...) -> Bool { kinds.contains(kind) }
}

/// Truncates a text of a diagnostic. The text may quote a key or a value that is as long as a whole
/// file, and a server stores thousands of diagnostics.
private func shortened(_ text: String) -> String {
  let most = 1_000
  if text.utf8.count <= most { return text }
  return String(text.unicodeScalars.prefix(most - 1)) + "…"
}
