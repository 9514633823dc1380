/// The variables that every file has without defining them.
package enum PredefinedVariable: String, Sendable, CaseIterable {
  case alpha, upper, lower, alnum, digit, xdigit
  case region, lang

  /// The characters of a class, one of which matches the variable; nil for the lists.
  var characters: [UInt8]? {
    switch self {
    case .alpha: Self.upperCase + Self.lowerCase
    case .upper: Self.upperCase
    case .lower: Self.lowerCase
    case .alnum: Self.upperCase + Self.lowerCase + Self.digits
    case .digit: Self.digits
    case .xdigit: Self.digits + Array("ABCDEFabcdef".utf8)
    case .region, .lang: nil
    }
  }

  /// The codes of a list, one of which matches the variable; nil for the classes.
  package var codes: [Substring]? {
    switch self {
    case .region: ISOCodes.regions
    case .lang: ISOCodes.languages
    default: nil
    }
  }

  var codeGroups: [ISOCodes.Group]? {
    switch self {
    case .region: ISOCodes.regionGroups
    case .lang: ISOCodes.languageGroups
    default: nil
    }
  }

  private static let upperCase = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
  private static let lowerCase = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
  private static let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
}
