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

/// Whether this is the file that Firebase Hosting generates by default: every list is empty.
func isGeneratedEmptyFile(_ association: Association) -> Bool {
  guard let applinks = association.applinks, let apps = applinks.apps,
    let details = applinks.details
  else { return false }
  return apps.value.kind == .array && apps.value.elements.isEmpty
    && details.value.kind == .array && details.value.elements.isEmpty
    && association.appLists.allSatisfy { $0.list.apps.isEmpty }
}

/// Whether a key looks like an attempt to choose the domain.
func isDomainKey(_ key: KeyedObject.StrangeKey, _ level: KeyLevel) -> Bool {
  guard key.fault == .unknown, level != .top else { return false }
  return ["domain", "domains", "host", "hosts", "hostname"].contains(key.key.lowercased())
}

/// Whether a pattern was probably meant as an exclusion: it begins like `NOT ` where that has no
/// effect, or has extra white space after `NOT`.
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

func characters(_ count: Int) -> String {
  count == 1 ? "1 character" : "\(count) characters"
}

/// Returns the first range of `needle` in `bytes`.
func find(_ needle: String, in bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
  find(needle.utf8.span, in: bytes.span, from: start)
}

/// Whether `text` contains the bytes of `needle`.
func holds(_ needle: String, _ text: String) -> Bool {
  find(needle.utf8.span, in: text.utf8.span, from: 0) != nil
}

func holds(_ needle: String, _ bytes: [UInt8]) -> Bool { find(needle, in: bytes) != nil }

private func find(
  _ needle: Span<UInt8>, in bytes: Span<UInt8>, from start: Int
) -> Range<Int>? {
  guard !needle.isEmpty, bytes.count >= needle.count + start else { return nil }
  for index in start...(bytes.count - needle.count) where bytes[index] == needle[0] {
    var length = 1
    while length < needle.count, bytes[index + length] == needle[length] { length += 1 }
    if length == needle.count { return index..<(index + length) }
  }
  return nil
}

func isASCIILetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

func isASCIIDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
