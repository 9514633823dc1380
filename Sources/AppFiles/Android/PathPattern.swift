/// Compares a path, query or fragment with an attribute of a filter, such as `android:path`, in the
/// way Android does.
///
/// Source: PatternMatcher in Android's source code. The code differs from its documentation in some
/// details. For example, `\.` in a `pathPattern` matches any character.
package struct PathPattern: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    /// As many characters of the set as possible. The number must be between these two limits.
    case run(UnitSet, atLeast: Int, atMost: Int)
    /// All characters up to and including the first occurrence of this character.
    case until(UInt16)
    /// All characters up to the end of the text.
    case rest

    static func one(_ unit: UInt16) -> Piece { .run(UnitSet(unit), atLeast: 1, atMost: 1) }
  }

  private enum Kind: Sendable {
    case exact, suffix, simple, advanced
  }

  /// The pieces of the pattern. A suffix pattern contains only the pieces of the suffix.
  let pieces: [Piece]
  private let kind: Kind

  var isSuffix: Bool { kind == .suffix }

  /// Nil if Android refuses the pattern. Android then also refuses to install the app.
  package init?(_ path: AndroidManifest.Path) {
    let units = Array(path.text.utf16)
    switch path.form {
    case "Prefix":
      kind = .exact
      pieces = units.map(Piece.one) + [.rest]
    case "Suffix":
      kind = .suffix
      pieces = units.map(Piece.one)
    case "Pattern":
      kind = .simple
      pieces = Self.simple(units)
    case "AdvancedPattern":
      var reader = AdvancedPattern(units)
      guard let found = reader.read() else { return nil }
      kind = .advanced
      pieces = found
    default:
      kind = .exact
      pieces = units.map(Piece.one)
    }
  }

  /// Returns whether a decoded path matches the pattern. Like Android, does not backtrack: each
  /// piece matches in only one way.
  package func matches(_ path: String) -> Bool {
    var text = Array(path.utf16)[...]
    if isSuffix { text = text.suffix(pieces.count) }
    for (index, piece) in pieces.enumerated() {
      // At the end of the text, Android accepts the pattern only if the rest of the pattern is
      // exactly `.*`.
      if kind == .simple, text.isEmpty { return pieces[index...] == [.rest] }
      switch piece {
      case .run(let set, let least, let most):
        let count = text.prefix(most).prefix(while: set.contains).count
        if count < least { return false }
        text = text.dropFirst(count)
      case .until(let unit):
        guard let place = text.firstIndex(of: unit) else { return false }
        text = text[(place + 1)...]
      case .rest: return true
      }
    }
    return text.isEmpty
  }

  /// Returns the pieces of a `pathPattern`, which may contain `.`, `c*` for any character `c`, and
  /// `.*`. The text that `.*` matches ends before the first occurrence of the character that
  /// follows `.*` in the pattern.
  private static func simple(_ units: [UInt16]) -> [Piece] {
    let (dot, star, backslash) = (
      UInt16(UInt8(ascii: ".")), UInt16(UInt8(ascii: "*")), UInt16(UInt8(ascii: "\\"))
    )
    var pieces: [Piece] = []
    var rest = units[...]
    while var unit = rest.popFirst() {
      let isEscaped = unit == backslash
      if isEscaped { unit = rest.popFirst() ?? 0 }
      guard rest.first == star else {
        pieces.append(unit == dot ? .run(.any, atLeast: 1, atMost: 1) : .one(unit))
        continue
      }
      rest.removeFirst()
      if isEscaped || unit != dot {
        pieces.append(.run(UnitSet(unit), atLeast: 0, atMost: .max))
        continue
      }
      guard var next = rest.popFirst() else { return pieces + [.rest] }
      if next == backslash { next = rest.popFirst() ?? 0 }
      pieces.append(.until(next))
    }
    return pieces
  }
}

/// A set of UTF-16 code units. Android's strings consist of these units.
struct UnitSet: Sendable, Equatable {
  private let ranges: [ClosedRange<UInt16>]

  static let any = UnitSet(ranges: [0...UInt16.max])

  init(_ unit: UInt16) { ranges = [unit...unit] }

  private init(ranges: [ClosedRange<UInt16>]) { self.ranges = ranges }

  init(_ ranges: [ClosedRange<UInt16>], isInverse: Bool) {
    guard isInverse else {
      self.ranges = ranges
      return
    }
    var result: [ClosedRange<UInt16>] = []
    var next = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if Int(range.lowerBound) > next { result.append(UInt16(next)...(range.lowerBound - 1)) }
      next = max(next, Int(range.upperBound) + 1)
    }
    if next <= Int(UInt16.max) { result.append(UInt16(next)...UInt16.max) }
    self.ranges = result
  }

  func contains(_ unit: UInt16) -> Bool { ranges.contains { $0.contains(unit) } }

  func overlaps(_ other: UnitSet) -> Bool {
    ranges.contains { range in other.ranges.contains { range.overlaps($0) } }
  }
}
