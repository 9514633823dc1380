package import Diagnostics

/// Whether Apple's devices can read a file at all, whatever the rules say about its content.
package enum FileUsability: Sendable, Equatable {
  /// A JSON object of at most `AppleLimits.fileBytes` bytes.
  case json
  /// A signed file whose content, if it can be extracted, is usable.
  case signed
  /// Nothing of the file can be read. The diagnostic is the first error that `validate` reports.
  case unusable(Diagnostic)
}

/// Finds whether devices can read a file, without running a rule.
///
/// A file that breaks rules of severity error is still usable: devices read it, and lose only the
/// services that the errors are about.
///
/// - Parameter options: Only `signedContent` and `gzipSize` are used. Without `signedContent` the
///   outer form of a signed file decides.
package func usability(
  of source: SourceText, options: ValidationOptions = ValidationOptions()
) -> FileUsability {
  let source = source.withoutByteOrderMark ?? source
  switch fileForm(of: source) {
  case .refused(let diagnostic): return .unusable(refusal(diagnostic, of: source, options))
  case .usable(.json): return .json
  case .usable(.signed): break
  }
  guard let signed = options.signedContent?(source) else { return .signed }
  let fault = signed.diagnostics.first { $0.severity == .error }
  guard let bytes = signed.bytes else { return fault.map(FileUsability.unusable) ?? .signed }
  guard case .unusable(let inner) = usability(of: signedText(of: source, bytes), options: options)
  else { return .signed }
  return .unusable(fault ?? inner)
}
