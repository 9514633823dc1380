package import Diagnostics
internal import JSON
internal import Rules

let namedAppRules: [AssociationRule] = [
  AssociationRule(
    "A048", .note, "clip-in-app-links", .documented, in: .identifier, each: \.identifiers,
    "`applinks` lists an App Clip",
    "links open an App Clip through `appclips`; `applinks` is for apps",
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop.Clip""#,
    right: #""K27TX9P4QD.org.swift.shop""#
  ) { use, file, findings in
    guard use.service == "applinks", use.text.lowercased().hasSuffix(".clip") else { return }
    findings.report(
      use.located.range, "`\(use.text)` is the identifier of an App Clip",
      help: #"write `"appclips": {"apps": ["\#(use.text)"]}` at the top of the file"#)
  },
  AssociationRule(
    "A030", .warning, "entry-without-app", .verified, in: .entry, each: \.entries,
    "an entry of `details` lists no app",
    "if `appIDs` is an empty array, devices ignore `appID`; the rules of an entry without an app "
      + "have no effect",
    wrong: #"""
      "appIDs": [],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: exampleEntry
  ) { entry, file, findings in
    guard entry.appIdentifiers.isEmpty else { return }
    let hasOtherFault =
      file.hasMisspeltKey("appIDs", in: entry.source)
      || file.hasMisspeltKey("appID", in: entry.source)
      || entry.identifierForm == .none
        && (entry.source.member("appIDs") != nil || entry.source.member("appID") != nil)
    if hasOtherFault { return }
    let range =
      entry.source.lastMember("appIDs").flatMap { $0.value.kind == .array ? $0.keyRange : nil }
    findings.report(
      range ?? entry.source.head, "this entry lists no app",
      help: "write `\"appIDs\": [\"\(file.app)\"]` into the entry")
  },
]

let similarIdentifierRules: [AssociationRule] = [
  AssociationRule(
    "A043", .note, "repeated-identifier", .reasoned, in: .identifier,
    "a list of app identifiers contains the same app twice",
    "the second occurrence has no effect",
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.pay""#
  ) { file, findings in
    let lists = file.entries.map(\.appIdentifiers) + file.association.appLists.map(\.list.apps)
    for list in lists {
      var seen: Set<String> = []
      for identifier in list where !seen.insert(identifier.value).inserted {
        findings.report(
          identifier.range, "this list already contains `\(identifier.value)`", help: "remove it")
      }
    }
  },
  appInTwoEntries,
  AssociationRule(
    "A045", .warning, "identifiers-differ-in-case", .observed, in: .identifier,
    "two app identifiers differ only in the case of letters",
    "app identifiers are case-sensitive: one of the two spellings matches no app",
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.Shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#
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
        use.located.range, "`\(use.text)` is spelled `\(first.value)` elsewhere in the file",
        help: "use the app's spelling in both places; the other place is on line "
          + "\(file.line(of: first.range))")
    }
  },
  AssociationRule(
    "A047", .warning, "prefixes-differ", .observed, in: .file,
    "two prefixes of the same bundle identifier differ in one character",
    "an app has one prefix, so one of the two is probably wrong",
    wrong: exampleFile(webcredentials: "K27TX9P4QE.org.swift.shop"),
    right: exampleFile(webcredentials: "K27TX9P4QD.org.swift.shop")
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
        "the prefix of `\(use.text)` is `\(String(decoding: earlier.prefix, as: UTF8.self))` "
          + "elsewhere in the file",
        help: "compare both prefixes with the app's entitlements; the other prefix is on line "
          + "\(file.line(of: earlier.range))")
    }
  },
]

let appInTwoEntries = AssociationRule(
  "A044", .warning, "app-in-two-entries", .undocumented, in: .applinks,
  "two entries of `details` are for the same app",
  "in the only known case, devices did not add the second entry's rules to the first entry's",
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
    """#
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
        identifier.range, "an earlier entry already lists `\(identifier.value)`",
        help: "write all rules of this app into the entry on line \(file.line(of: earlier.range))")
    }
  }
}

/// Whether the two texts differ in exactly one changed, added or missing character.
private func differInOne(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let (short, long) = left.count < right.count ? (left, right) : (right, left)
  guard long.count - short.count <= 1, short != long, long.count > 6 else { return false }
  let same = zip(short, long).prefix { $0 == $1 }.count
  let rest = short.count == long.count ? short.dropFirst(same + 1) : short.dropFirst(same)
  // Another rule reports identifiers whose letters differ only in case.
  if short.count == long.count, short[same] | 0x20 == long[same] | 0x20 { return false }
  return rest.elementsEqual(long.dropFirst(same + 1))
}

extension Kind {
  /// The kinds of diagnostics of the rules about app identifiers.
  package static let ofIdentifiers = Set(
    (namedAppRules + identifierRules + similarIdentifierRules).map(\.kind))
  package static let appInTwoEntries = AppSiteAssociation.appInTwoEntries.kind
}
