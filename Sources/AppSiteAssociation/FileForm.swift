package import Diagnostics
internal import JSON

/// The form of an association file.
package enum FileForm: Sendable, Equatable {
  /// A JSON object in UTF-8.
  case json
  /// A signed file: CMS (RFC 5652) in DER, with the content attached. The form of iOS 8.
  case signed
}

/// Whether a file can be served as an association file.
package enum FileVerdict: Sendable, Equatable {
  case usable(FileForm)
  case refused(Diagnostic)
}

/// Limits that Apple sets.
package enum AppleLimits {
  /// The largest file that devices take, in bytes, counted uncompressed.
  package static let fileBytes = 131_072
}

/// Finds the form of an association file, or why it cannot be served as one.
///
/// Reads the whole text, so a truncated file is refused.
package func fileForm(of source: SourceText) -> FileVerdict {
  let bytes = source.bytes
  if bytes.count > AppleLimits.fileBytes {
    return .refused(
      Diagnostic(
        .fileTooLarge,
        "the file has more than the \(AppleLimits.fileBytes) bytes that Apple takes",
        at: .init(path: source.path),
        help: "remove comments and white space, or join rules with wildcards",
        note: "the limit holds for the uncompressed file"))
  }
  if beginsDER(bytes) { return signedForm(of: source) }
  do throws(SyntaxError) {
    if try JSON.validate(bytes.span) == .object { return .usable(.json) }
  } catch {
    return .refused(error.diagnostic(in: source))
  }
  let start = bytes.firstIndex { !isWhiteSpace($0) } ?? 0
  return .refused(
    Diagnostic(
      .notAnObject, "the file's top level is not a JSON object",
      at: source.location(of: start..<(start + 1)),
      help: #"begin with an object, for example {"applinks": {"details": […]}}"#))
}

/// Why an `assetlinks.json` cannot be served; nil if it can, because it is a JSON array.
package func assetLinksFault(in source: SourceText) -> Diagnostic? {
  do throws(SyntaxError) {
    if try JSON.validate(source.bytes.span) == .array { return nil }
  } catch {
    return error.diagnostic(in: source)
  }
  let start = source.bytes.firstIndex { !isWhiteSpace($0) } ?? 0
  return Diagnostic(
    .assetLinksNotAnArray, "the top level of assetlinks.json is not a JSON array",
    at: source.location(of: start..<(start + 1)),
    help: "put the statements into [ ]")
}

/// Whether it begins with a DER SEQUENCE: the digit `0` and then a byte that cannot follow it in
/// JSON, or signed data whose length happens to look like one that can.
private func beginsDER(_ bytes: [UInt8]) -> Bool {
  guard bytes.count > 1, bytes[0] == 0x30 else { return false }
  let isText = (0x20...0x7E).contains(bytes[1]) || isWhiteSpace(bytes[1])
  return !isText || isSignedData(bytes)
}

private func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// The object identifier 1.2.840.113549.1.7.2, id-signedData (RFC 5652 5.1), in DER.
private let signedDataIdentifier: [UInt8] = [
  0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
]

private func signedForm(of source: SourceText) -> FileVerdict {
  let bytes = source.bytes
  func refused(_ message: String, _ help: String) -> FileVerdict {
    .refused(
      Diagnostic(.brokenSignedFile, message, at: .init(path: source.path), help: help))
  }
  guard let (headerLength, contentLength) = lengthInDER(bytes) else {
    return refused(
      "the file looks like a signed file but its DER length cannot be read",
      "sign it again, with output in DER and not in streaming form (BER)")
  }
  guard headerLength + contentLength == bytes.count else {
    return refused(
      "the signed file has \(bytes.count) bytes where its DER header says "
        + "\(headerLength + contentLength)",
      "copy the file again, in binary mode")
  }
  guard isSignedData(bytes) else {
    return refused(
      "the file is DER but no CMS signed data",
      "sign the JSON with openssl smime -sign -nodetach -outform DER, or serve it unsigned")
  }
  return .usable(.signed)
}

private func isSignedData(_ bytes: [UInt8]) -> Bool {
  guard let (headerLength, _) = lengthInDER(bytes) else { return false }
  return bytes.dropFirst(headerLength).starts(with: signedDataIdentifier)
}

/// The lengths of the outer header and of its content (X.690 8.1.3); nil if indefinite or
/// truncated.
private func lengthInDER(_ bytes: [UInt8]) -> (header: Int, content: Int)? {
  guard bytes.count >= 2 else { return nil }
  let first = Int(bytes[1])
  if first < 0x80 { return (2, first) }
  let octets = first - 0x80
  guard (1...4).contains(octets), bytes.count >= 2 + octets else { return nil }
  return (2 + octets, bytes[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) })
}

extension SourceText {
  /// The text after a byte order mark; nil if there is none.
  package var withoutByteOrderMark: SourceText? {
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
    return SourceText(path: path, bytes: Array(bytes.dropFirst(3)))
  }

  /// The diagnostic about the mark before this text.
  var byteOrderMarkDiagnostic: Diagnostic {
    Diagnostic(
      SyntaxError.Kind.byteOrderMark.diagnosticKind, "the file begins with a byte order mark",
      at: bytes.isEmpty ? .init(path: path) : location(of: 0..<1),
      help: "save it as \u{201C}UTF-8\u{201D}, not as \u{201C}UTF-8 with BOM\u{201D}",
      note: "Apple's parser takes it; whether devices and the CDN do, Apple does not say")
  }
}

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
