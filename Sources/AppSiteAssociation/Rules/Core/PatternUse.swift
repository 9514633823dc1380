internal import Diagnostics
internal import JSON
package import Rules

/// A pattern in the file, and the options for comparing the pattern with a URL.
///
/// This type is a class because every validation rule about patterns visits all patterns. Copying
/// the patterns would take more time than most of these rules take.
package final class PatternUse: Sendable {
  package let part: URLPart
  /// Whether the pattern is for the value of a query item rather than for the whole query.
  package let isForItem: Bool
  /// Whether the pattern is in `paths`, where a leading `NOT ` is removed.
  package let isLegacyPath: Bool
  package let isPercentEncoded: Bool
  package let isCaseSensitive: Bool
  /// Whether a match blocks the link.
  package let isExclusion: Bool
  /// The pattern, and the range of its JSON string in the file.
  package let located: Located<String>
  package let syntax: PatternSyntax
  /// The pattern in UTF-8.
  package let bytes: [UInt8]
  /// The number of bytes in the JSON string before the pattern: the length of `NOT `, or 0.
  private let offset: Int
  private let hasEscapes: Bool
  private let source: SourceText

  package var text: String { located.value }

  private init(
    _ part: URLPart, isForItem: Bool = false, _ located: Located<String>, _ fields: RuleFields,
    _ source: SourceText, isLegacyPath: Bool = false
  ) {
    self.part = part
    self.isForItem = isForItem
    self.located = located
    self.isLegacyPath = isLegacyPath
    isPercentEncoded = fields.percentEncoded?.value ?? true
    isCaseSensitive = fields.caseSensitive?.value ?? true
    isExclusion = fields.exclude?.value ?? false
    syntax = PatternSyntax(located.value)
    bytes = Array(located.value.utf8)
    let written = source.bytes[located.range]
    self.source = source
    hasEscapes = written.contains(UInt8(ascii: "\\"))
    offset = isLegacyPath && fields.exclude != nil ? Rule.exclusionPrefix.utf8.count : 0
  }

  /// Returns the byte range in the file for a byte range of the pattern.
  package func range(_ part: Range<Int>) -> Range<Int> {
    let start = located.range.lowerBound + 1
    let part = (part.lowerBound + offset)..<(part.upperBound + offset)
    if !hasEscapes { return (start + part.lowerBound)..<(start + part.upperBound) }
    return writtenRange(of: part, in: located.range, source.bytes)
  }

  /// Returns the byte range in the file for a token of the pattern.
  package func range(of token: PatternSyntax.Part) -> Range<Int> { range(scalars: token.range) }

  package func range(scalars: Range<Int>) -> Range<Int> {
    let all = text.unicodeScalars
    guard all.count != bytes.count else { return range(scalars) }
    let before = all.prefix(scalars.lowerBound).reduce(0) { $0 + UTF8.width($1) }
    let within = all.dropFirst(scalars.lowerBound).prefix(scalars.count)
    return range(before..<within.reduce(before) { $0 + UTF8.width($1) })
  }

  static func all(in association: Association, of source: SourceText) -> [PatternUse] {
    guard let applinks = association.applinks else { return [] }
    var uses: [PatternUse] = []
    if let defaults = applinks.defaults {
      append(defaults.fields, as: defaults.fields, source, &uses)
    }
    for entry in applinks.entries {
      if let defaults = entry.defaults {
        append(
          defaults.fields, as: defaults.fields.inheriting(applinks.defaults?.fields ?? .init()),
          source, &uses)
      }
      for rule in entry.rules {
        if rule.source.kind == .string {
          guard let path = rule.written.path else { continue }
          uses.append(PatternUse(.path, path, rule.effective, source, isLegacyPath: true))
        } else {
          append(rule.written, as: rule.effective, source, &uses)
        }
      }
    }
    return uses
  }

  private static func append(
    _ fields: RuleFields, as effective: RuleFields, _ source: SourceText,
    _ uses: inout [PatternUse]
  ) {
    for (part, item, pattern) in fields.patterns {
      uses.append(PatternUse(part, isForItem: item != nil, pattern, effective, source))
    }
  }
}

extension PatternUse {
  /// Whether the pattern consists only of `*` and is for a query, query item or fragment. Such a
  /// pattern seems to require this part of the URL, but also accepts URLs without the part.
  var acceptsAbsence: Bool { part != .path && isOnlyAsterisks(text) }

  /// The part of the URL that the pattern tests, phrased for the middle of a sentence.
  var absentThing: String {
    switch part {
    case .path: "a path"
    case .query: isForItem ? "this query item" : "a query"
    case .fragment: "a fragment"
    }
  }
}

/// Returns whether a pattern accepts every text, and therefore also a missing text.
func isOnlyAsterisks(_ pattern: String) -> Bool {
  !pattern.isEmpty && pattern.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
}
