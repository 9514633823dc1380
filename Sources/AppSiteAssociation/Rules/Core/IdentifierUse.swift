internal import Bytes
package import Rules

/// An app identifier in the file, and its fault.
package struct IdentifierUse: Sendable {
  package let located: Located<String>
  /// The service that lists the identifier.
  package let service: String
  let fault: IdentifierFault?

  package var text: String { located.value }

  /// Whether an app could have this identifier.
  var canBeAnApp: Bool { fault?.excludesApps != true }

  static func canBeAnApp(_ text: String) -> Bool {
    IdentifierFault(of: text)?.excludesApps != true
  }

  /// The identifier that help shows if the file has no correct identifier.
  static let example = "K27TX9P4QD.org.swift.shop"

  /// Returns the identifier that help suggests for a faulty text. A faulty prefix or bundle
  /// identifier is replaced by the prefix or bundle identifier of another app in the file.
  static func cure(of text: String, in file: FileUnderCheck) -> String {
    func parts(_ text: String) -> (prefix: Substring, bundle: Substring) {
      switch IdentifierFault(of: text) {
      case .domain: return ("", "")
      case .withoutPrefix: return ("", text[...])
      default:
        let prefix = text.prefix { $0 != "." }
        return (prefix, text.dropFirst(prefix.count + 1))
      }
    }
    func isGood(_ prefix: Substring, _ bundle: Substring) -> Bool {
      IdentifierFault(of: "\(prefix).\(bundle)").map { $0 == .sampleBundle } ?? true
    }
    // The value of a build variable such as $(AppIdentifierPrefix) ends with the dot that follows
    // the prefix.
    let own = parts(
      text.contains(")") ? text.replacing(").", with: ")").replacing(")", with: ").") : text)
    let other = parts(file.app)
    let prefix = isGood(own.prefix, other.bundle) ? own.prefix : other.prefix
    let bundle = isGood(other.prefix, own.bundle) ? own.bundle : other.bundle
    return "\(prefix).\(bundle)"
  }

  private init(_ located: Located<String>, _ service: String) {
    self.located = located
    self.service = service
    fault = IdentifierFault(of: located.value)
  }

  /// Returns the identifiers that no app can have.
  package static func impossible(in association: Association) -> [IdentifierUse] {
    all(in: association).filter { !$0.canBeAnApp }
  }

  static func all(in association: Association) -> [IdentifierUse] {
    var uses = association.entries.flatMap { entry in
      entry.appIdentifiers.map { IdentifierUse($0, "applinks") }
    }
    for (name, list) in association.appLists {
      uses += list.apps.map { IdentifierUse($0, name) }
    }
    return uses
  }
}

/// The fault of an app identifier. If an identifier has several faults, only the worst fault is
/// reported.
enum IdentifierFault: Sendable {
  case placeholder, domain, spaces, incomplete, appStoreNumber, wildcard, lowerCasePrefix
  case withoutPrefix, unusualPrefix, characters, samplePrefix, sampleBundle

  /// Whether no app can have an identifier with this fault.
  var excludesApps: Bool {
    switch self {
    case .placeholder, .domain, .spaces, .incomplete, .withoutPrefix, .wildcard, .unusualPrefix,
      .lowerCasePrefix, .characters:
      true
    case .appStoreNumber, .samplePrefix, .sampleBundle: false
    }
  }

  /// Finds the fault of a text that should be an app identifier: a prefix, a dot and a bundle
  /// identifier. Nil if the text has no fault.
  init?(of text: String) {
    let bytes = Array(text.utf8)
    let dot = bytes.firstIndex(of: UInt8(ascii: "."))
    let prefix = bytes[..<(dot ?? bytes.endIndex)]
    if isPlaceholder(bytes, prefix: prefix) {
      self = .placeholder
    } else if isDomain(text) {
      self = .domain
    } else if hasWhiteSpace(text, bytes) {
      self = separateApps(in: text) == nil ? .spaces : .characters
    } else if let dot, dot + 1 < bytes.count {
      let bundle = bytes[(dot + 1)...]
      guard let fault = Self.faultOfPrefix(prefix) ?? Self.faultOfBundle(bundle) else {
        guard let sample = Self.sample(prefix, bundle) else { return nil }
        self = sample
        return
      }
      self = bundle.contains(UInt8(ascii: "*")) ? .wildcard : fault
    } else {
      self = .incomplete
    }
  }

  private static func faultOfPrefix(_ prefix: ArraySlice<UInt8>) -> IdentifierFault? {
    let isDigits = prefix.allSatisfy(\.isDigit)
    if isDigits && prefix.count >= 8 { return .appStoreNumber }
    let isWord = prefix.allSatisfy { $0.isLetter || $0.isDigit }
    let hasLowerCase = prefix.contains { (0x61...0x7A).contains($0) }
    if prefix.count == 10 && isWord { return hasLowerCase ? .lowerCasePrefix : nil }
    if hasLowerCase && prefix.allSatisfy({ !(0x41...0x5A).contains($0) }) { return .withoutPrefix }
    return .unusualPrefix
  }

  /// Returns the fault of a bundle identifier. A correct bundle identifier consists of letters,
  /// digits, hyphens and dots, without empty labels.
  private static func faultOfBundle(_ bundle: ArraySlice<UInt8>) -> IdentifierFault? {
    let isGood = bundle.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { label in
        !label.isEmpty
          && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      }
    return isGood ? nil : .characters
  }

  private static func sample(
    _ prefix: ArraySlice<UInt8>, _ bundle: ArraySlice<UInt8>
  ) -> IdentifierFault? {
    if samplePrefixes.contains(where: { prefix.elementsEqual($0.utf8) }) { return .samplePrefix }
    if sampleBundles.contains(where: { bundle.starts(with: $0.utf8) }) { return .sampleBundle }
    return nil
  }

  /// Prefixes from Apple's documents and sessions, and prefixes that people often invent.
  static let samplePrefixes = [
    "ABCDE12345", "ABCED12345", "9JA89QQLNQ", "D3KQX62K1A", "A1B2C3D4E5", "ABCDEFGHIJ",
    "ABCDEF1234", "ABCD123456",
  ]

  static let sampleBundles = [
    "com.example.", "com.yourcompany.", "com.yourdomain.", "com.mycompany.",
    "org.reactjs.native.example.",
  ]
}

/// Returns the identifiers in a text that lists several of them; nil for a text with one
/// identifier.
func separateApps(in text: String) -> [Substring]? {
  let parts = text.split { isListSeparator($0) || $0.isWhitespace }
  guard parts.count > 1, parts.allSatisfy({ $0.contains(".") }) else { return nil }
  // White space alone does not prove that the text is a list, because a single identifier may also
  // contain white space by mistake.
  let isList =
    text.contains(where: isListSeparator)
    || parts.allSatisfy { part in part.prefix { $0 != "." }.utf8.count == 10 }
  return isList ? parts : nil
}

private func isListSeparator(_ character: Character) -> Bool { ",;|".contains(character) }

private func isPlaceholder(_ bytes: [UInt8], prefix: ArraySlice<UInt8>) -> Bool {
  let isSyntax = bytes.contains {
    switch $0 {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"):
      true
    default: false
    }
  }
  if isSyntax || bytes.contains("$(") { return true }
  let first = plain(prefix)
  if first.contains("TEAMID") || first.contains("YOURTEAM") || first.contains("APPIDPREFIX") {
    return true
  }
  if placeholderPrefixes.contains(where: { first.elementsEqual($0.utf8) }) { return true }
  if first.count > 3 && first.allSatisfy({ $0 == UInt8(ascii: "X") }) { return true }
  let all = plain(bytes[...])
  return all.contains("PLACEHOLDER") || all.contains("BUNDLEIDENTIFIER")
    || all.contains("YOURBUNDLE")
}

private let placeholderPrefixes = [
  "TEAM", "PREFIX", "APPID", "DEVELOPMENTTEAM", "YOURID", "APPLEID",
]

/// Returns only the letters and digits of a text, in upper case.
private func plain(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  bytes.compactMap { byte in
    if byte.isLetter { return byte & 0xDF }
    return byte.isDigit ? byte : nil
  }
}

private func hasWhiteSpace(_ text: String, _ bytes: [UInt8]) -> Bool {
  if bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return false }
  return text.unicodeScalars.contains { $0.properties.isWhitespace }
}

/// Whether a text is not an identifier but a URL, a wildcard domain, or an entry of the Associated
/// Domains entitlement such as `applinks:example.com`.
private func isDomain(_ text: String) -> Bool {
  guard text.utf8.contains(UInt8(ascii: ":")) else { return text.hasPrefix("*.") }
  return text.contains("://") || Association.serviceNames.contains { text.hasPrefix($0 + ":") }
}
