internal import AppSiteAssociation
package import Diagnostics

/// A part of a rule's meaning that the file for the other platform cannot express.
package struct ConversionLoss: Sendable, Equatable {
  /// The range of the rule in the file that was converted.
  package let range: Range<Int>
  /// The message about the loss: one lower-case sentence without a full stop.
  package let message: String
  /// Whether the converted file lacks the rule. If false, that file contains the nearest possible
  /// rule instead.
  package let isLeftOut: Bool
}

/// The file for the other platform, and what was lost in the conversion.
package struct PlatformConversion: Sendable {
  package let tree: JSONTree
  /// The losses, in the order of the rules in the original file.
  package let losses: [ConversionLoss]

  /// The maximum number of rules that a converted file may contain for one app.
  static let rules = 10_000
}

/// Why a file cannot be converted for the other platform at all.
package enum PlatformConversionFault: Error, Sendable, Equatable {
  case noList
  case noApp
  case unknownApp(String)
  /// The file contains several apps, and the user chose none of them. The value lists these apps.
  case severalApps([String])
  /// The app with this identifier has no rules, or Android discards the app's rules.
  case noRules(String)
  case tooManyRules(String)

  /// The message: one lower-case sentence without a full stop.
  package func message(option: String) -> String {
    switch self {
    case .noList: "the file is not a list of statements"
    case .noApp: "the file lists no app for links"
    case .unknownApp(let app): "the file lists no app \(app) for links"
    case .severalApps(let apps):
      "the file lists several apps; choose one app with \(option): \(apps.joined(separator: ", "))"
    case .noRules(let app): "the file has no rules for \(app) that the app's system reads"
    case .tooManyRules(let app):
      "the result would have more than \(PlatformConversion.rules) rules for \(app); variables "
        + "with many values are the usual reason"
    }
  }
}

/// What a part of a rule, such as its path, becomes on the other platform.
enum PartConversion {
  /// A link matches if its corresponding part, such as its path, matches at least one of these
  /// patterns.
  case patterns([[AndroidPattern.Token]])
  /// Every link matches this part of the rule.
  case everything
  /// No link matches this part of the rule.
  case nothing
  case impossible(String)
}

extension [AndroidPattern.Token] {
  /// Whether every `*` matches the same texts on both platforms. On Android, the text that a `*`
  /// matches ends before the first occurrence of the next character. A `*` at the end of a pattern
  /// matches the same texts on both platforms. The same is true of an earlier `*` if one literal
  /// character, any number of `?`, and another `*` follow it. The reason is that the first possible
  /// end of the earlier `*` leaves the most text for the later part of the pattern.
  var hasSameStars: Bool {
    let runs = split(separator: .star, omittingEmptySubsequences: false)
    guard runs.count > 1 else { return true }
    return runs.last?.isEmpty == true
      && runs.dropFirst().dropLast().allSatisfy { run in
        guard case .character = run.first else { return false }
        return run.dropFirst().allSatisfy { $0 == .any }
      }
  }

  /// The tokens in the order that Android documents. Where several wildcards follow each other,
  /// every `?` comes before the `*`.
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

  /// A text that the pattern matches on Apple's systems but not on Android; nil if no such text was
  /// found. The search tries only one text for each `*`.
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

  /// Returns the tokens as the text of a pattern. `write` converts each literal character.
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
