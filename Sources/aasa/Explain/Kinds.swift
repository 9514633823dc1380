internal import AppSiteAssociation
internal import Checking
internal import Diagnostics
internal import DigitalAssetLinks
internal import Issuance
internal import JSON
internal import Keeping
internal import Rules
internal import Serving
internal import Settings
internal import TLS

/// The kinds of diagnostics about `assetlinks.json` and other well-known files.
let statementKinds =
  statementRules.map(\.kind) + JudgedFile.allCases.flatMap(\.kinds) + PasskeyAgreement.kinds
  + PlatformAgreement.kinds

enum Kinds {
  /// A group of kinds whose codes begin with the same letter, with a title.
  struct Group {
    let letter: Character
    let title: String
    let kinds: [Kind]

    init(_ letter: Character, _ title: String, _ kinds: [Kind]) {
      self.letter = letter
      self.title = title
      self.kinds = kinds.sorted { $0.code < $1.code }
    }
  }

  static let groups = [
    Group("A", "association files", ofContent + signatureKinds),
    Group("J", "JSON", Kind.ofSyntaxErrors),
    Group("V", "paths to validate", pathKinds), Group("E", "expectations", expectationKinds),
    Group(
      "D", "differences; Android's assetlinks.json (from D101); other well-known files (from D150)",
      differenceKinds + statementKinds),
    Group("H", "hosting", hostingKinds + serveKinds + watchingKinds),
    Group("T", "certificates and keys", chainKinds + certificateFolderKinds),
    Group("I", "automatic certificates", issuanceKinds),
    Group("F", "fetching from domains", Kind.ofCheck),
    Group("S", "why Apple's CDN has no file", failureKinds),
    Group("C", "configuration", configurationKinds),
  ]

  static let all = groups.flatMap(\.kinds)

  /// Returns the kind with this code. If the text is not a code, returns several kinds: those whose
  /// codes the text contains in brackets, and those that explain an operating system's message in
  /// the text.
  static func kinds(of text: String) -> [Kind] {
    let code = text.uppercased()
    if let kind = all.first(where: { $0.code == code }) { return [kind] }
    let parts = text.prefix(SystemMessage.Limits.bytes).split { "[]".contains($0) }
    return parts.compactMap { part in all.first { $0.code == part } }
      + SystemMessage.kinds(in: text)
  }

  /// The kinds of diagnostics about association files. `.aasa.json` and `--ignore` accept the codes
  /// of these kinds.
  static let ofAssociationFiles = associationKinds + signatureKinds
  /// The kinds of faults that the rules for association files find. The rules apply only to files
  /// that can be parsed.
  static let ofAssociationRules = associationRuleKinds

  private static let ofContent = associationKinds.filter {
    !Kind.ofSyntaxErrors.contains($0) && !pathKinds.contains($0)
  }

  static var list: String {
    let width = all.map(\.name.count).max() ?? 0
    return groups.map { group in
      "\(group.letter): \(group.title)\n"
        + group.kinds.map { kind in
          "\(kind.code)  \(padded(kind.severity.rawValue, 7))  \(padded(kind.name, width))  "
            + kind.what + "\n"
        }.joined()
    }.joined(separator: "\n")
  }
}
