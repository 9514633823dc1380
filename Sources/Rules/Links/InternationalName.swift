/// Converts a domain name with non-ASCII letters to the form that DNS uses (RFC 5890, RFC 3492).
///
/// Converts the name to lower case and then encodes it. Refuses a name that needs further
/// normalization, such as a name with combining marks.
package enum InternationalName {
  /// Returns the name with every label in ASCII; nil if a label cannot be encoded.
  package static func ascii(_ name: String) -> String? {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
    let dots: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]
    var scalars = String.UnicodeScalarView()
    for scalar in name.lowercased().unicodeScalars {
      scalars.append(dots.contains(scalar) ? "." : scalar)
    }
    let labels = String(scalars).split(separator: ".", omittingEmptySubsequences: false)
    let encoded = labels.map { label(Array($0.unicodeScalars)) }
    if encoded.contains(where: { $0 == nil }) { return nil }
    return encoded.compactMap(\.self).joined(separator: ".")
  }

  private static func label(_ scalars: [Unicode.Scalar]) -> String? {
    if scalars.allSatisfy(\.isASCII) { return String(String.UnicodeScalarView(scalars)) }
    guard scalars.allSatisfy({ $0.isASCII || isLetter($0) }) else { return nil }
    return punycode(scalars).map { "xn--" + $0 }
  }

  /// Whether the scalar can be a part of a label. Such a scalar is a letter that is not upper case,
  /// a digit or a spacing mark, and its combining class is 0.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.canonicalCombiningClass == .notReordered else { return false }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .spacingMark: return true
    default: return false
    }
  }

  /// Encodes a label with the algorithm of RFC 3492 section 6.3. Nil if the result is too long.
  private static func punycode(_ scalars: [Unicode.Scalar]) -> String? {
    // A label has at most 63 characters, and the prefix `xn--` takes 4 of them. Each scalar becomes
    // at least one of the other 59 characters.
    guard scalars.count <= 59 else { return nil }
    var output = scalars.filter(\.isASCII).map { Character($0) }
    var handled = output.count
    let basic = handled
    if basic > 0 { output.append("-") }
    var (next, delta, bias) = (UInt32(128), 0, 72)
    while handled < scalars.count {
      guard let least = scalars.map(\.value).filter({ $0 >= next }).min() else { return nil }
      delta += Int(least - next) * (handled + 1)
      next = least
      for scalar in scalars {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        var rest = delta
        var place = 36
        while true {
          let threshold = min(max(place - bias, 1), 26)
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
          rest = (rest - threshold) / (36 - threshold)
          place += 36
        }
        output.append(digit(rest))
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return output.count <= 59 ? String(output) : nil
  }

  private static func digit(_ value: Int) -> Character {
    Character(Unicode.Scalar(UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)))
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var places = 0
    while delta > 455 {
      delta /= 35
      places += 36
    }
    return places + 36 * delta / (delta + 38)
  }
}
