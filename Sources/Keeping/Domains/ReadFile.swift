package import AppSiteAssociation
package import Diagnostics
package import DigitalAssetLinks
package import Rules
internal import Settings
internal import TLS

/// The parsed form of a file. The form depends on the language of the file.
package enum ReadFile: Sendable {
  /// The language of a file.
  package enum Language: Sendable {
    case association
    /// Android's `assetlinks.json`.
    case assetLinks
    /// A well-known file that has its own rules, but is not one of the files above.
    case judged(JudgedFile)
    case securityText
    /// A file that no rules check.
    case other

    package var hasRules: Bool {
      switch self {
      case .association, .assetLinks, .judged: true
      case .securityText, .other: false
      }
    }
  }

  case association(AssociationFile)
  case assetLinks(AssetLinksFile)
  case judged(JudgedReading)
  case securityText
  case other

  /// Parses a file without running any rule.
  package init(_ text: SourceText, as language: Language, _ options: ValidationOptions) {
    switch language {
    case .association: self = .association(AssociationFile(text, options: options))
    case .assetLinks: self = .assetLinks(AssetLinksFile(text))
    case .judged(let kind): self = .judged(JudgedReading(text, as: kind))
    case .securityText: self = .securityText
    case .other: self = .other
    }
  }

  /// Checks the file against all rules for its language, and returns the findings.
  package func report(_ options: ValidationOptions) -> ValidationReport {
    // This limit on diagnostics applies to each rule separately, except in an association file.
    let limit = min(options.limit, 50)
    switch self {
    case .association(let file): return file.report(options)
    case .assetLinks(let file): return file.report(ignoring: options.ignored, limit: limit)
    case .judged(let file): return file.report(ignoring: options.ignored, limit: limit)
    case .securityText, .other: return ValidationReport(isReadable: true, diagnostics: [])
    }
  }
}

extension ValidationOptions {
  /// The options for checking files that are served. With these options, a report omits notes, and
  /// limits the number of warnings about each file. `aasa validate` reports all notes and warnings.
  static func ofServer(ignoring codes: Set<String> = []) -> ValidationOptions {
    var options = ValidationOptions()
    options.ignored = codes
    options.limit = 10
    options.includesNotes = false
    // Check the content that was signed. Do not check the signer, because iOS 9 and later need no
    // signature.
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

extension WellKnownFile {
  var language: ReadFile.Language {
    switch role {
    case .association: .association
    case .assetLinks: .assetLinks
    case .page: .other
    case .other:
      if isJSON, let kind = JudgedFile(rawValue: name) {
        .judged(kind)
      } else {
        name == "security.txt" ? .securityText : .other
      }
    }
  }
}
