/// A pattern of a dynamic rule: `?` matches any character, `*` any number of characters, and `?*`
/// at least one.
///
/// Unlike Apple's `*`, Android's ends at the first occurrence of the next character and never
/// backtracks: `/a*b/c` does not match `/a1b2b/c`. Google documents that, but not case sensitivity,
/// percent-encoding, or wildcards after a `*`. This type compares case exactly and decodes texts
/// first, as Android's source code does, and reads `*?` as `?*`.
struct AndroidPattern {
  enum Token: Equatable {
    case character(Unicode.Scalar)
    case any
    case star

    var isWildcard: Bool { self == .any || self == .star }
  }

  /// The tokens. Each run of wildcards is any number of `?`, then at most one `*`.
  let tokens: [Token]
  /// Whether a wildcard follows a `*`, which Google does not document.
  let isUndocumented: Bool

  init(_ text: String) {
    let written = Self.written(text)
    tokens = written.ordered
    isUndocumented = zip(written, written.dropFirst()).contains { $0 == .star && $1.isWildcard }
  }

  /// The tokens in the order of the text.
  static func written(_ text: String) -> [Token] {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "*": .star
      case "?": .any
      default: .character(scalar)
      }
    }
  }

  /// Whether the pattern matches every text.
  var matchesEverything: Bool { tokens == [.star] }

  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    for (index, token) in tokens.enumerated() {
      switch token {
      case .character(let scalar):
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
      case .any:
        guard position < scalars.count else { return false }
        position += 1
      case .star:
        guard index + 1 < tokens.count, case .character(let next) = tokens[index + 1] else {
          return true
        }
        guard let found = scalars[position...].firstIndex(of: next) else { return false }
        position = found
      }
    }
    return position == scalars.count
  }
}
