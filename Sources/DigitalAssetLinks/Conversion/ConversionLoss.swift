package import JSON

/// What the rules of one platform say, and those of the other cannot.
package struct ConversionLoss: Sendable, Equatable {
  /// The rule in its file.
  package let range: Range<Int>
  /// One lower-case sentence without a full stop.
  package let message: String
  /// Whether the rule is missing from the result; otherwise it is the nearest one.
  package let isLeftOut: Bool
}

/// A file for the other platform, and what it leaves out.
package struct PlatformConversion: Sendable {
  package let tree: Tree
  /// In the order of the file.
  package let losses: [ConversionLoss]
}

/// Why a file cannot be written for the other platform at all.
package enum PlatformConversionFault: Error, Sendable, Equatable {
  case noList
  case noApp
  case unknownApp(String)
  /// Which one of them is not said.
  case severalApps([String])
  /// The app has no rules, or Android discards them.
  case noRules(String)
  case tooManyRules(String)

  /// One lower-case sentence without a full stop.
  package func message(option: String) -> String {
    switch self {
    case .noList: "this is not a list of statements"
    case .noApp: "the file names no app for links"
    case .unknownApp(let app): "the file names no app \(app) for links"
    case .severalApps(let apps):
      "the file names several apps; choose one with \(option): \(apps.joined(separator: ", "))"
    case .noRules(let app): "\(app) has no rules that its system reads"
    case .tooManyRules(let app):
      "\(app) would have more than \(ConversionLimits.rules) rules, most of them for variables"
    }
  }
}

enum ConversionLimits {
  /// The rules that one component with variables may become.
  static let alternatives = 64
  /// The rules of one app.
  static let rules = 10_000
}

/// A part of a rule on its way to the other platform.
enum PartConversion {
  /// The patterns of which one must match.
  case patterns([[AndroidPattern.Token]])
  /// Every link matches.
  case everything
  /// No link matches.
  case nothing
  case impossible(String)
}

extension [AndroidPattern.Token] {
  /// Whether a `*` means the same on both platforms, though Android's ends at the first occurrence of
  /// the character after it. So it does at the end of a pattern; and where one character is between
  /// it and the next `*`, because then the first occurrence leaves most for the rest.
  var hasSameStars: Bool {
    let runs = split(separator: .star, omittingEmptySubsequences: false)
    guard runs.count > 1 else { return true }
    return runs.last?.isEmpty == true
      && runs.dropFirst().dropLast().allSatisfy { run in
        guard case .character = run.first else { return false }
        return run.dropFirst().allSatisfy { $0 == .any }
      }
  }

  /// Wildcards in the order that Android documents: each `?` of a run before its `*`.
  var ordered: [AndroidPattern.Token] {
    var result: [AndroidPattern.Token] = []
    for token in self {
      if token == .star, result.last == .star { continue }
      if token == .any, result.last == .star {
        result.insert(.any, at: result.count - 1)
      } else {
        result.append(token)
      }
    }
    return result
  }

  /// A text that matches on Apple's systems and not on Android; nil if none was found.
  var textOfDifference: String? {
    for (index, token) in enumerated() where token == .star {
      guard index + 1 < count, case .character(let next) = self[index + 1] else { continue }
      var text = ""
      for (place, token) in enumerated() {
        switch token {
        case .character(let scalar): text.unicodeScalars.append(scalar)
        case .any: text += "x"
        case .star: text += place == index ? "x\(next)y" : "x"
        }
      }
      if !AndroidPattern(self.text).matches(text) { return text }
    }
    return nil
  }

  var text: String {
    var text = ""
    for token in self {
      switch token {
      case .character(let scalar): text.unicodeScalars.append(scalar)
      case .any: text += "?"
      case .star: text += "*"
      }
    }
    return text
  }
}

/// Whether a URL has this character in a path, query or fragment as it is (RFC 3986 appendix A).
func isWrittenInURLs(_ scalar: Unicode.Scalar) -> Bool {
  scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7F
    && !"\"#<>\\^`{|}".unicodeScalars.contains(scalar)
}
