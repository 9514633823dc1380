internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Rules
internal import Settings
internal import TLS

/// A file as its language reads it.
enum ReadFile {
  case association(AssociationFile)
  case assetLinks(AssetLinksFile)
  case passkeys(PasskeyReading)
  case securityText
  case other

  init(_ text: SourceText, _ row: WellKnownFile) {
    switch row.role {
    case .association: self = .association(AssociationFile(text, options: Self.options()))
    case .assetLinks: self = .assetLinks(AssetLinksFile(text))
    case .page: self = .other
    case .other:
      if row.isJSON, let kind = PasskeyFile(rawValue: row.name) {
        self = .passkeys(PasskeyReading(text, as: kind))
      } else {
        self = row.name == "security.txt" ? .securityText : .other
      }
    }
  }

  var hasRules: Bool {
    switch self {
    case .association, .assetLinks, .passkeys: true
    case .securityText, .other: false
    }
  }

  /// What the rules find, except notes.
  func diagnostics(ignoring codes: Set<String>) -> [Diagnostic] {
    switch self {
    case .association(let file): file.report(Self.options(ignoring: codes)).diagnostics
    case .assetLinks(let file):
      file.report(ignoring: codes, limit: Self.warnings).diagnostics
    case .passkeys(let file):
      file.report(ignoring: codes, limit: Self.warnings).diagnostics
    case .securityText, .other: []
    }
  }

  /// The number of warnings that are reported about one file. `aasa validate` reports all.
  private static let warnings = 10

  private static func options(ignoring codes: Set<String> = []) -> ValidationOptions {
    var options = ValidationOptions()
    options.ignored = codes
    options.limit = warnings
    options.includesNotes = false
    // The signed content is judged. The signer is not, because iOS 9 and later need no signature.
    options.signedContent = { source in
      do throws(CMSError) {
        let (content, altered) = try CMS.open(source.bytes, .alteration)
        return SignedContent(
          bytes: content, diagnostics: [], alteration: altered?.diagnostic(at: source.path))
      } catch {
        return SignedContent(bytes: nil, diagnostics: [error.diagnostic(at: source.path)])
      }
    }
    return options
  }
}
