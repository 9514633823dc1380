internal import Diagnostics

struct PrefixesDiffer: ValidationRule {
  static let code = "A047"
  static let severity = Diagnostic.Severity.warning
  static let name = "prefixes-differ"
  static let documentation = RuleDocumentation(
    what: "two identifiers of one bundle have prefixes that differ in one character",
    consequence: "an app has one prefix, so one of the two is probably nobody's",
    grade: .observed,
    wrong: #"""
      {
        "applinks": {
          "details": [
            { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
          ]
        },
        "webcredentials": { "apps": ["K27TX9P4QE.org.swift.shop"] }
      }
      """#,
    right: #"""
      {
        "applinks": {
          "details": [
            { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
          ]
        },
        "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] }
      }
      """#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    var first: [String: (prefix: [UInt8], range: Range<Int>)] = [:]
    for use in file.identifiers {
      guard let dot = use.text.utf8.firstIndex(of: UInt8(ascii: ".")) else { continue }
      let prefix = Array(use.text.utf8[..<dot])
      let bundle = String(use.text[dot...])
      guard let earlier = first[bundle] else {
        first[bundle] = (prefix, use.located.range)
        continue
      }
      guard differInOne(prefix, earlier.prefix) else { continue }
      findings.report(
        use.located.range,
        "the prefix of `\(use.text)` is `\(String(decoding: earlier.prefix, as: UTF8.self))` elsewhere",
        help: "compare both with the app's entitlements; the other is on line "
          + "\(file.line(of: earlier.range))")
    }
  }

  /// Whether one character is another, or is missing in one of the two.
  private static func differInOne(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    guard long.count - short.count <= 1, short != long, long.count > 6 else { return false }
    let same = zip(short, long).prefix { $0 == $1 }.count
    let rest = short.count == long.count ? short.dropFirst(same + 1) : short.dropFirst(same)
    // Letters of another case are reported by another rule.
    if short.count == long.count, short[same] | 0x20 == long[same] | 0x20 { return false }
    return rest.elementsEqual(long.dropFirst(same + 1))
  }
}
