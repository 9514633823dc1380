/// A pattern of a dynamic rule: `?` is any character, `*` any number of them, `?*` at least one.
///
/// Unlike Apple's, a `*` ends at the first occurrence of the character after it, and does not try
/// another one: `/a*b/c` does not match `/a1b2b/c`. Google documents that; not documented are the
/// case of letters, percent-encoding, and wildcards after a `*`. Here letters are compared exactly,
/// texts are decoded first, both as in Android's source code, and `*?` is the same as `?*`.
struct AndroidPattern {
  enum Token: Equatable {
    case character(Unicode.Scalar)
    case any
    case star
  }

  /// A run of wildcards is any number of `?`, and then at most one `*`.
  let tokens: [Token]
  /// Whether a wildcard follows a `*`, which Google does not document.
  let isUndocumented: Bool

  init(_ text: String) {
    var tokens: [Token] = []
    var isUndocumented = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "*":
        if tokens.last == .star { isUndocumented = true } else { tokens.append(.star) }
      case "?":
        // `*?` as `?*`.
        if tokens.last == .star {
          isUndocumented = true
          tokens.insert(.any, at: tokens.count - 1)
        } else {
          tokens.append(.any)
        }
      default: tokens.append(.character(scalar))
      }
    }
    self.tokens = tokens
    self.isUndocumented = isUndocumented
  }

  /// Whether every text matches.
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
