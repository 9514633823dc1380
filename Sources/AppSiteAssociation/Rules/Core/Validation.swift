package import Diagnostics
internal import JSON
package import Rules

/// The options of a validation.
package struct ValidationOptions: Sendable {
  /// The maximum number of diagnostics kept for a file, errors first.
  package var limit = 200
  /// Returns the size of a file after gzip; a closure, because this module does not use zlib.
  package var gzipSize: (@Sendable ([UInt8]) -> Int?)?
  /// Returns the content of a signed file and the diagnostics of its signature; nil if the file has
  /// no readable content.
  package var signedContent: (@Sendable (SourceText) -> SignedContent?)?
  /// The codes of rules to skip and of signature diagnostics to drop. A fault that makes a file
  /// unreadable is always reported.
  package var ignored: Set<String> = []
  /// Whether to run rules of severity note.
  package var includesNotes = true

  package init() {}
}

/// The content of a signed file.
package struct SignedContent: Sendable {
  /// The JSON text; nil if it cannot be read.
  package var bytes: [UInt8]?
  package var diagnostics: [Diagnostic]
  /// Why the content is not what was signed, for readers who refuse such a file; nil if it is, or
  /// if the signature was not asked for that.
  package var alteration: Diagnostic?

  package init(bytes: [UInt8]?, diagnostics: [Diagnostic], alteration: Diagnostic? = nil) {
    self.bytes = bytes
    self.diagnostics = diagnostics
    self.alteration = alteration
  }
}

/// Reads an association file and runs every rule on it.
package func validate(
  _ source: SourceText, options: ValidationOptions = ValidationOptions()
) -> ValidationReport {
  AssociationFile(source, options: options).report(options)
}

extension AssociationFile {
  /// Runs every rule.
  ///
  /// An unreadable file gets one diagnostic that says so, because nothing else can be known about
  /// it.
  package func report(_ options: ValidationOptions) -> ValidationReport {
    var report = ValidationReport(isReadable: form != nil, diagnostics: remarks, text: text)
    if let document {
      let found = AssociationRule.report(
        of: options.includesNotes ? associationRules : rulesWithoutNotes,
        on: FileUnderCheck(document, options: options), in: text, ignoring: options.ignored,
        limit: options.limit, total: options.limit)
      report.diagnostics += found.diagnostics
      report.omitted = found.omitted
    } else if let fault, !remarks.contains(fault) {
      report.diagnostics.append(fault)
    }
    // What makes a file unreadable is always reported.
    if fault == nil {
      report.diagnostics.removeAll {
        options.ignored.contains($0.code) || !options.includesNotes && $0.severity == .note
      }
    }
    return report
  }
}
