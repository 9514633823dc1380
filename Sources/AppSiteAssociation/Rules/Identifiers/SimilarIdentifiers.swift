package import Diagnostics
internal import Rules

let similarIdentifierRules: [AssociationRule] = [
  AssociationRule(
    "A043", .note, "repeated-identifier",
    what: "one list names an app twice",
    consequence: "the second has no effect",
    grade: .reasoned,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay""#,
    in: .identifier
  ) { file, findings in
    let lists = file.entries.map(\.appIdentifiers) + file.association.appLists.map(\.list.apps)
    for list in lists {
      var seen: Set<String> = []
      for identifier in list where !seen.insert(identifier.value).inserted {
        findings.report(
          identifier.range, "this list names `\(identifier.value)` already", help: "remove it")
      }
    }
  },
  appInTwoEntries,
  AssociationRule(
    "A045", .warning, "identifiers-differ-in-case",
    what: "two app identifiers differ only in the case of letters",
    consequence:
      "identifiers are case-sensitive here: for one of the two spellings there is no app",
    grade: .observed,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.Shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier
  ) { file, findings in
    var spellings: [String: Located<String>] = [:]
    for use in file.identifiers {
      let key = use.text.lowercased()
      guard let first = spellings[key] else {
        spellings[key] = use.located
        continue
      }
      if first.value == use.text { continue }
      findings.report(
        use.located.range, "`\(use.text)` is spelt `\(first.value)` elsewhere",
        help: "write both as the app has it; the other is on line \(file.line(of: first.range))")
    }
  },
  AssociationRule(
    "A047", .warning, "prefixes-differ",
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
    in: .file
  ) { file, findings in
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
  },
]

let appInTwoEntries = AssociationRule(
  "A044", .warning, "app-in-two-entries",
  what: "two entries of `details` are for the same app",
  consequence:
    "in the one recorded case the rules of the second entry were not added to those of the first",
  grade: .undocumented,
  wrong: #"""
    "details": [
      { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
      { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/help/*" }] }
    ]
    """#,
  right: #"""
    "details": [
      {
        "appIDs": ["K27TX9P4QD.org.swift.shop"],
        "components": [{ "/": "/buy/*" }, { "/": "/help/*" }]
      }
    ]
    """#,
  in: .applinks
) { file, findings in
  var first: [String: (entry: Int, range: Range<Int>)] = [:]
  for (index, entry) in file.entries.enumerated() {
    for identifier in entry.appIdentifiers {
      guard let earlier = first[identifier.value] else {
        first[identifier.value] = (index, identifier.range)
        continue
      }
      if earlier.entry == index { continue }
      findings.report(
        identifier.range, "`\(identifier.value)` already has an entry",
        help: "write all its rules into the entry on line \(file.line(of: earlier.range))")
    }
  }
}

/// Whether one character was changed, added or dropped between the two texts.
private func differInOne(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let (short, long) = left.count < right.count ? (left, right) : (right, left)
  guard long.count - short.count <= 1, short != long, long.count > 6 else { return false }
  let same = zip(short, long).prefix { $0 == $1 }.count
  let rest = short.count == long.count ? short.dropFirst(same + 1) : short.dropFirst(same)
  // Another rule reports letters that differ only in case.
  if short.count == long.count, short[same] | 0x20 == long[same] | 0x20 { return false }
  return rest.elementsEqual(long.dropFirst(same + 1))
}

extension Kind {
  /// The kinds of the rules about app identifiers.
  package static let ofIdentifiers = Set(
    (namedAppRules + identifierRules + similarIdentifierRules).map(\.kind))
  package static let appInTwoEntries = AppSiteAssociation.appInTwoEntries.kind
}
