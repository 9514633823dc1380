internal import Bytes
package import Diagnostics

/// A message that a system, a browser or a tool shows or logs, or a usual cause of faults: a row of
/// the table that `aasa explain TEXT` searches.
package struct SystemMessage: Sendable {
  package let kind: Kind
  /// Parts of the message in comparable form. A text that contains one of them contains the
  /// message.
  private let marks: [String]
  /// Texts in comparable form, each of which must equal the user's whole text to match.
  private let whole: [String]

  /// Where the message and its meaning come from.
  enum Source {
    case swcd, field, tn3155, urlError, messageFilter, webAuthn, statements
    case chromium, curl, openSSL, cloudflare, ngrok
    case other(String)

    var words: String {
      switch self {
      case .swcd: "Apple's swcd logs it (grade O)"
      case .field: "seen in the field (grade O)"
      case .tn3155: "Apple, TN3155, Debugging universal links (grade D)"
      case .urlError: "Apple, URLError.Code (grade D); the number is in Foundation's NSURLError.h"
      case .messageFilter: "Apple, ILMessageFilterError.Code (grade D)"
      case .webAuthn: "W3C, Web Authentication Level 3"
      case .statements: "Google, Digital Asset Links API, errorCode"
      case .chromium: "Chromium's source code: digital_asset_links_handler.cc"
      case .curl: "curl's manual, exit codes"
      case .openSSL: "OpenSSL's manual, verification errors"
      case .cloudflare: "Cloudflare's documentation"
      case .ngrok: "ngrok's documentation of its error codes"
      case .other(let words): words
      }
    }
  }

  /// - Parameters:
  ///   - title: The message, as written in the title of its page.
  ///   - codes: Error domains with numbers, such as `SWCErrorDomain 7`. Every form in which systems
  ///     write them matches.
  init(
    _ title: String, _ name: String, _ marks: [String], codes: [String] = [],
    whole: [String] = [], _ what: String, because reason: String, fix: String, source: Source,
    severity: Diagnostic.Severity = .error
  ) {
    kind = Kind(title, name, what, reason, source.words, severity: severity, fix: fix)
    self.marks = (marks + codes.flatMap(Self.forms)).map(comparable)
    self.whole = whole.map(comparable)
  }

  /// A row of the table in Documentation/Troubleshooting.md.
  init(
    cause number: Int, _ title: String, _ name: String, _ marks: [String], because reason: String,
    fix: String
  ) {
    self.init(
      title, name, marks, "this is one of the usual causes of links that open the browser",
      because: reason, fix: fix,
      source: .other("cause \(number) in Documentation/Troubleshooting.md"))
  }

  private static func forms(_ code: String) -> [String] {
    let words = code.split(separator: " ").map(String.init)
    guard words.count == 2 else { return [code] }
    return ["\(words[0]) \(words[1])", "\(words[0]):\(words[1])"]
      + ["code=", "code ", "error ", "error=", "code: "].map { "\(words[0]) \($0)\(words[1])" }
  }

  package enum Limits {
    /// The maximum number of bytes of a text.
    package static let bytes = 65_536
    /// The maximum number of messages that explain one text.
    static let matches = 5
    static let nearest = 3
  }

  static let all = appleMessages + passkeyMessages + androidMessages + networkMessages + causes

  /// Returns the messages in a text, the most specific one first.
  package static func kinds(in text: String) -> [Kind] {
    let text = String(decoding: text.utf8.prefix(Limits.bytes), as: UTF8.self)
    let compared = comparable(text)
    var found: [(length: Int, kind: Kind)] = all.compactMap { message in
      message.length(in: compared).map { ($0, message.kind) }
    }
    // A text that consists only of a state of Android, such as `1024`, means only that state.
    found += stateKinds(in: text).map { (state, isAlone) in (isAlone ? .max : 12, state) }
    found += reasonKinds(in: text).map { (40, $0) }
    found.sort { $0.length > $1.length }
    var kinds: [Kind] = []
    for (_, kind) in found where !kinds.contains(kind) { kinds.append(kind) }
    return Array(kinds.prefix(Limits.matches))
  }

  /// For a text that contains no message, returns the titles of the most similar messages.
  package static func nearest(to text: String) -> [String] {
    let parts = trigrams(comparable(String(decoding: text.utf8.prefix(1_000), as: UTF8.self)))
    let ranked = all.map { message in
      (
        message.kind.code,
        (message.marks + [comparable(message.kind.code)]).map { mark in
          let own = trigrams(mark)
          return Double(own.intersection(parts).count) / Double(own.union(parts).count + 1)
        }.max() ?? 0
      )
    }.sorted { $0.1 > $1.1 }
    return ranked.prefix(Limits.nearest).map(\.0)
  }

  /// Returns the length of the longest mark in a text; nil if there is none.
  private func length(in text: String) -> Int? {
    if whole.contains(text) { return .max }
    return marks.filter { holds(text, $0) }.map(\.utf8.count).max()
  }

  /// Returns the kinds of Android's states in a text. A state must be a whole line, or follow a
  /// domain or the word `state`, as in the output of `pm get-app-links`.
  private static func stateKinds(in text: String) -> [(Kind, isAlone: Bool)] {
    text.split(whereSeparator: \.isNewline).prefix(1_000).compactMap { line in
      let words = line.split { $0.isWhitespace || "\"'`".contains($0) }
      guard let last = words.last, let state = AndroidState(String(last)) else { return nil }
      if words.count == 1 { return (state.kind, true) }
      let name = words[0]
      let isDomain = words.count == 2 && name.hasSuffix(":") && name.contains(".")
      return isDomain || name == "state" ? (state.kind, false) : nil
    }
  }

  /// Returns the kinds of the failure codes of Apple's CDN in a text.
  private static func reasonKinds(in text: String) -> [Kind] {
    text.uppercased().split { !($0.isLetter || $0.isNumber) }.prefix(10_000).lazy
      .filter { $0.hasPrefix("SWCERR") }.compactMap { failureKind(of: String($0)) }
  }
}

/// Returns a text in comparable form: in lower case, without quotes, with single spaces.
private func comparable(_ text: String) -> String {
  let plain = text.lowercased().filter { !"\"'`‘’“”«»„".contains($0) }
  return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// Whether a text contains a mark. A number in the mark must not be part of a longer number.
private func holds(_ text: String, _ mark: String) -> Bool {
  var rest = text[...]
  while let range = rest.firstRange(of: mark) {
    let isWhole =
      !(mark.first?.isNumber == true && text[..<range.lowerBound].last?.isNumber == true)
      && !(mark.last?.isNumber == true && text[range.upperBound...].first?.isNumber == true)
    if isWhole { return true }
    rest = text[range.upperBound...]
  }
  return false
}

private func trigrams(_ text: String) -> Set<Substring> {
  let indices = Array(text.indices) + [text.endIndex]
  guard indices.count > 3 else { return [text[...]] }
  return Set((0..<indices.count - 3).map { text[indices[$0]..<indices[$0 + 3]] })
}
