internal import AppSiteAssociation
package import Diagnostics

/// Part of a rule's meaning that the other platform cannot express.
package struct ConversionLoss: Sendable, Equatable {
  /// The range of the rule in its file.
  package let range: Range<Int>
  /// The message: one lower-case sentence without a full stop.
  package let message: String
  /// Whether the rule is missing from the result; if not, the result has the nearest possible rule.
  package let isLeftOut: Bool
}

/// A file for the other platform, and the losses in the conversion.
package struct PlatformConversion: Sendable {
  package let tree: JSONTree
  /// The losses in the order of the file.
  package let losses: [ConversionLoss]

  /// The maximum number of rules of one app.
  static let rules = 10_000
}

/// Why a file cannot be converted for the other platform at all.
package enum PlatformConversionFault: Error, Sendable, Equatable {
  case noList
  case noApp
  case unknownApp(String)
  /// The file has several apps, and the caller chose none of them.
  case severalApps([String])
  /// The app has no rules, or Android discards them.
  case noRules(String)
  case tooManyRules(String)

  /// The message: one lower-case sentence without a full stop.
  package func message(option: String) -> String {
    switch self {
    case .noList: "this is not a list of statements"
    case .noApp: "the file lists no app for links"
    case .unknownApp(let app): "the file lists no app \(app) for links"
    case .severalApps(let apps):
      "the file lists several apps; choose one with \(option): \(apps.joined(separator: ", "))"
    case .noRules(let app): "\(app) has no rules that its system reads"
    case .tooManyRules(let app):
      "\(app) would have more than \(PlatformConversion.rules) rules, mostly from variables"
    }
  }
}

/// A part of a rule during conversion.
enum PartConversion {
  /// The part must match at least one of these patterns.
  case patterns([[AndroidPattern.Token]])
  /// Every link matches.
  case everything
  /// No link matches.
  case nothing
  case impossible(String)
}

extension [AndroidPattern.Token] {
  /// Whether every `*` means the same on both platforms, although Android's `*` ends at the first
  /// occurrence of the next character. A `*` at the end of the pattern means the same. Another `*`
  /// means the same if one literal character follows, then any number of `?`, then the next `*`:
  /// the earliest end of the first `*` leaves the most text for the rest of the pattern.
  var hasSameStars: Bool {
    let runs = split(separator: .star, omittingEmptySubsequences: false)
    guard runs.count > 1 else { return true }
    return runs.last?.isEmpty == true
      && runs.dropFirst().dropLast().allSatisfy { run in
        guard case .character = run.first else { return false }
        return run.dropFirst().allSatisfy { $0 == .any }
      }
  }

  /// The tokens in the order that Android documents: in each run of wildcards, `?` before `*`.
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

  /// A text that the pattern matches on Apple's systems but not on Android; nil if the search found
  /// no such text.
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

  var text: String { pattern { String($0) } }

  /// Returns the tokens as a pattern, with characters written by `write`.
  func pattern(_ write: (Unicode.Scalar) -> String) -> String {
    map { token in
      switch token {
      case .character(let scalar): write(scalar)
      case .any: "?"
      case .star: "*"
      }
    }.joined()
  }
}

/// Whether a URL may contain this character unencoded in a path, query or fragment (RFC 3986
/// appendix A).
func isWrittenInURLs(_ scalar: Unicode.Scalar) -> Bool {
  UInt8(exactly: scalar.value).map(isURLByte) ?? false
}
