internal import Bytes
package import Diagnostics

/// A row of the table that `aasa explain TEXT` searches. Each row is about a message that a system,
/// a browser or a tool shows or logs, or about a usual cause of faults.
package struct SystemMessage: Sendable {
  package let kind: Kind
  /// Parts of the message, in the form that `comparable` returns. A text contains the message if it
  /// contains one of these parts.
  private let marks: [String]
  /// Texts in the form that `comparable` returns. The message also matches if the user's whole text
  /// equals one of these texts.
  private let whole: [String]

  /// The source that documents the message and its meaning, or the observation that showed them.
  enum Source {
    case swcd, field, tn3155, urlError, messageFilter, webAuthn, statements
    case chromium, curl, openSSL, cloudflare, ngrok
    case other(String)

    var words: String {
      switch self {
      case .swcd: "a log line of Apple's swcd (grade O)"
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
  ///   - title: The message, which is also the title of its page.
  ///   - codes: Error codes, each as a domain and a number, such as `SWCErrorDomain 7`. Each code
  ///     matches in every form in which systems write it.
  init(
    _ title: String, _ name: String, _ marks: [String], codes: [String] = [],
    whole: [String] = [], _ what: String, because reason: String, fix: String, source: Source,
    severity: Diagnostic.Severity = .error
  ) {
    kind = Kind(title, name, what, reason, source.words, severity: severity, fix: fix)
    self.marks = (marks + codes.flatMap(Self.forms)).map(comparable)
    self.whole = whole.map(comparable)
  }

  /// Makes a message from a row of the table in Documentation/Troubleshooting.md.
  init(
    cause number: Int, _ title: String, _ name: String, _ marks: [String], because reason: String,
    fix: String
  ) {
    self.init(
      title, name, marks, "this fault is a usual reason why links open in the browser",
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
    /// The maximum number of bytes of a text that are searched.
    package static let bytes = 65_536
    /// The maximum number of messages to return for one text.
    static let matches = 5
    static let nearest = 3
  }

  static let all = appleMessages + passkeyMessages + androidMessages + networkMessages + causes

  /// Returns the kinds of the messages that a text contains. The message with the longest matching
  /// part comes first.
  package static func kinds(in text: String) -> [Kind] {
    let text = String(decoding: text.utf8.prefix(Limits.bytes), as: UTF8.self)
    let compared = comparable(text)
    var found: [(length: Int, kind: Kind)] = all.compactMap { message in
      message.length(in: compared).map { ($0, message.kind) }
    }
    // If the whole text is a state of Android, such as `1024`, this state comes first.
    found += stateKinds(in: text).map { (state, isAlone) in (isAlone ? .max : 12, state) }
    found += reasonKinds(in: text).map { (40, $0) }
    found.sort { $0.length > $1.length }
    var kinds: [Kind] = []
    for (_, kind) in found where !kinds.contains(kind) { kinds.append(kind) }
    return Array(kinds.prefix(Limits.matches))
  }

  /// Returns the titles of the messages that are most similar to a text. Used for a text that
  /// contains no known message.
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

  /// Returns the length of the longest part in `marks` that a text contains; nil if the text does
  /// not contain the message.
  private func length(in text: String) -> Int? {
    if whole.contains(text) { return .max }
    return marks.filter { holds(text, $0) }.map(\.utf8.count).max()
  }

  /// Returns the kinds of the Android states that a text contains. A state must fill a line, or
  /// must follow a domain or the word `state`, as in the output of `pm get-app-links`.
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

  /// Returns the kinds of the failure reasons of Apple's CDN that a text contains.
  private static func reasonKinds(in text: String) -> [Kind] {
    text.uppercased().split { !($0.isLetter || $0.isNumber) }.prefix(10_000).lazy
      .filter { $0.hasPrefix("SWCERR") }.compactMap { failureKind(of: String($0)) }
  }
}

/// Returns a text in a form for comparisons: in lower case, without quotation marks, and with
/// single spaces.
private func comparable(_ text: String) -> String {
  let plain = text.lowercased().filter { !"\"'`‘’“”«»„".contains($0) }
  return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// Whether a text contains a mark. If the mark begins or ends with a number, this number must not
/// be a part of a longer number in the text.
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
