internal import Bytes

/// The characters that the exploration of a URL part tries. All conditions treat the characters of
/// one class alike, so one character of each class is enough.
struct Alphabet {
  /// The characters, most readable first.
  let symbols: [UInt8]
  /// The hexadecimal digits to try after `%`.
  let digits: [UInt8]
  /// The UTF-8 bytes of each non-ASCII character that occurs in a condition on decoded text.
  let encodings: [[UInt8]]

  init(_ part: URLPart, _ conditions: [PartCondition]) {
    let needsDecoded = conditions.contains(where: \.isDecoded)
    encodings = Self.encodings(conditions)
    let named = Set(
      (UInt8(0)..<128).filter { symbol in
        conditions.contains { $0.automaton.automaton.asciiClasses[Int(symbol)] != 0 }
      })
    let plain = Self.readable(named: named).filter { $0 != UInt8(ascii: "?") || part != .path }
    // Texts with `%` are not needed if all patterns are compared with the decoded text. These
    // patterns cannot distinguish an encoded unreserved character from the character itself. And a
    // character that occurs in no pattern can be tried without encoding.
    let needsEscapes =
      part == .query || conditions.contains { !$0.isDecoded } || !encodings.isEmpty
      || named.isSuperset(of: plain) || !named.isSubset(of: plain)
    symbols = Self.representatives(
      plain + (needsEscapes ? [UInt8(ascii: "%")] : []), conditions
    ) { symbol in
      let isSpecial =
        switch symbol {
        case UInt8(ascii: "/"): part == .path
        case UInt8(ascii: "&"), UInt8(ascii: "="): part == .query
        case UInt8(ascii: "%"): true
        default: false
        }
      return isSpecial ? symbol : 0
    }
    digits = Self.representatives(Array("0123456789ABCDEFabcdef".utf8), conditions) { digit in
      needsDecoded ? digit.hexValue ?? 0 : 0
    }
  }

  private static func encodings(_ conditions: [PartCondition]) -> [[UInt8]] {
    var scalars: Set<UInt32> = []
    for condition in conditions where condition.isDecoded {
      scalars.formUnion(condition.automaton.automaton.otherSymbols)
      scalars.formUnion(condition.name?.filter { $0 >= 128 } ?? [])
    }
    return scalars.sorted().compactMap { Unicode.Scalar($0).map { Array(String($0).utf8) } }
  }

  /// Divides characters into classes. The characters of a class have the same value of `role`, and
  /// all conditions treat them alike. Returns the first character of each class.
  private static func representatives(
    _ symbols: [UInt8], _ conditions: [PartCondition], role: (UInt8) -> UInt8
  ) -> [UInt8] {
    let inNames = Set(conditions.flatMap { $0.name ?? [] })
    var seen: Set<[Int]> = []
    return symbols.filter { symbol in
      let kinds = conditions.map { $0.automaton.kind(of: UInt32(symbol)) }
      let own = inNames.contains(UInt32(symbol)) ? Int(symbol) : 0
      return seen.insert(kinds + [own, Int(role(symbol))]).inserted
    }
  }

  /// Returns all URL characters except `%`, beginning with the lower-case letters that occur in
  /// patterns.
  ///
  /// pchar = unreserved / pct-encoded / sub-delims / ":" / "@"; query and fragment also allow `/`
  /// and `?` (RFC 3986 section 3.3 to 3.5). Brackets are not allowed but do occur.
  private static func readable(named: Set<UInt8>) -> [UInt8] {
    let lower = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    return lower.filter(named.contains) + lower.filter { !named.contains($0) }
      + Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ/-_.~&=+,;:@!$'()*?[]".utf8)
  }
}
