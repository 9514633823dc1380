internal import JSON

extension Value {
  var isContainer: Bool { kind == .object || kind == .array }
}

extension Value.Kind {
  /// The kind of value, phrased for the middle of a sentence.
  var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "`true` or `false`"
    case .null: "`null`"
    }
  }
}

/// Whether this is the file that Firebase Hosting generates by default, in which every list is
/// empty.
func isGeneratedEmptyFile(_ association: Association) -> Bool {
  guard let applinks = association.applinks, let apps = applinks.apps,
    let details = applinks.details
  else { return false }
  return apps.value.kind == .array && apps.value.elements.isEmpty
    && details.value.kind == .array && details.value.elements.isEmpty
    && association.appLists.allSatisfy { $0.list.apps.isEmpty }
    && !association.hasUnknownService
}

extension Association {
  /// Whether the file probably has a service that this program does not support: an unknown or
  /// retired top-level key whose value contains an app identifier, and no service of its own.
  var hasUnknownService: Bool {
    KeyedObject(.top, source)?.strangeKeys.contains { key in
      (key.fault == .unknown || key.fault == .retired) && namesApp(key.value)
        && helpToUnwrap(key) == nil
    } ?? false
  }
}

/// Whether a value contains an app identifier, as a text or as a key.
private func namesApp(_ value: Value) -> Bool {
  value.string.map(IdentifierUse.canBeAnApp) ?? false
    || value.elements.contains(where: namesApp)
    || value.members.contains { IdentifierUse.canBeAnApp($0.key) || namesApp($0.value) }
}

/// Whether a key such as `domain` or `hosts` was probably meant to choose the domain.
func isDomainKey(_ key: KeyedObject.StrangeKey, _ level: KeyLevel) -> Bool {
  guard key.fault == .unknown, level != .top else { return false }
  return ["domain", "domains", "host", "hosts", "hostname"].contains(key.key.lowercased())
}

/// Whether a pattern was probably meant as an exclusion: it begins like `NOT ` in a place where
/// this prefix has no effect, or it has extra white space after `NOT`.
func isMeantAsExclusion(_ use: PatternUse) -> Bool {
  let text = use.text
  let trimmed = text.drop { $0.isWhitespace }
  return trimmed.prefix(3).uppercased() == "NOT"
    && (trimmed.dropFirst(3).first?.isWhitespace ?? false)
    || use.isLegacyPath && use.isExclusion && text.first?.isWhitespace ?? false
}

/// Returns the identifier with its prefix in upper case.
func upperCasePrefix(_ identifier: String) -> String {
  let prefix = identifier.prefix { $0 != "." }
  return prefix.uppercased() + identifier.dropFirst(prefix.count)
}
