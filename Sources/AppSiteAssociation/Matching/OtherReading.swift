internal import Bytes
internal import Rules

/// A detail of matching that is unknown: Apple does not document how devices treat the detail, and
/// recorded runs of Apple's tool `swcutil` do not reveal it either. An answer mentions the detail
/// if the outcome would change with a different treatment of the detail.
enum OtherReading: CaseIterable {
  case dotSegments
  case port
  case dotAfterHost
  case lettersBeyondASCII
  case itemNames
  case codes

  /// The remark about this detail in an answer: one sentence without a full stop.
  var remark: String {
    let subject =
      switch self {
      case .dotSegments: "`.` and `..` in a path are resolved before the path is matched"
      case .port: "a link with a port opens an app"
      case .dotAfterHost: "a trailing dot makes a host a different host"
      case .lettersBeyondASCII: "`caseSensitive: false` applies to letters beyond ASCII"
      case .itemNames: "`caseSensitive: false` applies to the names of query items"
      case .codes: "`$(region)` and `$(lang)` match codes in the other letter case"
      }
    return "Apple does not document whether \(subject); devices may decide differently"
  }
}

extension AppleLinks {
  package func remarks(on url: String, for apps: [String]) -> [String?] {
    let bytes = Array(url.utf8)
    guard let parts = try? URLParts(bytes.span) else { return apps.map { _ in nil } }
    var known: [Int: String?] = [:]
    return apps.map { app in
      guard let index = matcher.appIndex(app) else { return nil }
      let entry = matcher.entryIndex(ofApp: index)
      if let remark = known[entry] { return remark }
      let remark = OtherReading.allCases.first { reading in
        outcome(bytes, parts, app, index, reading)
          .map { $0 != outcome(matcher.decide(bytes.span, app: app, domain: domain)) } ?? false
      }?.remark
      known[entry] = .some(remark)
      return remark
    }
  }

  /// Returns the outcome of a URL if devices treat a detail differently than assumed. Nil if the
  /// detail does not concern the URL or the rules.
  private func outcome(
    _ url: [UInt8], _ parts: URLParts, _ app: String, _ index: Int, _ reading: OtherReading
  ) -> LinkOutcome? {
    func ofURL(_ url: [UInt8]) -> LinkOutcome {
      outcome(matcher.decide(url.span, app: app, domain: domain))
    }
    switch reading {
    case .dotSegments:
      return withoutDotSegments(url, parts.path).map(ofURL)
    case .port:
      return parts.port == nil || parts.port == defaultPort(of: url) ? nil : .browser
    case .dotAfterHost:
      guard let host = parts.host, host.count > 1, url[host.upperBound - 1] == UInt8(ascii: ".")
      else { return nil }
      var other = url
      other.remove(at: host.upperBound - 1)
      return domain == nil ? .browser : ofURL(other)
    case .lettersBeyondASCII, .itemNames, .codes:
      guard domain?.contains(parts, of: url.span) ?? true else { return nil }
      let texts = URLTexts(url.span, parts, decoding: true)
      let rules = association.entries[matcher.entryIndex(ofApp: index)].rules
      guard rules.contains(where: { concerns(reading, $0, texts) }) else { return nil }
      return outcome(
        matcher.decide(texts, appAt: index) { rule in
          guard concerns(reading, rules[rule], texts) else { return nil }
          return try? rules[rule].matches(texts, association.variables, reading)
        })
    }
  }

  private func outcome(_ decision: RuleDecision) -> LinkOutcome {
    switch decision {
    case .match: .opens
    case .exclude: .blocked
    case .noMatch: .browser
    }
  }

  private func concerns(_ reading: OtherReading, _ rule: Rule, _ texts: URLTexts) -> Bool {
    switch reading {
    case .lettersBeyondASCII:
      !rule.isCaseSensitive && !rule.isPercentEncoded && texts.decoded.hasLettersBeyondASCII
    case .itemNames:
      if !rule.isCaseSensitive, case .items(let items, _) = rule.effective.query {
        !items.isEmpty && !texts.written.items.isEmpty
      } else {
        false
      }
    case .codes:
      rule.isCaseSensitive
        && rule.effective.patterns.contains { part in
          let syntax = PatternSyntax(part.pattern.value)
          return ["region", "lang"].contains {
            syntax.variable($0) != nil && association.variables[$0] == nil
          }
        }
    case .dotSegments, .port, .dotAfterHost: false
    }
  }
}

extension Rule {
  /// Returns whether the rule matches a URL if devices treat a detail differently than assumed.
  fileprivate func matches(
    _ texts: URLTexts, _ variables: SubstitutionVariables, _ reading: OtherReading
  ) throws(PatternsTooLarge) -> Bool {
    var folding: CaseFolding = isCaseSensitive ? [] : .all
    if reading == .codes { folding.insert(.codes) }
    if reading == .lettersBeyondASCII { folding.remove(.otherLetters) }
    let parts = isPercentEncoded ? texts.written : texts.decoded
    for (part, item, pattern) in effective.patterns {
      let automaton = try PatternAutomaton(
        pattern.value, subject: part == .path ? .path : .text, variables: variables,
        folding: folding)
      guard let item else {
        guard automaton.matches(parts[part].span) else { return false }
        continue
      }
      let name = string(item.value.unicodeScalars.map(\.value))
      let values = parts.items.filter { item in
        let other = string(item.name)
        return reading == .itemNames ? other.lowercased() == name.lowercased() : other == name
      }.map(\.value)
      guard (values.isEmpty ? [[]] : values).allSatisfy({ automaton.matches($0.span) }) else {
        return false
      }
    }
    return true
  }
}

extension URLTexts.Texts {
  fileprivate var hasLettersBeyondASCII: Bool {
    ([path, query, fragment] + items.map(\.value)).contains { text in
      text.contains { $0 >= 0x80 && Unicode.Scalar($0)?.properties.isCased == true }
    }
  }
}

/// Resolves the segments `.` and `..` in the path of a URL (RFC 3986 section 5.2.4), including
/// percent-encoded dots, because browsers resolve these too. Nil if the path has no segments of
/// this kind.
private func withoutDotSegments(_ url: [UInt8], _ path: Range<Int>) -> [UInt8]? {
  let segments = url[path].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let dots = segments.map { $0.lowercased().replacing("%2e", with: ".") }
  guard dots.contains(where: [".", ".."].contains) else { return nil }
  var kept: [String] = []
  for (segment, dot) in zip(segments, dots) {
    switch dot {
    case ".": continue
    case "..": if kept.count > 1 { kept.removeLast() }
    default: kept.append(segment)
    }
  }
  if dots.last == "." || dots.last == ".." { kept.append("") }
  let text = kept.joined(separator: "/")
  return url[..<path.lowerBound] + Array((text.isEmpty ? "/" : text).utf8)
    + url[path.upperBound...]
}

/// The default port of a URL's scheme.
private func defaultPort(of url: [UInt8]) -> Int? {
  let scheme = String(decoding: url.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
  return ["http": 80, "https": 443][scheme]
}
