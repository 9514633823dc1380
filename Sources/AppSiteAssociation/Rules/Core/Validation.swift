package import Diagnostics
internal import JSON
internal import Rules

/// The options of a validation.
package struct ValidationOptions: Sendable {
  /// The number of diagnostics of a file that are kept, errors first.
  package var limit = 200
  /// The size of a file after gzip, because this module does not use zlib.
  package var gzipSize: (@Sendable ([UInt8]) -> Int?)?
  /// The content of a signed file, and the diagnostics of its signature; nil if it has no readable
  /// content.
  package var signedContent: (@Sendable (SourceText) -> SignedContent?)?
  /// Codes of rules that are not run, and of signatures that are not reported. A fault that makes a
  /// file unreadable is always reported.
  package var ignored: Set<String> = []
  /// Whether rules of severity note are run.
  package var includesNotes = true

  package init() {}
}

/// The content of a signed file.
package struct SignedContent: Sendable {
  /// The JSON text; nil if it cannot be read.
  package var bytes: [UInt8]?
  package var diagnostics: [Diagnostic]

  package init(bytes: [UInt8]?, diagnostics: [Diagnostic]) {
    self.bytes = bytes
    self.diagnostics = diagnostics
  }
}

/// The findings in one file.
package struct ValidationReport: Sendable {
  /// Nil if the file is refused because of its form.
  package var form: FileForm?
  /// In the order of their places; those of the whole file first.
  package var diagnostics: [Diagnostic]
  /// The number of further diagnostics.
  package var omitted = 0
  /// The text that the rules read: the content of a signed file.
  package var text: SourceText?

  package init(
    form: FileForm?, diagnostics: [Diagnostic], omitted: Int = 0, text: SourceText? = nil
  ) {
    self.form = form
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.text = text
  }

  package func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  /// The worst severity; nil for a clean file.
  package var worst: Diagnostic.Severity? { diagnostics.map(\.severity).max() }
}

/// Runs every rule on an association file.
///
/// A file that is not JSON, too large or not an object gets one diagnostic, because nothing else
/// can be found out about it.
package func validate(
  _ source: SourceText, options: ValidationOptions = ValidationOptions()
) -> ValidationReport {
  if let text = source.withoutByteOrderMark {
    var report = validate(text, options: options)
    report.text = text
    guard report.form == .json, !options.ignored.contains(text.byteOrderMarkDiagnostic.code) else {
      return report
    }
    report.diagnostics.insert(text.byteOrderMarkDiagnostic, at: 0)
    return report
  }
  // A text that is parsed as a document needs no check of its form before.
  if isPlainObject(source) {
    let report = validateText(source, options)
    if report.form != nil { return report }
  }
  switch fileForm(of: source) {
  case .refused(let diagnostic):
    return ValidationReport(
      form: nil, diagnostics: [refusal(diagnostic, of: source, options)])
  case .usable(.signed):
    return validateSigned(source, options)
  case .usable(.json):
    return validateText(source, options)
  }
}

/// Whether the first character is a brace and the size is within the limit.
func isPlainObject(_ source: SourceText) -> Bool {
  source.bytes.count <= AppleLimits.fileBytes
    && source.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
}

private func validateText(_ source: SourceText, _ options: ValidationOptions) -> ValidationReport {
  let document: Document
  do throws(SyntaxError) {
    document = try Document(parsing: source)
  } catch {
    return ValidationReport(form: nil, diagnostics: [error.diagnostic(in: source)])
  }
  let file = FileUnderCheck(document, options: options)
  var findings = Findings(limit: options.limit)
  findings.run(
    options.includesNotes ? associationRules : rulesWithoutNotes, on: file,
    ignoring: options.ignored)
  let found = findings.diagnostics(in: source, limit: options.limit)
  return ValidationReport(form: .json, diagnostics: found.kept, omitted: found.omitted)
}

private func validateSigned(
  _ source: SourceText, _ options: ValidationOptions
) -> ValidationReport {
  guard let signed = options.signedContent?(source) else {
    return ValidationReport(
      form: .signed, diagnostics: options.includesNotes ? [signatureNotChecked(source)] : []
    ).ignoring(options.ignored)
  }
  guard let bytes = signed.bytes else {
    return ValidationReport(form: .signed, diagnostics: signed.diagnostics)
  }
  let content = signedText(of: source, bytes)
  var report = validate(content, options: options)
  report.text = content
  report.form = report.form == nil ? nil : .signed
  report.diagnostics = signed.diagnostics + report.diagnostics
  return report.ignoring(options.ignored)
}

extension ValidationReport {
  fileprivate func ignoring(_ codes: Set<String>) -> ValidationReport {
    if form == nil || codes.isEmpty { return self }
    var report = self
    report.diagnostics.removeAll { codes.contains($0.code) }
    return report
  }
}

/// The signed text, with a name for diagnostics.
func signedText(of source: SourceText, _ bytes: [UInt8]) -> SourceText {
  SourceText(path: source.path + " (signed content)", bytes: bytes)
}

private func signatureNotChecked(_ source: SourceText) -> Diagnostic {
  Diagnostic(
    .signatureNotChecked,
    "the file is signed, and neither its signature nor its content is checked",
    at: .init(path: source.path), help: "validate the JSON that was signed",
    note: "iOS 9 and later need no signature")
}

/// The diagnostic of an unreadable file, with the facts that only this module knows.
func refusal(
  _ diagnostic: Diagnostic, of source: SourceText, _ options: ValidationOptions
) -> Diagnostic {
  if diagnostic.isOf(.fileTooLarge), let size = options.gzipSize?(source.bytes) {
    var result = diagnostic
    result.note =
      "the limit holds for the uncompressed file: that gzip makes \(size) bytes of it does not help"
    return result
  }
  if diagnostic.isOf(.notAnObject), let links = assetLinks(in: source) { return links }
  return diagnostic
}

/// Android's `assetlinks.json` under the wrong name: an array of statements.
private func assetLinks(in source: SourceText) -> Diagnostic? {
  guard let root = try? Document(parsing: source).root, root.kind == .array,
    let first = root.elements.first(where: { $0.kind == .object }),
    first.member("relation") != nil || first.member("target") != nil
  else { return nil }
  let start = root.range.lowerBound
  return Diagnostic(
    .assetLinksAsAssociation, "this is Android's assetlinks.json, not an association file",
    at: source.location(of: start..<(start + 1)),
    help: #"keep it as assetlinks.json and write {"applinks": {"details": []}} with the apps here"#,
    note: "devices read an association file only when its top level is an object")
}
